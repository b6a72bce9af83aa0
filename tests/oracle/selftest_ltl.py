#!/usr/bin/env python3
"""Tests of the oracle for LTL on programs: selftest_ltl.py [-v] [CLASS[.test]].

ORACLE_SEEDS is the number of random programs.
"""

import os
import subprocess
import sys
import tempfile
import unittest
from collections import Counter
from pathlib import Path
from random import Random

import ltl
import ltl_automaton
import ltl_brute
import ltl_diff
import ltl_lasso
from boolprog import Options, parse
from lexer import SourceError
from ltl_generate import Question
from ltl_program import BOTTOM, Buchi, Checker, Search, atoms_of, read_init
from ltl_program_diff import show_formula, smaller_formulas
from traces import Bad

SEEDS = range(1, 1 + int(os.environ.get("ORACLE_SEEDS", "120")))


class Automata(unittest.TestCase):
    """The tableau, and the HOA text made from it, on random formulas and words."""

    def test_random_words(self):
        for seed in SEEDS:
            random, atoms, text = ltl_diff.question(seed, 12)
            formula = ltl.parse(text)
            tableau = ltl_automaton.Tableau(formula)
            written = ltl.Automaton(ltl_automaton.write_hoa(formula, atoms)) if seed % 4 == 0 else None
            for _ in range(6):
                word = ltl_diff.word(random, atoms)
                truth = ltl.holds(formula, word)
                self.assertEqual(ltl_automaton.accepts(tableau, word), truth, (text, word))
                if written:
                    self.assertEqual(written.accepts(word), truth, (text, word))

    def test_printed_formulas(self):
        for seed in SEEDS:
            formula = ltl.parse(ltl_diff.question(seed, 12)[2])
            self.assertEqual(ltl.parse(show_formula(formula)), formula)
            for smaller in smaller_formulas(formula):
                self.assertEqual(ltl.parse(show_formula(smaller)), smaller)


class Semantics(unittest.TestCase):
    """Small programs whose answers are read off the definitions."""

    def judge(self, text, holding=(), violated=(), **options):
        checker = Checker(parse(text, Options(**options)))
        for formula in holding:
            self.assertTrue(checker.holds(formula), formula)
        for formula in violated:
            self.assertFalse(checker.holds(formula), formula)

    def test_termination_stutters(self):
        self.judge("decl g := 1; void main() begin decl x; A: skip; end",
                   ["A & X (exit(main) & in(main) & !A & !terminated) & X X G (terminated & g & !failed)",
                    "X X G !(in(main) | exit(main) | main.x | \"main.x | !main.x\" | A)", "F terminated"],
                   ["G in(main)", "main.x", "!main.x", "X terminated", "X X X !terminated"])

    def test_failure_stutters(self):
        self.judge("decl g := 0; void main() begin f(); end void f() begin A: assert(g); end",
                   ["X A & X X G (failed & !terminated & !g & !in(f) & !in(main))", "G (F failed & !terminated)"],
                   ["F terminated", "G !failed"])
        self.judge("void main() begin assert(*); end", ["F (failed | terminated)", "G (failed -> G failed)"],
                   ["F failed", "F terminated", "G !failed"])
        self.judge("void main() begin abortif(1); end", ["X G failed"], ["false"])

    def test_blocked_runs_are_none(self):
        self.judge("void main() begin assume(0); end", ["false"])
        self.judge("decl g; void main() begin assume(g); end", ["g", "F terminated"], ["!g"])
        self.judge("decl g; void main() begin g := *; enforce(g); end", ["X g"])
        self.judge("decl g; bool main() begin skip; end", ["false"], fall_off="block")

    def test_steps(self):
        text = "decl g; void main() begin g := 0; goto L; L: f(); if g then elsif !g then M: skip; fi end " \
               "void f() begin return; end"
        self.judge(text, ["X X (L & X (in(f) & exit(f) & enter(f) & X (in(main) & X (in(main) & !\"M\" & "
                          "X (\"M\" & X (exit(main) & X terminated))))))"])
        self.judge("void main() begin decl x := 1; enforce(x); decl y; enforce(y); A: skip; end",
                   ["enter(main) & A & main.x & main.y & X exit(main)"])

    def test_frames(self):
        text = "decl g; void main() begin A: f(0); end void f(g) begin A: skip; f(g); g := 1; end"
        self.judge(text, ["G F f.A", "G F enter(f)", "G !terminated", "X G !f.g", "G !exit(f)", "X G !main.A",
                          "G (in(f) -> !f.g)", "main.A & A"], ["g", "!g", "f.g", "F !in(f) & X F !in(f)"])
        text = "decl g := 1; void main() begin f(0); g := 0; end void f(g) begin A: g := !g; end"
        self.judge(text, ["G (in(f) -> g)", "F (A & g & !f.g & X f.g)", "G (terminated -> !g)"])
        text = "void main() begin while 1 do skip; od end"
        self.judge(text, ["G F enter(main)", "G (enter(main) -> X !enter(main))"], ["G enter(main)"])

    def test_names(self):
        checker = Checker(parse("decl g, L; void main() begin decl x; L: skip; 7: skip; end void f() begin end"))
        for atom in ("L", "x", "x = g", "y", "M", "main.y", "f.x", "f.L", "main.g", "in(h)", "*", "x & y", "h.x", "8", "main.8"):
            with self.subTest(atom):
                self.assertRaises(SourceError, checker.positions.atoms.meaning, atom)
        for atom in ("main.L", "7", "main.7", "main.x", "g", "main.x = L", "!(main.x ^ g)", "in(f)", "enter ( f )"):
            self.assertTrue(checker.positions.atoms.meaning(atom))

    def test_summaries_keep_what_was_passed(self):
        text = "void main() begin while 1 do f(); od end void f() begin h(); end void h() begin A: skip; end"
        self.judge(text, ["G F h.A", "G F exit(h)"], ["F G !h.A", "G F A -> F G in(main)"])


