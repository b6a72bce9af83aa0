#!/usr/bin/env python3
"""Random small but nasty boolean programs, the same ones for the same seed.

As a script it prints the program of a seed.
"""

import argparse
import sys
from copy import deepcopy
from dataclasses import dataclass, field, replace
from random import Random

from boolprog import Arm, Options, Proc, Program, Stmt, parse, statements
from explicit import Checker, TooBig
from lexer import SourceError
from show import show


@dataclass
class Size:
    """Upper limits of what is generated; bits is globals and frame of a procedure together."""

    globals: int = 4
    procs: int = 4
    formals: int = 3
    locals: int = 3
    bits: int = 7
    statements: int = 9
    nesting: int = 3
    path_edges: int = 20_000
    recursion: bool = True
    weights: dict = field(default_factory=lambda: WEIGHTS)


GLOBAL_NAMES = ("g", "h", "{a == b}", "k$x")
LOCAL_NAMES = ("x", "y", "{*p > 0}", "z#1", "end1", "g", "h")
LABELS = ("L", "M", "R", "E1", "7")
OPERATORS = ("and", "and", "or", "or", "xor", "eq", "ne", "imp")


class Generator:
    """Builds one syntax tree; every choice comes from one random source."""

    def __init__(self, seed, size):
        self.random = Random(seed)
        self.size = size
        self.procs = []
        self.globals = {}
        self.proc = None
        self.scope = []
        self.pending = []
        self.stars = True

    def chance(self, probability):
        return self.random.random() < probability

    def up_to(self, limit):
        return self.random.randint(0, limit)

    # Programs

    def program(self):
        for name in GLOBAL_NAMES[:self.up_to(self.size.globals)]:
            self.globals[name] = self.random.choice(
                (None, None, None, ("const", 0), ("const", 1), ("star",)))
        for index in range(self.random.randint(1, self.size.procs)):
            self.procs.append(self.heading("main" if index == 0 else f"p{index}"))
        for proc in self.procs:
            self.fill(proc)
        order = self.procs[:]
        self.random.shuffle(order)
        return Program(self.globals, {proc.name: proc for proc in order})

    def special(self):
        return self.random.choice((self.levels, self.family, self.keepers))()

    def keepers(self):
        """A program whose procedures keep locals across calls, and ask for several of them and of globals afterwards.
        Once the first values are chosen there is little choice, so that much cannot be."""
        for name in GLOBAL_NAMES[:2]:
            self.globals[name] = ("const", self.up_to(1)) if self.chance(0.5) else None
        self.stars = False
        self.size = replace(self.size, recursion=False, weights={"assign": 20, "call": 3, "if": 6})
        for index in range(self.random.randint(2, 3)):
            proc = self.heading(f"p{index}" if index else "main")
            names = self.random.sample(LOCAL_NAMES[:5], 3)
            formals = self.up_to(1) if index else 0
            proc.formals, proc.locals = names[:formals], names[formals:]
            self.procs.append(proc)
        for proc in self.procs:
            self.proc, self.scope = proc, sorted(set(proc.frame()) | set(self.globals))
            proc.body = [self.decl(name) for name in proc.locals]
            for name in proc.locals:
                proc.body.append(Stmt("assign", 0, names=(name,), exprs=(self.expr(1),)))
            for _ in range(self.random.randint(1, 2)):
                proc.body += [self.make_call(1)] if proc is not self.procs[-1] else self.block(2, 1)
                asked = Stmt("skip", 0, labels=("L",))
                proc.body.append(Stmt("if", 0, arms=[Arm(0, self.expr(3), [asked])]))
            proc.body.append(Stmt("assert", 0, exprs=(("or", self.expr(2), self.expr(2)),)))
            if proc.results:
                proc.body.append(self.return_values())
        return Program(self.globals, {proc.name: proc for proc in self.procs})

    def family(self):
        """A program whose procedures are copies of one, each with calls of its own and perhaps a difference. All
        code in them can run and all variables matter."""
        for name in GLOBAL_NAMES[:2]:
            self.globals[name] = None
        main, first = Proc("main", 0, 0, [], []), self.heading("p1")
        first.formals, first.locals = first.formals[:2], first.locals[:1]
        self.procs = [first]
        self.size = replace(self.size, statements=4, nesting=2,
                            weights={"assign": 20, "call": 10, "if": 10, "while": 3})
        self.fill_plainly(first)
        self.procs = [main, first]
        for index in range(2, 3 + self.up_to(2)):
            copy = deepcopy(first)
            copy.name = f"p{index}"
            if self.chance(0.4):
                places = [s for s in statements(copy.body) if s.exprs or s.arms]
                change_something(self.random, places, sorted(self.globals))
            self.procs.append(copy)
        for proc in self.procs[1:]:
            for stmt in statements(proc.body):
                if stmt.kind == "call":
                    stmt.callee = self.random.choice(self.callees_of(proc)).name
        self.proc, self.scope = main, sorted(self.globals)
        if self.chance(0.4):
            # Less is asked of the first one than of those that it calls.
            arguments = self.exprs(len(first.formals), 1)
            main.body = self.statement(1) + [Stmt("call", 0, names=None, callee="p1", exprs=arguments)]
            main.body.append(Stmt("assert", 0, exprs=(self.leaf(False),)))
        for _ in range(0 if main.body else 3 + self.up_to(2)):
            main.body += [self.make_call(0)] + self.statement(1) + [self.make_assert(0)] * self.chance(0.3)
        self.label(main)
        main.body.append(Stmt("skip", 0, labels=("R",)))
        return Program(self.globals, {proc.name: proc for proc in self.procs})

    def levels(self):
        """A program of twins: equal procedures that call, without recursion, others of these or leaves, which differ.
        So they are in the same situations, or in almost the same."""
        for name in GLOBAL_NAMES[:self.random.randint(1, 2)]:
            self.globals[name] = None
        main, leaf = Proc("main", 0, 0, [], []), self.heading("leaf1")
        leaf.formals, leaf.locals = leaf.formals[:2], leaf.locals[:1]
        twin = deepcopy(leaf)
        twin.name = "twin1"
        self.procs = [twin, leaf]
        self.size = replace(self.size, recursion=False, statements=3, nesting=1,
                            weights={"assign": 20, "if": 10, "while": 3})
        self.fill_plainly(leaf)
        self.size = replace(self.size, weights={"assign": 10, "call": 10, "if": 10})
        self.fill_plainly(twin)
        twin.body.insert(len(twin.body) - bool(twin.results), self.make_call(0))
        leaves = [leaf] + [deepcopy(leaf) for _ in range(self.random.randint(1, 2))]
        for index, copy in enumerate(leaves):
            copy.name = f"leaf{index + 1}"
            if index and self.chance(0.8):
                places = [s for s in statements(copy.body) if s.exprs or s.arms]
                change_something(self.random, places, sorted(self.globals))
        twins = [deepcopy(twin) for _ in range(self.random.randint(2, 5))]
        for index, copy in enumerate(twins):
            copy.name = f"twin{index + 1}"
        for index, copy in enumerate(twins):
            below = leaves + twins[index + 1:]
            for stmt in statements(copy.body):
                if stmt.kind == "call":
                    stmt.callee = self.random.choice(below).name
        self.procs = [main] + twins + leaves
        self.proc, self.scope = main, sorted(self.globals)
        anything = Stmt("assign", 0, names=tuple(self.scope), exprs=(("star",),) * len(self.scope))
        usual = self.make_call(0)
        for callee in self.random.choices(twins, k=2) + twins:
            call = deepcopy(usual) if self.chance(0.8) else self.make_call(0)
            call.callee = callee.name
            main.body += [deepcopy(anything) if self.chance(0.8) else self.make_assign(0), call]
            main.body += [self.make_assert(0)] * self.chance(0.5)
        main.body.append(Stmt("if", 0, arms=[Arm(0, self.expr(2), [Stmt("skip", 0, labels=("L",))])]))
        main.body.append(Stmt("skip", 0, labels=("R",)))
        return Program(self.globals, {proc.name: proc for proc in self.procs})

    def callees_of(self, proc):
        """In a family, mostly the ones behind it."""
        behind = self.procs[self.procs.index(proc) + 1:]
        return behind if behind and self.chance(0.9) else self.procs[1:]

    def fill_plainly(self, proc):
        """A body that runs through to its end, and in which all that there is takes part."""
        self.proc = proc
        self.scope = sorted(set(proc.frame()) | set(self.globals))
        proc.body = [self.decl(name) for name in proc.locals]
        proc.body += self.block(self.random.randint(1, self.size.statements), 0)
        test = ("var", self.scope[0])
        for name in self.scope[1:]:
            test = ("xor", test, ("var", name))
        if self.chance(0.8):
            proc.body.append(Stmt("if", 0, arms=[Arm(0, test, [self.make_assign(0)])]))
        if proc.results:
            proc.body.append(self.return_values())

    def heading(self, name):
        room = max(0, self.size.bits - len(self.globals))
        names = self.random.sample(LOCAL_NAMES, len(LOCAL_NAMES))
        formals = names[:min(room, self.up_to(self.size.formals))]
        extra = min(room - len(formals), self.up_to(self.size.locals))
        results = self.random.choice((0, 0, 0, 1, 1, 2))
        proc = Proc(name, 0, results, formals, [])
        proc.locals = names[len(formals):len(formals) + extra]
        return proc

    def fill(self, proc):
        self.proc = proc
        self.scope = sorted(set(proc.frame()) | set(self.globals))
        self.pending = []
        undeclared = proc.locals[:]
        body = []
        while undeclared and self.chance(0.7):
            body.append(self.decl(undeclared.pop()))
        if self.scope and self.chance(0.15):
            body.append(Stmt("enforce", 0, exprs=(self.likely(),)))
        head = len(body)
        body += self.block(self.random.randint(1, self.size.statements), 0)
        if proc.results and self.chance(0.8):
            body.append(self.return_values())
        for name in undeclared:
            block = self.random.choice(list(all_blocks(body)))
            block.insert(self.random.randint(head if block is body else 0, len(block)),
                         self.decl(name))
        proc.body = body
        self.label(proc)

    def decl(self, name):
        return Stmt("decl", 0, names=(name,), exprs=(self.expr(1),) if self.chance(0.3) else ())

    # Labels: every goto gets its labels somewhere, and some more are spread

    def label(self, proc):
        places = list(statements(proc.body))
        wanted = sorted(set(self.pending)) + self.random.sample(LABELS, self.up_to(3))
        for label in wanted:
            for _ in range(2 if self.chance(0.08) else 1):
                block = self.random.choice(list(all_blocks(proc.body)))
                if self.chance(0.2) or not places:
                    block.insert(self.up_to(len(block)), Stmt("skip", 0, labels=(label,)))
                else:
                    stmt = self.random.choice(places)
                    self.attach(proc.body, stmt, label)

    def attach(self, body, stmt, label):
        """Put a label on a statement; declarations and enforce get a labelled skip before them."""
        if stmt.kind not in ("decl", "enforce"):
            if label not in stmt.labels:
                stmt.labels += (label,)
            return
        for block in all_blocks(body):
            if stmt in block:
                block.insert(block.index(stmt), Stmt("skip", 0, labels=(label,)))

    # Statements

    def block(self, count, nesting):
        return [stmt for _ in range(count) for stmt in self.statement(nesting)]

    def inner(self, nesting):
        return self.block(self.up_to(3), nesting + 1)

    def statement(self, nesting):
        kinds, weights = zip(*self.size.weights.items())
        kind = self.random.choices(kinds, weights)[0]
        if kind in ("if", "while") and nesting >= self.size.nesting:
            kind = "assign"
        stmt = getattr(self, "make_" + kind)(nesting)
        return [stmt] if stmt else []

    def make_skip(self, _):
        return Stmt("skip", 0)

    def make_print(self, _):
        return Stmt("print", 0, exprs=self.exprs(1 + self.up_to(1)))

    def make_assign(self, _):
        if not self.scope:
            return Stmt("skip", 0)
        count = self.random.choice((1, 1, 1, 2, 3))
        names = tuple(self.target() for _ in range(count))
        stmt = Stmt("assign", 0, names=names, exprs=self.exprs(count))
        if self.chance(0.15):
            stmt.relation = self.expr(2, primes=True)
        return stmt

    def target(self):
        return "_" if self.chance(0.04) else self.random.choice(self.scope)

    def callees(self):
        """Every procedure can be called, those further down more often; only they without recursion."""
        behind = self.procs[self.procs.index(self.proc) + 1:]
        return self.procs * self.size.recursion + 3 * behind

    def make_call(self, _):
        callees = self.callees()
        if not callees:
            return Stmt("skip", 0)
        callee = self.random.choice(callees)
        args = self.exprs(len(callee.formals), 1)
        stmt = Stmt("call", 0, names=None, callee=callee.name, exprs=args)
        if callee.results and self.scope and self.chance(0.8):
            stmt.names = tuple("_" if self.chance(0.2) else self.random.choice(self.scope)
                               for _ in range(callee.results))
        return stmt

    def make_if(self, nesting):
        stmt = Stmt("if", 0)
        for _ in range(self.random.choice((1, 1, 1, 2, 3))):
            stmt.arms.append(Arm(0, self.expr(2), self.inner(nesting)))
        if self.chance(0.5):
            stmt.otherwise = self.inner(nesting)
        return stmt

    def make_while(self, nesting):
        return Stmt("while", 0, arms=[Arm(0, self.expr(2), self.inner(nesting))])

    def make_goto(self, _):
        names = tuple(self.random.choice(LABELS) for _ in range(self.random.choice((1, 2, 2, 3))))
        self.pending += names
        return Stmt("goto", 0, names=names)

    def make_return(self, _):
        return self.return_values() if self.chance(0.8) else Stmt("return", 0)

    def return_values(self):
        return Stmt("return", 0, exprs=self.exprs(self.proc.results))

    def make_assert(self, _):
        return Stmt("assert", 0, exprs=(self.likely(),))

    def make_abortif(self, _):
        return Stmt("abortif", 0, exprs=(("not", self.likely()),))

    def make_assume(self, _):
        return Stmt("assume", 0, exprs=(self.likely(),))

    def make_constrain(self, _):
        return Stmt("constrain", 0, exprs=(self.expr(2, primes=True),))

    def make_enforce(self, _):
        return Stmt("enforce", 0, exprs=(self.likely(),))

    def make_dead(self, _):
        if not self.scope:
            return Stmt("skip", 0)
        return Stmt("dead", 0, names=tuple(self.random.choice(self.scope)
                                           for _ in range(1 + self.up_to(1))))

    # Expressions

    def exprs(self, count, depth=2):
        return tuple(self.expr(depth) for _ in range(count))

    def likely(self):
        """A condition most valuations satisfy."""
        return ("or", self.expr(1), self.expr(1)) if self.chance(0.6) else self.expr(2)

    def expr(self, depth, primes=False):
        kind = self.random.random()
        if depth == 0 or kind < 0.35:
            return self.leaf(primes)
        if kind < 0.5:
            return ("not", self.expr(depth - 1, primes))
        if kind < 0.55:
            return ("cond",) + tuple(self.expr(depth - 1, primes) for _ in range(3))
        operator = "schoose" if kind < 0.6 else self.random.choice(OPERATORS)
        return (operator, self.expr(depth - 1, primes), self.expr(depth - 1, primes))

    def leaf(self, primes):
        kind = self.random.random()
        if kind < 0.1 or not self.scope:
            constant = kind < 0.05 or self.chance(0.5) or not self.stars
            return ("const", self.up_to(1)) if constant else ("star",)
        if kind < 0.17 and self.stars:
            return ("star",)
        name = self.random.choice(self.scope)
        return ("prime" if primes and self.chance(0.5) else "var", name)


