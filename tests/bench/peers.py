# SPDX-License-Identifier: MIT
"""The same questions, put to another tool. `bp fmt --chc FILE TARGET` writes them as Horn clauses."""

import re
import shutil
import subprocess

import measure

VERDICTS = {"sat": "unreachable", "unsat": "reachable"}


class NoPeer(Exception):
    """The tool, or the translation, is not there; the message says which."""


class Z3:
    """Z3, whose engine for Horn clauses is Spacer."""

    name = "z3"

    def __init__(self, translator):
        self.translator = translator
        self.tool = shutil.which("z3")
        if not self.tool:
            raise NoPeer("there is no z3")
        known = subprocess.run([translator, "help", "fmt"], capture_output=True, text=True, check=False).stdout
        if "--chc" not in known:
            raise NoPeer(f"{translator} fmt does not know --chc, so there is nothing to ask z3 (see --translator)")

    def translate(self, case, path, folder, timeout):
        clauses = folder / "case.smt2"
        entry = ["--entry", case.entry] if case.entry else []
        done = measure.run([self.translator, "fmt", "--chc", *entry, path, case.target], timeout, output=clauses)
        if done.late or done.status != 0:
            return None
        return clauses

    def ask(self, case, path, folder, timeout, memory, repeat):
        """A row with a verdict and the least time that z3 took, the translation not counted."""
        clauses = self.translate(case, path, folder, timeout)
        if clauses is None:
            return {"verdict": "undecided: not translated"}
        best = self.once(clauses, timeout, memory)
        for _ in range(1, repeat):
            if not measure.solved(best) or best["wall_seconds"] > timeout / repeat:
                break
            best = measure.merge(best, self.once(clauses, timeout, memory))
        return best

    def once(self, clauses, timeout, memory):
        seconds = max(1, round(timeout))
        done = measure.run([self.tool, f"-T:{seconds}", clauses], seconds + 5, memory)
        answer = re.search(r"^(sat|unsat|unknown|timeout)$", done.out, re.MULTILINE)
        if done.late or (answer and answer[1] == "timeout"):
            return {"verdict": "timeout", "timeout": seconds, "wall_seconds": done.wall}
        if not answer or answer[1] == "unknown":
            said = done.out.strip() or done.err.strip() or "no answer"
            return {"verdict": "undecided: " + said.split("\n")[0][:60]}
        return {"verdict": VERDICTS[answer[1]], "wall_seconds": done.wall, "peak_rss": done.rss}
