#!/usr/bin/env python3
"""Compares `bp ltl` on random Remopla programs with an explicit search.

remopla_ltl_diff.py --bp PATH --seeds A..B [--jobs N] [--switches all|random|none] [--save DIR]

Every seed gives a program and formulas about it; in half of them --overflow=error. Verdicts must be those of the
search in ltl_program.py on the positions of the program, which come from remopla_check.py; a counterexample begins
where the entry does. Disagreements are printed with the seed, made small, and saved. Exit status 1 if there are any.
"""

import os
import re
import sys
import time
from collections import Counter, namedtuple
from random import Random

import ltl
import ltl_generate
from explicit import TooBig
from judge import Mismatch
from ltl_program import BOTTOM, FAILED, TERMINATED, Buchi, Search, atoms_of
from ltl_program_diff import Judge, lasso_of, make_ways, shrink_formula
from remopla import Module, Parser, Stmt, Undefined
from remopla_check import Checker, all_values
from remopla_check import TooBig as TooManyStates
from remopla_generate import Generator, generate
from seeds import read_arguments, try_all

FRAME = re.compile(r"(in|enter|exit)\((\w+)\)")
PLAIN = re.compile(r"(?:(\w+)\.)?([A-Za-z_]\w*)")
NOBODY, END, GUARD = Module("", None, [], [], []), Stmt("return", ()), Stmt("guard", ())
MOST_POSITIONS, MOST_HEADS = 20_000, 40_000

# What is asked about a step that fails: the last position, the one before.
FAILURES = ("G !({a} && X failed)", "G !({e} && X failed)", "F ({e} && X failed)", "F failed -> F ({a} && X failed)",
            "G !({a} && X ({b} && X failed))", "G ({e} -> X !failed)", "G (({a} && X failed) -> {e})",
            "G (X failed && !failed -> {e})", "F (!failed && X failed && {a}) || G {b}", "G !({a} && X X failed)")

# Control at a place of a module, the clause chosen whose step is next; place None: the end. Or at the storing of a
# result that does not fit, or behind the end. `state` is (globals, frame), there (globals,).
Node = namedtuple("Node", "kind module place clause state")


