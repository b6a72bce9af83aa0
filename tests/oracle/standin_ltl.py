"""`bp ltl` of standin.py, made from ltl_program.py. STANDIN_BUG names a fault: finite, summary, failed and
scope give wrong verdicts now and then, loop, step and value wrong lassos."""

import json

import ltl
import ltl_lasso
import ltl_program
from ltl_program import FAILED, TERMINATED, Buchi, Positions, Search


class FromFile:
    """An automaton of the HOA format, as write_hoa makes them, in place of a tableau."""

    def __init__(self, path):
        with open(path) as file:
            self.automaton = ltl.Automaton(file.read())
        self.starts = self.automaton.starts

    def edges(self, state, letter):
        return [(to, bool(sets)) for label, to, sets in self.automaton.edges[state] if label(letter)]


class FaultySearch(Search):
    """Forgets what a completed call has passed."""

    def over(self, head, accepting, callee):
        return ((at, accepting, call) for at, _, call in super().over(head, accepting, callee))


class FaultyPositions(Positions):
    """With fault finite an execution ends where it terminates, with failed it goes on behind an assertion."""

    fault = ""

    def find_moves(self, node):
        if self.fault == "finite" and node[0] == TERMINATED:
            return "step", []
        kind, ahead = super().find_moves(node)
        if self.fault == "failed" and kind == "step" and node[0] != FAILED:
            ahead = [each for each in ahead if self.nodes[each][0] != FAILED]
        return kind, ahead


class FaultyAtoms(ltl_program.Atoms):
    """Takes a variable that is out of scope for 0 instead of the expression for false."""

    def of_expression(self, text):
        holds = super().of_expression(text)
        used = {(match[1], match[2] or match[0]) for match in ltl_program.QUALIFIED.finditer(text)}
        return lambda node: holds(node) or ("!" in text and not any(
            pair in self.scope(node) for pair in used))


def answer(program, names, values, flags, bug):
    """(exit status, text) for a question."""
    checker = ltl_program.Checker.__new__(ltl_program.Checker)
    checker.positions, checker.cap = FaultyPositions(
        program, ltl_program.read_init(program, values.get("init"))), 200_000
    checker.positions.fault = bug
    if bug == "scope":
        checker.positions.atoms = FaultyAtoms(checker.positions.graph)
    if "automaton" in values:
        automaton = Buchi(checker.positions, ("true",))
        automaton.tableau = FromFile(values["automaton"])
        automaton.starts = automaton.tableau.starts
        automaton.meanings = {atom: checker.positions.atoms.meaning(atom)
                              for atom in automaton.tableau.automaton.aps}
    else:
        formula = ("not", ltl.parse(names[2]))
        automaton = Buchi(checker.positions, formula)
    search = (FaultySearch if bug == "summary" else Search)(checker.positions, automaton)
    verdict = "violated" if search.violated else "holds"
    trace = spoilt(lasso(checker, search, "--expand" in flags), bug) if search.violated else None
    if "--json" not in flags:
        lines = ["ltl: VIOLATED" if search.violated else "ltl: holds"]
        lines += [str(step) for step in trace["steps"]] if trace and "--no-trace" not in flags else []
        return int(search.violated), "\n".join(lines)
    result = {"target": {"kind": "formula"}, "verdict": verdict}
    if trace:
        result["trace"] = trace
    return int(search.violated), json.dumps({"version": 1, "command": "ltl", "results": [result]})


def lasso(checker, search, opened):
    """The trace with its lengths."""
    forms = [ltl_lasso.as_trace(checker, search, each) for each in (opened, True, False)]
    lengths = {"length": len(forms[1]["steps"]), "hierarchical_length": len(forms[2]["steps"])}
    return lengths | forms[0]


def spoilt(trace, bug):
    steps = trace["steps"]
    if bug == "loop" and trace["loop_start"] > 1:
        trace["loop_start"] -= 1
    if bug == "step" and len(steps) > 3:
        del steps[2]
        trace["loop_start"] -= 1
    if bug == "value" and steps and steps[-1]["state"]:
        name = min(steps[-1]["state"])
        steps[-1]["state"][name] ^= 1
    return trace
