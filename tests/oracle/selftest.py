#!/usr/bin/env python3
"""Tests of the oracle itself: selftest.py [-v] [CLASS[.test]].

ORACLE_CORPUS and ORACLE_PROBES name folders with an INDEX.tsv; without them those tests are skipped.
ORACLE_SEEDS is the number of random programs.
"""

import csv
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from random import Random

import boolprog
import bounded
import brute
import explicit
import generate
import traces
from lexer import SourceError
from show import shape, show

SEEDS = range(int(os.environ.get("ORACLE_SEEDS", "150")))

FIG1 = """decl g;
main()
begin
  decl h;
  h := !g;
  A(g, h);
  skip;
  A(g, h);
  skip;
  if (g) then
    R: skip;
  else
    skip;
  fi
end
A(a1, a2)
begin
  if (a1) then
    A(a2, a1);
    skip;
  else
    g := a2;
  fi
end
"""


def folder(variable):
    """The folder an environment variable names, or the test is skipped."""
    path = Path(os.environ.get(variable, ""))
    if not os.environ.get(variable) or not (path / "INDEX.tsv").exists():
        raise unittest.SkipTest(f"{variable} names no folder with an INDEX.tsv")
    return path


def index(path):
    with open(path, newline="") as file:
        yield from csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)


def check(text, **options):
    return explicit.Checker(boolprog.parse(text, boolprog.Options(**options)))


def verdict(path, target, cap=200_000):
    """reachable, unreachable or reject, as the INDEX files say it."""
    try:
        program = boolprog.parse(path.read_text())
    except SourceError:
        return "reject"
    checker = explicit.Checker(program, cap=cap)
    if target.startswith("label:"):
        found = checker.ask_vertices(explicit.target_vertices(checker.graph, target)).reachable
    else:
        found = any(checker.ask_assert(vertex).reachable
                    for vertex in explicit.assertions(checker.graph))
    return "reachable" if found else "unreachable"


class Known(unittest.TestCase):
    """Programs with answers known from elsewhere."""

    def test_figure_1(self):
        checker = check(FIG1)
        vertices = explicit.target_vertices(checker.graph, "R")
        self.assertEqual(checker.ask_vertices(vertices), explicit.Answer(True, 7, 17))
        self.assertFalse(checker.ask_vertices(vertices, boolprog.parse_expr("!g")).reachable)
        self.assertFalse(explicit.Checker(checker.graph.program, boolprog.parse_expr("g & !g"))
                         .ask_vertices(vertices).reachable)

    def test_probes(self):
        path = folder("ORACLE_PROBES")
        for row in index(path / "INDEX.tsv"):
            with self.subTest(row["file"]):
                self.assertEqual(verdict(path / row["file"], row["target"]), row["expected"])

    def test_probes_satabs_precedence(self):
        path = folder("ORACLE_PROBES")
        for row in index(path / "INDEX.tsv"):
            if row["expected"] != "reject" and row["satabs_table"] != "=":
                with self.subTest(row["file"]):
                    checker = check((path / row["file"]).read_text(), precedence="satabs")
                    found = any(checker.ask_assert(vertex).reachable
                                for vertex in explicit.assertions(checker.graph))
                    self.assertEqual(found, row["satabs_table"] == "reachable")

    def test_corpus(self):
        path = folder("ORACLE_CORPUS")
        for row in index(path / "INDEX.tsv"):
            if row["kind"] == "sequential" and row["computed"] in ("reachable", "unreachable"):
                with self.subTest(row["file"]):
                    try:
                        found = verdict(path / row["file"], row["target"], 100_000)
                    except explicit.TooBig:
                        continue
                    self.assertEqual(found, row["computed"])

    def test_corpus_refused(self):
        path = folder("ORACLE_CORPUS")
        for row in index(path / "INDEX.tsv"):
            with self.subTest(row["file"]):
                text = (path / row["file"]).read_text()
                if row["expected"] == "reject" or row["file"].startswith("foreign/"):
                    self.assertRaises(SourceError, boolprog.parse, text)
                elif row["kind"] == "concurrent" and "main" in text:
                    try:
                        self.assertTrue(boolprog.parse(text).concurrent)
                    except SourceError as error:
                        self.assertIn("no procedure 'main'", str(error))