class Positions:
    """The positions of a program as numbers, with the methods that Search asks for."""

    def __init__(self, program, zero, overflow):
        self.program = program
        self.checker = Checker(program, zero, overflow, MOST_POSITIONS)
        self.stmts = {id(None): None}
        self.nodes, self.numbers, self.ahead, self.known = [], {}, [], {}
        self.atoms = self
        entry = program.modules[program.entry]
        starts = [(tuple(g), tuple(a)) for g in all_values(program.globals) for a in all_values(entry.formals)]
        self.starts = [p for g, a in starts for p in self.enter((entry.name, g, a))]

    def number(self, node, ahead):
        if node not in self.numbers:
            if len(self.nodes) >= MOST_POSITIONS:
                raise TooBig
            self.numbers[node] = len(self.nodes)
            self.nodes.append(node)
            self.ahead.append(ahead)
        return self.numbers[node]

    def settle(self, module, place, state):
        """The positions of control at a place: one for each step that there is."""
        self.stmts[id(place)] = place
        checker, own = self.checker, self.program.modules[module]
        if place is None:
            steps = {None: [("return", None, state)]}
        elif place.kind in ("if", "do"):
            steps = {at: list(checker.clause(own, place, at, state)) for at in range(len(place.clauses))}
        else:
            steps = {None: list(checker.attempt(own, place, state))}
        return [self.number(Node("at", module, id(place), clause, state), ahead)
                for clause, ahead in steps.items() if ahead]

    def moves(self, position):
        if position not in self.known:
            self.known[position] = self.find_moves(self.nodes[position], self.ahead[position])
        return self.known[position]

    def find_moves(self, node, ahead):
        if not ahead:
            return "step", [self.numbers[node]]
        if ahead[0][0] == "call":
            return "call", [(name, globals_, args) for _, name, globals_, args, _, _ in ahead]
        if ahead[0][0] == "return":
            results = self.checker.results(self.program.modules[node.module], ahead[0][1])
            return "leave", [(node.state[0], value) for value in results]
        if ahead[0][0] == "fail":
            return "step", [self.number(Node(FAILED, None, None, None, node.state[:1]), None)]
        return "step", [to for _, place, state in ahead for to in self.settle(node.module, place, state)]

    def enter(self, frame):
        """The first positions of a module."""
        place = (self.program.modules[frame[0]].body or [None])[0]
        return [p for state in self.checker.entries(*frame) for p in self.settle(frame[0], place, state)]

    def after(self, position, leaving):
        """The positions behind a call; below the entry there is nothing but termination."""
        if position == BOTTOM:
            return [self.number(Node(TERMINATED, None, None, None, leaving[:1]), None)]
        node, (_, _, _, _, target, place) = self.nodes[position], self.ahead[position][0]
        module = self.program.modules[node.module]
        backs = self.checker.after_call(module, node.state, target, place, *leaving)
        if backs == [("fail",)]:
            return [self.number(Node("store", module.name, None, None, (leaving[0], node.state[1])), backs)]
        return [p for _, where, state in backs for p in self.settle(module.name, where, state)]

    # Atoms

    def step(self, node):
        """The statement that a step is, also with a guard; None for a guard alone."""
        stmt = self.stmts[node.place] or END
        return stmt if node.clause is None else self.checker.fused(stmt, node.clause)

    def meaning(self, atom):
        """A function of a position."""
        frame, plain = FRAME.fullmatch(atom), PLAIN.fullmatch(atom)
        if atom in (TERMINATED, FAILED):
            return lambda node: node.kind == atom
        if frame:
            word, name = frame.groups()
            first = id((self.program.modules[name].body or [None])[0])
            test = {"in": lambda _: True, "enter": lambda node: node.place == first,
                    "exit": lambda node: (self.step(node) or GUARD).kind == "return"}[word]
            return lambda node: node.module == name and (word == "in" or node.kind == "at") and test(node)
        if plain and any(plain[2] in m.labels for m in self.program.modules.values()):
            return lambda node: node.kind == "at" and node.place != id(None) and \
                plain[1] in (None, node.module) and plain[2] in self.stmts[node.place].labels
        return self.of_expression(atom)

    def of_expression(self, text):
        names = {name for name, _ in re.findall(r"(\w+)\.(\w+)", text)}
        expr = Parser(re.sub(r"\w+\.(\w+)", r"\1", text)).expr()
        module = self.program.modules[names.pop()] if names else None

        def holds(node):
            if module and node.module != module.name:
                return False
            scope = self.checker.scope(module or NOBODY, node.state if module else (node.state[0], ()))
            try:
                return bool(scope.value(expr))
            except Undefined:
                return False
        return holds


class Formulas(ltl_generate.Formulas):
    """Formulas about one program; their expressions are those of its generator."""

    def __init__(self, random, program, seed, failing):
        self.random, self.program, self.failing = random, program, failing
        self.labels = [(m.name, label) for m in program.modules.values() for label in m.labels]
        self.maker = Generator(f"atoms {seed}")
        self.maker.constants = list(program.defines)

    dead_end = silent_entry = lambda self: None
    deep = lambda self: self.atom_place()

    def formula(self):
        if not self.chance(self.failing):
            return super().formula()
        place = self.random.choice((f"exit({self.module()})", f"enter({self.module()})", self.atom_label()))
        return self.random.choice(FAILURES).format(a=self.condition(), b=self.condition(), e=place)

    def atom(self):
        kinds = {"place": 6, "label": 4, "end": 2, "plain": 2, "expression": 5}
        return getattr(self, "atom_" + self.random.choices(*zip(*kinds.items()))[0])()

    def module(self):
        return self.random.choice(list(self.program.modules))

    def atom_place(self):
        return f"{self.random.choice(('in', 'enter', 'exit', 'exit'))}({self.module()})"

    def atom_label(self):
        known = self.labels or [("", TERMINATED)]
        return self.random.choice(("{1}", "{0}.{1}") if self.labels else ("{1}",)).format(*self.random.choice(known))

    def atom_plain(self):
        """A bool of the globals or of a module."""
        found = [v.name for v in self.program.globals if not v.number and not v.length]
        found += [f"{m.name}.{v.name}" for m in self.program.modules.values() for v in m.formals + m.locals
                  if not v.number and not v.length]
        return self.random.choice(found) if found else self.atom_end()

    def atom_expression(self):
        """About globals, or about what is seen in one module; there names may have the module in front."""
        module = self.random.choice([None, *self.program.modules.values()])
        own = module.formals + module.locals if module else []
        hidden = {v.name for v in own}
        scope = [(v.name, int(v.number), v.length) for v in self.program.globals if v.name not in hidden]
        plain = self.chance(0.2)
        scope += [(v.name if plain else f"{module.name}.{v.name}", int(v.number), v.length) for v in own]
        text = self.maker.condition(scope, self.random.choice((1, 1, 2)))
        if plain and own:
            name = f"{module.name}.{own[0].name}" + ("[0]" if own[0].length else "")
            text = f"{name} == {name} && ({text})"
        return text if PLAIN.fullmatch(text) else f'"{text}"'