WEIGHTS = {"assign": 28, "call": 16, "if": 13, "while": 6, "goto": 6, "assert": 7, "skip": 4,
           "return": 3, "assume": 4, "dead": 3, "print": 1, "constrain": 2, "enforce": 1,
           "abortif": 2}


def other_operator(expr):
    """The expression with one operator more or with another one."""
    if expr[0] in OPERATORS:
        return (OPERATORS[(OPERATORS.index(expr[0]) + 3) % len(OPERATORS)],) + expr[1:]
    return ("const", 1 - expr[1]) if expr[0] == "const" else ("not", expr)


def change_something(random, places, targets):
    """One expression becomes another one, or assigned values go elsewhere."""
    if not places:
        return
    stmt = random.choice(places)
    if stmt.arms:
        arm = random.choice(stmt.arms)
        arm.cond = other_operator(arm.cond)
    elif stmt.kind == "assign" and random.random() < 0.5:
        stmt.names = stmt.names[1:] + (random.choice(targets),)
    else:
        stmt.exprs = (other_operator(stmt.exprs[0]),) + stmt.exprs[1:]


def all_blocks(block):
    """This block and all blocks inside it (the unused else of a plain if is none)."""
    yield block
    for stmt in block:
        for arm in stmt.arms:
            yield from all_blocks(arm.block)
        if stmt.otherwise:
            yield from all_blocks(stmt.otherwise)