class Lengths(unittest.TestCase):
    """Counting rules of cli.md on small programs."""

    def lengths(self, text, target="R", **options):
        checker = check(text, **options)
        answer = checker.ask_vertices(explicit.target_vertices(checker.graph, target))
        return answer.hierarchical, answer.expanded

    def test_conditions_count_each_time(self):
        text = "void main() begin decl a; a := 0; while !a do a := 1; od R: end"
        self.assertEqual(self.lengths(text), (5, 5))

    def test_elsif_and_silent_statements(self):
        text = ("void main() begin decl a := 0; enforce !a; if a then elsif !a then decl b;"
                " R: skip; fi end")
        self.assertEqual(self.lengths(text), (3, 3))

    def test_fall_off_is_silent_and_return_counts(self):
        text = "void main() begin {0}(); R: skip; end void f() begin end void g() begin return; end"
        self.assertEqual(self.lengths(text.replace("{0}", "f")), (2, 2))
        self.assertEqual(self.lengths(text.replace("{0}", "g")), (2, 3))

    def test_labelled_declaration_is_a_skip(self):
        text = "void main() begin R: decl x; L: enforce x; M: skip; end"
        self.assertEqual([self.lengths(text, label) for label in "RLM"], [(1, 1), (2, 2), (3, 3)])

    def test_entered_call(self):
        self.assertEqual(self.lengths("void main() begin f(); end void f() begin R: end"), (2, 2))

    def test_the_two_minima_differ(self):
        text = ("void main() begin goto A, B; A: f(); R: skip; B: skip; skip; goto R; end"
                " void f() begin skip; skip; skip; end")
        self.assertEqual(self.lengths(text), (3, 5))
        text = text.replace("skip; skip; skip; end", "skip; skip; skip; skip; end")
        self.assertEqual(self.lengths(text), (3, 5))

    def test_fall_off_block(self):
        text = "void main() begin decl a; a := f(); R: skip; end bool f() begin return; end"
        self.assertEqual(self.lengths(text), (2, 3))
        self.assertEqual(self.lengths(text, fall_off="block"), (None, None))

    def test_repeated_label(self):
        text = "void main() begin goto R; skip; R: goto M; R: skip; M: assume 0; end"
        self.assertEqual(self.lengths(text), (2, 2))