class TwoReadings(unittest.TestCase):
    """The search against brute force on random programs and formulas."""

    def test_random_programs(self):
        self.counts = Counter()
        for seed in SEEDS:
            question, random = Question(seed), Random(seed)
            for text, search in question.asked:
                with self.subTest(seed=seed, formula=text):
                    self.counts["violated"] += search.violated
                    self.compare(question, text, search, random)
        for name, least in (("violated", 0.6), ("exact", 0.9), ("followed", 0.6), ("walks", 6), ("growing", 0.4)):
            self.assertGreater(self.counts[name], least * len(SEEDS), name)

    def compare(self, question, text, search, random):
        self.formula, self.atoms = ltl.parse(text), list(atoms_of(ltl.parse(text)))
        if search.violated:
            self.assertFalse(ltl.holds(self.formula, question.checker.word(search)))
            self.follow(question, search)
        executions = ltl_brute.Executions(question.program, question.formulas.parts, 4, self.init(question))
        try:
            violated = executions.violated(self.formula, self.atoms, 800)
        except ltl_brute.TooMany:
            violated = None
        if violated or not (violated is None or executions.machine.cut):
            self.counts["exact"] += 1
            self.assertEqual(violated, search.violated)
        self.walk(question, search, random)

    @staticmethod
    def init(question):
        return read_init(question.program, question.init)

    def follow(self, question, search):
        """The lasso, its loop twice, is an execution of the machine with whole stacks."""
        positions, (prefix, loop) = question.checker.positions, search.lasso()
        if len(prefix) + 2 * len(loop) > 150:
            return
        kinds = [positions.moves(at)[0] for at, _ in loop]
        higher = kinds.count("call") - kinds.count("leave")
        listed = [(positions.nodes[at], depth) for at, depth in prefix + loop] + [
            (positions.nodes[at], depth + higher) for at, depth in loop]
        executions = ltl_brute.Executions(question.program, question.formulas.parts, 80, self.init(question))
        self.assertTrue(executions.follow(listed, ltl_brute.same_position))
        self.counts["followed"] += 1

    def walk(self, question, search, random):
        """Lassos that random executions run into."""
        executions = ltl_brute.Executions(question.program, question.formulas.parts, 12, self.init(question))
        for _ in range(4):
            run = executions.walk(random, 30)
            lassos = list(executions.lassos(run))
            for i, j in random.sample(lassos, min(4, len(lassos))):
                self.counts["walks"] += 1
                self.counts["growing"] += ltl_brute.height(run[i]) < ltl_brute.height(run[j])
                if executions.violates(run, i, j, self.formula, self.atoms):
                    self.assertTrue(search.violated, (i, j))


