#!/usr/bin/env python3
"""Compares `bp` with z3's Spacer, which reads the Horn clauses that `bp fmt --chc` prints.

spacer.py --bp PATH [--z3 PATH] [--seeds A..B] [--cases DIR] [--jobs N] [--timeout SECONDS]

Asked are random programs, the ones of diff.py for the same seeds, and the programs of a folder:
whether an assertion can fail, whether any label can be reached, and some of them alone, in random
programs with one valuation of all variables there. What one of them leaves open in its time is
counted, and is no failure. Exit status 1 if the two disagree anywhere, or if they did not agree on
both verdicts somewhere.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from multiprocessing import Pool
from pathlib import Path
from random import Random

from boolprog import Options, parse
from diff import make_plan
from generate import generate_checked
from judge import Mismatch, run
from lexer import SourceError
from seeds import seeds

VERDICTS = {0: "sat", 1: "unsat"}
LABELS = 3  # how many of a program are asked for alone
MOST = 20   # and together


@dataclass(frozen=True)
class Question:
    """Targets of reach, or none for check, with the options that both commands take."""

    targets: tuple = ()
    options: tuple = ()

    def ask(self, bp, path, timeout):
        command = ["reach" if self.targets else "check", "--timeout", str(timeout)]
        return run(bp, command + ["--no-trace", "--quiet", *self.options, path, *self.targets])

    def clauses(self, bp, path):
        return run(bp, ["fmt", "--chc", "--quiet", *self.options, path, *self.targets])


def labels(program):
    """The labels with their procedures, as bp takes them."""
    for proc in program.procs.values():
        for label in proc.labels:
            yield proc, f"{proc.name}:label:{label}"


def valuation(random, proc, program):
    """A condition that one valuation of the scope of proc has: it asks for the exact states."""
    return " & ".join(random.choice(("", "!")) + name
                      for name in sorted(set(proc.frame()) | set(program.globals)))


def random_questions(seed, program):
    """The questions about the program of a seed, with the reading options of diff.py."""
    plan = make_plan(seed, program, "none")
    switches = tuple(plan.switches())
    random = Random(f"spacer {seed}")
    every = list(labels(program))
    yield Question((), switches)
    if every:
        yield Question(tuple(name for _, name in every[:MOST]), switches)
    for proc, name in random.sample(every, min(LABELS, len(every))):
        when = valuation(random, proc, program)
        yield Question((name,), switches + (("--when", when) if when else ()))
    for each in plan.rounds:
        if each.when:
            yield Question(each.targets, switches + ("--when", each.when))


def case_questions(path):
    yield Question()
    try:
        every = list(labels(parse(path.read_text(), Options())))
    except SourceError:
        return
    for _, name in every[:LABELS]:
        yield Question((name,))


def spacer(arguments, texts):
    """The verdict of z3 on each text, None where it took too long. One process for all of them, as
    starting it takes longer than most answers."""
    if not texts:
        return []
    seconds = arguments.timeout
    done = subprocess.run([arguments.z3, f"-t:{1000 * seconds}", f"-T:{(seconds + 1) * len(texts)}", "-in"],
                          input="(reset)\n".join(texts), capture_output=True, text=True, check=False)
    answers = done.stdout.split()
    while len(answers) < len(texts) and answers[-1:] == ["timeout"]:
        answers.append("timeout")
    if len(answers) != len(texts) or set(answers) - {"sat", "unsat", "timeout", "unknown"}:
        raise Mismatch("z3", f"{done.stdout[:500]} {done.stderr[:500]}")
    return [answer if answer in VERDICTS.values() else None for answer in answers]


def compare(arguments, path, questions):
    """The common verdicts; "open" where one of them has none, "refused" where nothing can be asked."""
    found, asked, texts = [], [], []
    for question in questions:
        answer = question.ask(arguments.bp, path, arguments.timeout)
        clauses = question.clauses(arguments.bp, path)
        if answer.returncode == clauses.returncode == 2:
            found.append("refused")
        elif clauses.returncode != 0 or answer.returncode not in (0, 1, 3):
            raise Mismatch("status", f"{answer.returncode} and {clauses.returncode} for {question}")
        elif answer.returncode == 3:
            found.append("open")
        else:
            asked.append((question, VERDICTS[answer.returncode]))
            texts.append(clauses.stdout)
    for (question, ours), verdict in zip(asked, spacer(arguments, texts)):
        if verdict and verdict != ours:
            raise Mismatch("verdict", f"z3 says {verdict}, bp {ours}: {question}")
        found.append(verdict or "open")
    return found


def questions_of(task):
    """The path of a program, whether it is to be removed again, and the questions about it."""
    if isinstance(task, Path):
        return str(task), False, list(case_questions(task))
    text, program, _ = generate_checked(task)
    with tempfile.NamedTemporaryFile("w", suffix=f"-seed{task}.bp", delete=False) as file:
        file.write(text)
    return file.name, True, list(random_questions(task, program))


def judge(job):
    task, arguments = job
    path, temporary, questions = questions_of(task)
    try:
        return compare(arguments, path, questions), None
    except Mismatch as mismatch:
        temporary = False
        return [], f"{path}: {mismatch}"
    finally:
        if temporary:
            os.unlink(path)


def read_arguments():
    parser = argparse.ArgumentParser(description="Compare bp with Spacer.")
    parser.add_argument("--bp", required=True)
    parser.add_argument("--z3", default="z3")
    parser.add_argument("--seeds", type=seeds, default=seeds("1..50"), metavar="A..B")
    parser.add_argument("--cases", type=Path, metavar="DIR")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--timeout", type=int, default=20, metavar="SECONDS")
    return parser.parse_args()


def main():
    arguments = read_arguments()
    arguments.bp = os.path.abspath(arguments.bp)
    tasks = list(arguments.seeds)
    if arguments.cases:
        tasks += sorted(arguments.cases.resolve().glob("*.bp"))
    found, failed = [], 0
    with Pool(arguments.jobs) as pool:
        for verdicts, problem in pool.imap_unordered(judge, [(each, arguments) for each in tasks]):
            found += verdicts
            if problem:
                failed += 1
                print(problem, flush=True)
    count = {each: found.count(each) for each in ("sat", "unsat", "open", "refused")}
    print(f"{len(tasks)} programs, questions:", ", ".join(f"{n} {each}" for each, n in count.items()))
    print(f"{len(tasks) - failed} passed, {failed} failed")
    return 1 if failed or not (count["sat"] and count["unsat"]) else 0


if __name__ == "__main__":
    sys.exit(main())