class TwoReadings(unittest.TestCase):
    """The checker against the bounded machine on random programs."""

    def test_random_programs(self):
        decided = 0
        for seed in SEEDS:
            with self.subTest(seed=seed):
                decided += self.compare(seed)
        self.assertGreater(decided, len(SEEDS) // 4)

    def compare(self, seed):
        random = Random(seed)
        options = boolprog.Options(dead=random.choice(("havoc", "ignore")),
                                   fall_off=random.choice(("any", "block")))
        program = boolprog.parse(generate.generate(seed, generate.Size(bits=5)), options)
        checker = explicit.Checker(program)
        machine = bounded.Machine(program, 4)
        found = bounded.explore(machine)
        if found is None:
            return False
        mine = {(vertex.stmt, vertex.line, fails): answer
                for vertex in explicit.all_vertices(checker.graph) if vertex.counted
                for fails, answer in ((False, checker.ask_vertices([vertex])),
                                      (True, checker.ask_assert(vertex))) if answer.reachable}
        theirs = self.minima(machine, *found)
        for place, lengths in theirs.items():
            self.assertIn(place, mine)
            self.assertLessEqual(mine[place].hierarchical, lengths[0])
            self.assertLessEqual(mine[place].expanded, lengths[1])
            if not machine.cut:
                self.assertEqual((mine[place].hierarchical, mine[place].expanded), lengths)
        if not machine.cut:
            self.assertEqual(set(mine), set(theirs))
        return not machine.cut

    @staticmethod
    def minima(machine, expanded, hierarchical):
        result = {}
        for state in expanded:
            at = machine.at(state)
            lengths = hierarchical[state] + 1, expanded[state] + 1
            for fails in (False, True) if machine.fails(state) else (False,):
                if at.counted:
                    old = result.get((at.stmt, at.line, fails), lengths)
                    result[at.stmt, at.line, fails] = tuple(map(min, old, lengths))
        return result


class Printing(unittest.TestCase):
    """The printer keeps the tree, whatever the spelling; generation is a function of the seed."""

    def test_round_trip(self):
        for seed in SEEDS:
            program = boolprog.parse(generate.generate(seed))
            for random in (None, Random(seed)):
                self.assertEqual(shape(boolprog.parse(show(program, random))), shape(program))

    def test_deterministic(self):
        self.assertEqual(generate.generate(7), generate.generate(7))


class RightAndWrongTraces(unittest.TestCase):
    """traces.py on the trace of Fig. 1, right and spoilt in every way."""

    def setUp(self):
        self.checker = check(FIG1)

    def steps(self):
        """g is 1 at the start; A(1, 0) calls A(0, 1), which leaves g = 1, twice."""
        return [self.step("assign", 5, g=1), self.step("call", 6, 5, g=1, h=0),
                self.step("skip", 7, h=0, g=1), self.step("call", 8, 5, g=1, h=0),
                self.step("skip", 9, g=1, h=0), self.step("if", 10, g=1, h=0),
                self.step("skip", 11, g=1, h=0)]

    @staticmethod
    def opened(outer):
        """The steps inside A(g, h) of the call at a line, in frames of depth 1 and 2."""
        rows = ((1, "if", 18, dict(g=1, a1=1, a2=0)), (1, "call", 19, dict(g=1, a1=1, a2=0)),
                (2, "if", 18, dict(g=1, a1=0, a2=1)), (2, "assign", 22, dict(g=1, a1=0, a2=1)),
                (1, "skip", 20, dict(g=1, a1=1, a2=0)))
        call = dict(outer)
        del call["closed"], call["inside"]
        return [call] + [{"proc": "A", "line": line, "depth": depth, "kind": kind, "state": state}
                         for depth, kind, line, state in rows]

    @staticmethod
    def step(kind, line, inside=None, **state):
        result = {"proc": "main", "line": line, "depth": 0, "kind": kind, "state": state}
        if inside is not None:
            result.update(closed=True, inside=inside)
        return result

    def judge(self, steps, length=17, hierarchical=7, **how):
        vertices = explicit.target_vertices(self.checker.graph, "R")
        trace = {"length": length, "hierarchical_length": hierarchical, "steps": steps}
        traces.check_trace(self.checker, trace, lambda vertex, _: vertex in vertices,
                           self.checker.ask_vertices(vertices), **how)

    def bad(self, message, steps, **how):
        with self.assertRaisesRegex(traces.Bad, message):
            self.judge(steps, **how)

    def expanded(self):
        steps = self.steps()
        return steps[:1] + self.opened(steps[1]) + steps[2:3] + self.opened(steps[3]) + steps[4:]

    def test_right(self):
        self.judge(self.steps())
        self.judge(self.steps(), shortest=True)
        self.judge(self.expanded(), expand=None)
        self.judge(self.expanded(), expand=None, shortest=True)

    def test_one_level(self):
        steps = [step for step in self.expanded() if step["depth"] < 2]
        for step in steps:
            if step["proc"] == "A" and step["kind"] == "call":
                step.update(closed=True, inside=2)
        self.judge(steps, expand=1)
        self.bad("not opened", steps, expand=2)
        self.bad("not opened", steps, expand=None)

    def test_wrong_lengths(self):
        self.bad("^length 16", self.steps(), length=16)
        self.bad("^hierarchical_length 8", self.steps(), hierarchical=8)
        steps = self.steps()
        steps[1]["inside"] = 4
        self.bad("fewer statements than any run", steps, length=16)

    def test_wrong_steps(self):
        self.bad("no execution", [step for step in self.steps()[:-1]] + [self.step("skip", 13)])
        steps = self.steps()
        steps[2], steps[4] = steps[4], steps[2]
        self.bad("no execution", steps)
        steps = self.steps()
        steps[0]["kind"] = "skip"
        self.bad("no execution", steps)
        self.bad("steps listed", self.steps()[1:])
        steps = self.steps()
        steps[3]["depth"] = 1
        self.bad("depth", steps)

    def test_wrong_states(self):
        for at in range(7):
            for change in ({"g": 0}, {"h": 1}, {"x": 0}):
                steps = self.steps()
                steps[at]["state"].update(change)
                self.bad(f"^step {at} .*state", steps)
            steps = self.steps()
            del steps[at]["state"]["g"]
            self.bad(f"^step {at} .*state", steps)

    def test_not_opened(self):
        self.bad("not opened", self.steps(), expand=None)
        self.bad("not opened", self.steps(), expand=1)
        self.bad("opened too far", self.expanded())


class RandomTraces(unittest.TestCase):
    """traces.py against brute force, on real executions and on spoilt ones."""

    def test_random_runs(self):
        checked = impossible = 0
        for seed in SEEDS:
            random = Random(seed)
            program = boolprog.parse(generate.generate(seed, generate.Size(bits=4)))
            checker = explicit.Checker(program)
            machine = bounded.Machine(program, 6)
            for _ in range(4):
                run = brute.random_run(machine, random, random.randint(1, 25))
                if not run:
                    continue
                steps = brute.list_steps(machine, run, random, random.choice((0, 0.5, 1)))
                for spoil in (False, True):
                    if spoil:
                        self.spoil(steps, random)
                    with self.subTest(seed=seed, steps=steps):
                        possible = self.compare(checker, machine, steps)
                        checked += possible is not None
                        impossible += possible is False
        self.assertGreater(checked, 4 * len(SEEDS))
        self.assertGreater(impossible, len(SEEDS))

    @staticmethod
    def spoil(steps, random):
        at = random.randrange(len(steps))
        if random.random() < 0.3 and len(steps) > 1:
            del steps[at]
        elif random.random() < 0.5:
            steps[at] = dict(steps[random.randrange(len(steps))], depth=steps[at]["depth"])
        else:
            steps[at] = dict(steps[at], line=steps[at]["line"] + 1)

    def compare(self, checker, machine, steps):
        """Is the trace possible, both agreeing; None if brute force gave up."""
        if steps[-1].get("closed"):
            with self.assertRaises(traces.Bad):
                traces.frames([traces.Step.read(step) for step in steps])
            return None
        try:
            items = traces.frames([traces.Step.read(step) for step in steps])
        except traces.Bad:
            items = None
        try:
            follower = brute.Follower(machine, steps, lambda state: True)
        except brute.TooMany:
            return None
        if items is None:
            self.assertFalse(follower.layers[0])
        if items is None or machine.cut:
            return None
        replay = traces.Replay(checker, items, lambda *_: True)
        self.assertEqual(replay.possible, bool(follower.layers[0]))
        if replay.possible:
            for at in range(len(steps)):
                self.assertEqual(replay.state(at), follower.state(at), at)
        return replay.possible


class Drivers(unittest.TestCase):
    """diff.py and corpus.py on a stand-in for bp made from the oracle, whole and with faults."""

    HERE = Path(__file__).resolve().parent

    def drive(self, script, *arguments, bug=""):
        command = [sys.executable, self.HERE / script, "--bp", self.HERE / "standin.py", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False,
                              env={**os.environ, "STANDIN_BUG": bug})

    def diff(self, bug):
        with tempfile.TemporaryDirectory() as folder:
            return self.drive("diff.py", "--seeds", "3", "--engine-switches", "none",
                              "--save", folder, "--minimize", "0", bug=bug)

    def test_diff(self):
        result = self.diff("")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("1 passed, 0 failed", result.stdout)

    def test_diff_finds_faults(self):
        for bug, message in (("verdict", "unreachable, not reachable"), ("state", "state"),
                             ("length", "the steps amount to"), ("step", "trace"),
                             ("fmt", "fmt")):
            with self.subTest(bug):
                result = self.diff(bug)
                self.assertEqual(result.returncode, 1)
                self.assertIn(message, result.stdout)

    CORPUS = (("safe.bp", "assert", "unreachable", "void main() begin assert(1); end\n"),
              ("label.bp", "label:R", "reachable", "void main() begin R: skip; end\n"),
              ("bad.bp", "parse", "reject", "void main() begin x := 1; end\n"))

    def test_corpus(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(Path(folder) / "INDEX.tsv", "w") as table:
                table.write("file\ttarget\texpected\n")
                for name, target, expected, text in self.CORPUS:
                    table.write(f"{name}\t{target}\t{expected}\n")
                    (Path(folder) / name).write_text(text)
            result = self.drive("corpus.py", "--corpus", folder)
            self.assertEqual(result.stdout, "5 passed, 0 failed\n")
            self.assertEqual(result.returncode, 0)
            (Path(folder) / "bad.bp").write_text(self.CORPUS[0][3])
            (Path(folder) / "safe.bp").write_text(self.CORPUS[0][3].replace("1", "0"))
            result = self.drive("corpus.py", "--corpus", folder, bug="fmt")
            self.assertIn("2 passed, 3 failed", result.stdout)
            self.assertEqual(result.returncode, 1)

    def test_corpus_absent(self):
        self.assertEqual(self.drive("corpus.py", "--corpus", "/nonexistent").returncode, 77)


if __name__ == "__main__":
    unittest.main()