class Plan:
    """The options of a seed, for the explicit search and for bp."""

    def __init__(self, random):
        self.zero, self.overflow = random.random() < 0.5, random.random() < 0.5

    def switches(self):
        return ["--quiet", "--language=remopla"] + ["--overflow=error"] * self.overflow + ["--locals=zero"] * self.zero

    def positions(self, text):
        return Positions(Parser(text).program(), self.zero, self.overflow)


class RemoplaJudge(Judge):
    """One program and formula, asked in ways; made with positions, or with those of the text."""

    def __init__(self, bp, plan, text, formula, positions=None):
        positions = positions or plan.positions(text)
        search = Search(positions, Buchi(positions, ("not", ltl.parse(formula))), MOST_HEADS)
        super().__init__(bp, plan, text, formula, search.violated, positions)

    def ask(self, way):
        steps = lasso_of(self.document(way, "--json", "--expand"))["steps"]
        if not self.violated:
            return
        self.lassos.add(str(steps))
        first = {(self.checker.step(self.checker.nodes[p]) or GUARD).line for p in self.checker.starts}
        if 0 not in first and steps and steps[0]["line"] not in first:
            raise Mismatch("begin", f"first line {steps[0]['line']} ({self.formula} {way})")


def try_seed(task):
    """(counts, None or the report of a disagreement) of a seed."""
    seed, arguments = task
    random, counts = Random(f"remopla ltl {seed}"), Counter()
    text, plan = generate(seed, True), Plan(random)
    try:
        positions = plan.positions(text)
    except (TooBig, TooManyStates):
        return Counter({"too big": 1}), None
    formulas = Formulas(random, positions.program, seed, 0.7 if plan.overflow else 0.1)
    for _ in range(3):
        formula = formulas.formula()
        ways = make_ways(random, atoms_of(ltl.parse(formula)), arguments.switches)
        try:
            judge = RemoplaJudge(arguments.bp, plan, text, formula, positions)
            judge.all(ways)
        except (TooBig, TooManyStates):
            counts["too big"] += 1
            continue
        except Mismatch as mismatch:
            return counts, report(seed, judge, ways, mismatch, arguments)
        counts.update({"formulas": 1, "violated": judge.violated, "questions": len(ways),
                       "with failures": any(node.kind == FAILED for node in positions.nodes)})
    return counts, None


def report(seed, judge, ways, mismatch, arguments):
    """Save the program of a disagreement, whole or made small; say what is wrong."""
    message = f"seed {seed}: {mismatch}\n  switches: {' '.join(judge.plan.switches())}"
    deadline = time.monotonic() + arguments.minimize

    def still_bad(text, formula):
        try:
            RemoplaJudge(judge.bp, judge.plan, text, formula).all(ways)
        except Exception as left:  # others than a mismatch: no program any more, or too large
            return getattr(left, "category", None) == mismatch.category
        return False

    formula, text = judge.formula, judge.text
    if arguments.minimize:
        formula = shrink_formula(formula, lambda each: still_bad(text, each))
        text = shrink(text, lambda each: time.monotonic() < deadline and still_bad(each, formula))
    os.makedirs(arguments.save, exist_ok=True)
    with open(os.path.join(arguments.save, f"ltl{seed}.rem"), "w") as file:
        file.write(f"// {formula}\n// {' '.join(judge.plan.switches())}\n{text}")
    return f"{message}\n// {formula}\n{text}" if arguments.minimize else message


def shrink(text, still_bad):
    """The lines of a program without those that can go, several at a time first."""
    lines = text.splitlines(True)
    for size in (16, 8, 5, 4, 3, 2, 1, 3, 2, 1):
        for at in reversed(range(len(lines))):
            less = lines[:at] + lines[at + size:]
            lines = less if still_bad("".join(less)) else lines
    return "".join(lines)


def main():
    return try_all(try_seed, read_arguments("Compare bp ltl with the oracle on Remopla programs.", "--switches", 30))


if __name__ == "__main__":
    sys.exit(main())