def interesting(checker):
    """Do some calls complete, and do the data keep control from some place it could flow to?"""
    reached = {vertex for vertex, _ in checker.reached}
    follow = {vertex for at in reached for vertex in at.successors}
    completed = any(checker.summaries[context] for context in checker.callers)
    return len(reached) >= 10 and completed and not follow <= reached


def attempt_is_plain(random_seed):
    """A few programs are taken as they come, whatever they are."""
    return Random(random_seed + "/plain").random() < 0.05


def is_special(seed, size):
    return size.bits >= 6 and size.recursion and Random(f"{seed}/special").random() < 0.3


def generate(seed, size=None):
    """The text of the program of a seed: the first that is neither too big nor trivial."""
    return generate_checked(seed, size)[0]


def generate_checked(seed, size=None):
    """The text with its parsed program and the checker that accepted it."""
    size = size or Size()
    for attempt in range(1000):
        random_seed = f"{seed}/{attempt}"
        generator = Generator(random_seed, size)
        tree = generator.special() if is_special(seed, size) else generator.program()
        text = show(tree, Random(random_seed), loose=0.1)
        program = parse(text, Options())
        try:
            checker = Checker(program, cap=size.path_edges)
        except TooBig:
            continue
        if interesting(checker) or attempt_is_plain(random_seed):
            return text, program, checker
    raise SourceError(0, 0, f"no program for seed {seed}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seed", type=int, help="a whole number")
    sys.stdout.write(generate(parser.parse_args().seed))