class Faulty(Search):
    """Wrong in one of several ways."""

    fault = ""

    def successors(self, head):
        for at, accepting, call in super().successors(head):
            entered, jumped = call and call[1] is None, call and call[1] is not None
            if not (self.fault == "grow" and entered and head[1] != BOTTOM):
                yield at, (accepting or self.fault == "set" and bool(jumped)) and not (
                    self.fault == "lost" and bool(jumped)), call


class Sensitivity(unittest.TestCase):
    """Random questions see a search that is wrong."""

    def test_faults(self):
        seen = Counter()
        for seed in SEEDS:
            question = Question(seed)
            for text, search in question.asked:
                for Faulty.fault in ("", "grow", "lost", "set"):
                    wrong = Faulty(question.checker.positions, Buchi(
                        question.checker.positions, ("not", ltl.parse(text))))
                    seen[Faulty.fault] += wrong.violated != search.violated
        self.assertEqual(seen[""], 0)
        for fault in ("grow", "lost", "set"):
            self.assertGreater(seen[fault], 0, fault)


class Lassos(unittest.TestCase):
    """ltl_lasso.py on lassos of the search, right and spoilt."""

    TEXT = ("decl g := 0; void main() begin while 1 do skip; f(); od end"
            " void f() begin g := !g; if g then f(); fi end")

    def setUp(self):
        self.checker = Checker(parse(self.TEXT))

    def steps(self):
        rows = (("main", "while", 0), ("main", "skip", 0), ("main", "call", 0), ("f", "assign", 0),
                ("f", "if", 1), ("f", "call", 1), ("f", "assign", 1), ("f", "if", 0))
        depth = (0, 0, 0, 1, 1, 1, 2, 2)
        return [{"proc": proc, "line": 1, "kind": kind, "depth": at, "state": {"g": g}}
                for (proc, kind, g), at in zip(rows, depth)]

    def judge(self, steps, start=0, formula="F terminated", **more):
        ltl_lasso.check_lasso(self.checker, formula, {"steps": steps, "loop_start": start, **more})

    def bad(self, message, steps, *rest, **more):
        with self.assertRaisesRegex(Bad, message):
            self.judge(steps, *rest, **more)

    def test_right(self):
        self.judge(self.steps())
        self.judge(self.steps() + self.steps(), 8)
        self.judge(self.steps() + self.steps()[:1], 1)
        self.judge(self.steps(), 0, "F G !g")

    def test_wrong(self):
        self.bad("no execution goes on", self.steps(), 1)
        self.bad("no execution goes on", self.steps()[:-1])
        self.bad("no execution goes on", self.steps(), 8)
        self.bad("goes below", self.steps() + self.steps()[:3], 2 + 2)
        self.bad("do not violate", self.steps(), 0, "G F g")
        self.bad("loop_start", self.steps(), 9)
        for at in range(8):
            other = {"g": 1 - self.steps()[at]["state"]["g"]}
            for change in ({"line": 2}, {"depth": 3}, {"proc": "h"}, {"state": other}):
                steps = self.steps()
                steps[at].update(change)
                with self.assertRaises(Bad):
                    self.judge(steps)
            steps = self.steps()
            steps[at]["state"]["x"] = 0
            self.bad("not in scope", steps)

    def test_growing_stack(self):
        self.checker = Checker(parse("void main() begin f(); end void f() begin skip; f(); skip; end"))
        steps = [{"proc": proc, "line": 1, "kind": kind, "depth": depth}
                 for proc, kind, depth in (("main", "call", 0), ("f", "skip", 1), ("f", "call", 1))]
        self.judge(steps, 1)
        self.judge(steps, 1, growth=1)
        self.bad("no execution goes on", steps, 1, growth=0)
        self.bad("there are steps in the loop", steps, 1, end="terminated")
        self.bad("no execution goes on", steps, 2)
        self.bad("no execution goes on", steps[:2], 1)

    def test_ends(self):
        self.checker = Checker(parse("void main() begin f(); end void f() begin assert(*); end"))
        steps = [{"proc": "main", "line": 1, "kind": "call", "depth": 0},
                 {"proc": "f", "line": 1, "kind": "assert", "depth": 1}]
        self.judge(steps, 2, "G !failed")
        self.judge(steps, 2, "G !terminated", end="terminated", growth=0)
        self.bad("do not violate", steps, 2, "G !terminated", end="failed")
        ends = {word: [{"proc": "f", "line": 1, "kind": word, "depth": 0}] for word in ("terminated", "failed")}
        self.judge(steps + ends["failed"], 2, "G !failed")
        self.bad("do not violate", steps + ends["failed"], 2, "G !terminated")
        self.bad("no loop", steps + ends["failed"], 1, "G !failed")
        popped = [{"proc": proc, "line": 1, "kind": "end", "depth": depth} for proc, depth in (("f", 1), ("main", 0))]
        self.judge(steps + popped, 4, "G !terminated")
        self.bad("no execution goes on", steps + popped[:1], 3, "G !terminated")

    def test_closed(self):
        opened = {"steps": self.steps() + self.steps(), "loop_start": 8}
        row = dict(self.steps()[2], closed=True, inside=5)
        closed = (self.steps()[:2] + [row]) * 2
        longer = closed[:2] + [dict(row, inside=4)] + closed[3:]
        good, wrong = {"length": 16, "hierarchical_length": 6}, {"length": 16, "hierarchical_length": 7}
        ltl_lasso.check_closed({"steps": closed, "loop_start": 3, **good}, opened | good)
        for steps, start, said in ((closed, 2, good), (closed[:-1], 3, good), (closed + [row], 3, good),
                                   (longer, 3, good), (closed, 3, wrong)):
            with self.assertRaises(Bad):
                ltl_lasso.check_closed({"steps": steps, "loop_start": start, **said}, opened | said)

    def test_random(self):
        spoilt = 0
        for seed in SEEDS[::2]:
            question, random = Question(seed), Random(seed)
            for text, search in question.asked:
                trace = ltl_lasso.as_trace(question.checker, search) if search.violated else {"steps": []}
                if not trace["steps"]:
                    continue
                with self.subTest(seed=seed, formula=text):
                    ltl_lasso.check_lasso(question.checker, text, trace)
                    random.choice(trace["steps"])["line"] += 1
                    with self.assertRaises(Bad):
                        ltl_lasso.check_lasso(question.checker, text, trace)
                    spoilt += 1
        self.assertGreater(spoilt, len(SEEDS) // 4)


class Driver(unittest.TestCase):
    """ltl_program_diff.py on a stand-in for bp made from the oracle, whole and with faults."""

    HERE = Path(__file__).resolve().parent

    def drive(self, seeds, bug="", minimize="0"):
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, self.HERE / "ltl_program_diff.py", "--bp", self.HERE / "standin.py",
                       "--seeds", seeds, "--save", folder, "--minimize", minimize]
            return subprocess.run(command, capture_output=True, text=True, check=False,
                                  env={**os.environ, "STANDIN_BUG": bug})

    def test_right(self):
        result = self.drive("1..6")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("6 passed, 0 failed", result.stdout)

    def test_finds_faults(self):
        for bug, seed, message in FAULTS:
            with self.subTest(bug):
                result = self.drive(seed, bug)
                self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
                self.assertIn(message, result.stdout)

    def test_makes_small(self):
        result = self.drive("56", "summary", "5")
        self.assertIn("made small", result.stdout)
        self.assertLess(result.stdout.count("\n"), 25, result.stdout)


# A fault of the stand-in, a seed that shows it, and what the driver then says.
FAULTS = (("finite", "46", "exit status 0, not 1"), ("summary", "56", "exit status 0, not 1"),
          ("failed", "48", "exit status 0, not 1"), ("scope", "2", "exit status 1, not 0"),
          ("loop", "4", "no execution goes on for ever"), ("step", "4", "no execution goes on for ever"),
          ("value", "60", "has the values shown"))

if __name__ == "__main__":
    unittest.main()
