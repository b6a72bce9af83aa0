#!/usr/bin/env python3
"""Random small programs with random formulas about them, the same ones for the same seed.

As a script it prints the program and the formulas of a seed, or, for a range of seeds, how often what occurs.
"""

import argparse
from collections import Counter
from random import Random

import ltl
from boolprog import Arm, Options, Stmt, parse, statements
from explicit import TooBig
from generate import WEIGHTS, Generator, Size
from lexer import SourceError
from ltl_program import FAILED, TERMINATED, Checker
from show import Style, show, show_expr

OPERATOR_NAMES = {"F", "G", "X", "U", "R", "W", "M"}
OPERATORS = ("and", "or", "xor", "eq", "ne", "imp")

# What is asked about programs in general; a to d stand for random conditions, p for control in some callee.
SHAPES = (
    "G {a}", "G !{a}", "G ({a} -> X {b})", "!{a} W {b}", "G ({a} -> ({b} W {c}))", "{a} R {b}",
    "F {a}", "{a} U {b}", "{a} M {b}", "F ({a} && X {b})", "X X {a}", "{a} U ({b} U {c})",
    "G ({a} -> F {b})", "G ({a} -> F {b})", "G ({a} -> X ({b} U {c}))", "G F {a}", "F G {a}",
    "G F {a} -> G F {b}", "G F {a} -> G ({b} -> F {c})", "(G F {a} && G F {b}) -> F {c}",
    "F G {a} -> G F {b}", "G F {a} <-> G F {b}", "G (({a} && F {b}) -> ({c} U {b}))",
    "F terminated", "F (terminated || failed)", "G !failed", "G F {a} -> F terminated",
    "F terminated || F failed || G F {a}", "G ({a} -> F (terminated || failed))",
    "F G !{p}", "F G !{p}", "F G ({a} -> !{p})", "G F {p} -> F {a}", "G F {p} -> G F {a}", "F G {p} || F G !{p}",
    "F failed -> !{a} U {b}", "F G terminated || G F ({a} && X {b})", "G (terminated -> {a})",
)
# The same about places where few executions are, or none: d is a dead end, e the entry of a procedure that begins
# with something silent.
PLACES = (
    "G !{d}", "G !{d}", "!{d} W {a}", "G !({d} && {a})", "G ({a} -> !{d})", "G ({d} -> X {a})", "X !{d}",
    "G !{e}", "F {e}", "G ({e} -> {a})", "!{e} W {a}", "G F {e} -> {a}", "G ({a} -> F {e})", "F G !{e}",
)
DEAD_END = "DEAD"


class Formulas:
    """Formulas about one program. parts says what every atom is: in, enter, exit (a procedure), label or
    variable (procedure or None, name), expression (tree; its variables are pairs of that kind), or the word."""

    def __init__(self, random, program):
        self.random, self.program = random, program
        self.procs = sorted(program.procs)
        self.labels = [(proc, label) for proc in self.procs for label in program.procs[proc].labels]
        self.locals = [(proc, name) for proc in self.procs for name in program.procs[proc].frame()]
        self.globals = sorted(program.globals)
        self.parts = {TERMINATED: (TERMINATED,), FAILED: (FAILED,)}

    def chance(self, probability):
        return self.random.random() < probability

    def formula(self):
        places = {"d": self.dead_end(), "e": self.silent_entry()}
        shapes = [shape for shape in PLACES if any(place and "{%s}" % key in shape for key, place in places.items())]
        if shapes and self.chance(0.4):
            return self.random.choice(shapes).format(a=self.condition(), **places)
        if self.chance(0.3):
            return self.tree(self.random.randint(2, 7))
        conditions = {name: self.condition() for name in "abcd"}
        conditions["p"] = self.deep()
        return self.random.choice(SHAPES).format(**conditions)

    def tree(self, size):
        if size < 2:
            return "true" if self.chance(0.03) else self.atom()
        if size == 2 or self.chance(0.45):
            return f"{self.random.choice(('X ', 'F ', 'G ', '!'))}({self.tree(size - 1)})"
        operator = self.random.choice(("U", "R", "W", "M", "&&", "||", "->", "<->", "&&", "||"))
        left = self.random.randint(1, size - 2)
        return f"({self.tree(left)}) {operator} ({self.tree(size - 1 - left)})"

    def condition(self):
        kind = self.random.random()
        if kind < 0.7:
            return self.atom()
        if kind < 0.8:
            return f"!{self.atom()}"
        return f"({self.atom()} {self.random.choice(('&&', '||', '&& !'))} {self.atom()})"

    # Atoms

    def atom(self):
        kinds = {"frame": 4, "label": 4 * bool(self.labels), "end": 2,
                 "variable": 4 * bool(self.globals or self.locals),
                 "expression": 3 * bool(self.globals or self.locals)}
        return getattr(self, "atom_" + self.random.choices(*zip(*kinds.items()))[0])()

    def atom_frame(self):
        word, proc = self.random.choice(("in", "enter", "exit")), self.random.choice(self.procs)
        text = self.named(f"{word}({proc})", (word, proc))
        return text if self.chance(0.9) else f"{word} ( {proc} )"

    def dead_end(self):
        ends = [pair for pair in self.labels if pair[1] == DEAD_END]
        if not ends:
            return None
        proc, label = self.random.choice(ends)
        return self.named(f"{proc}.{label}", ("label", proc, label))

    def silent_entry(self):
        silent = [name for name in self.procs if (body := self.program.procs[name].body) and body[0].kind in SILENT]
        if not silent:
            return None
        proc = self.random.choice(silent)
        return self.named(f"enter({proc})", ("enter", proc))

    def deep(self):
        """Control in a procedure that is not main, if there is one."""
        callees = [proc for proc in self.procs if proc != "main"] or self.procs
        places = [pair for pair in self.labels if pair[0] in callees]
        if places and self.chance(0.4):
            proc, label = self.random.choice(places)
            return self.named(f"{proc}.{label}", ("label", proc, label))
        word, proc = self.random.choice(("in", "enter", "exit")), self.random.choice(callees)
        return self.named(f"{word}({proc})", (word, proc))

    def atom_end(self):
        return self.random.choice((TERMINATED, FAILED))

    def atom_label(self):
        proc, label = self.random.choice(self.labels)
        if self.chance(0.5):
            return self.named(f"{proc}.{label}", ("label", proc, label), self.chance(0.2))
        must = label in OPERATOR_NAMES or label.isdigit()
        return self.named(label, ("label", None, label), must or self.chance(0.2))

    def variable(self):
        """(procedure, local) or (None, global)."""
        if not self.locals or (self.globals and self.chance(0.5)):
            return None, self.random.choice(self.globals)
        return self.random.choice(self.locals)

    def atom_variable(self):
        proc, name = self.variable()
        return self.named(spell(proc, name), ("variable", proc, name), self.chance(0.2))

    def atom_expression(self):
        tree = (self.random.choice(OPERATORS), self.operand(2), self.operand(1))
        if self.chance(0.25):
            tree = ("not", self.operand(0))
        return self.named(show_expr(spelled(tree), Style(self.random)), ("expression", tree), True)

    def operand(self, depth):
        if depth == 0 or self.chance(0.6):
            return ("const", int(self.chance(0.5))) if depth and self.chance(0.1) else ("var", self.variable())
        if self.chance(0.4):
            return "not", self.operand(depth - 1)
        if self.chance(0.1):
            return "cond", self.operand(0), self.operand(depth - 1), self.operand(0)
        return self.random.choice(OPERATORS), self.operand(depth - 1), self.operand(depth - 1)

    def named(self, text, part, quoted=False):
        self.parts[text] = part
        return f'"{text}"' if quoted else text


def spell(proc, name):
    return name if proc is None else f"{proc}.{name}"


def spelled(tree):
    """The tree with its variables as text."""
    if tree[0] == "var":
        return "var", spell(*tree[1])
    return tree if tree[0] == "const" else (tree[0], *(spelled(part) for part in tree[1:]))


# Programs: small ones of several kinds, with more calls, loops or data than others

KINDS = (
    Size(globals=2, procs=3, formals=1, locals=1, bits=3, statements=4, nesting=2,
         weights={**WEIGHTS, "call": 24, "skip": 10}),
    Size(globals=2, procs=2, formals=1, locals=1, bits=3, statements=5, nesting=2,
         weights={**WEIGHTS, "while": 14, "goto": 12, "assert": 4, "skip": 10}),
    Size(globals=3, procs=3, formals=1, locals=2, bits=4, statements=5, nesting=2),
    Size(globals=2, procs=4, formals=1, locals=1, bits=3, statements=4, nesting=1, recursion=False,
         weights={**WEIGHTS, "call": 60, "goto": 8, "skip": 10, "assume": 2}),
    Size(globals=1, procs=3, formals=1, locals=1, bits=2, statements=3, nesting=1,
         weights={**WEIGHTS, "call": 40, "goto": 10, "skip": 10, "assert": 3, "assume": 2}),
)
CAP = 4_000


def go_round(random, proc, probability):
    """Sometimes the body goes round for ever, or until it is left by chance."""
    if random.random() < probability:
        cond = ("const", 1) if random.random() < 0.7 else ("star",)
        proc.body = [Stmt("while", 0, arms=[Arm(0, cond, proc.body)])]


SILENT = ("decl", "enforce")


def block_ways(random, proc, globals_, probability):
    """Sometimes there is a way that goes on a step or two, or once round a loop, and then blocks."""
    if random.random() < probability:
        names = sorted({*proc.formals, *globals_})
        cond = random.choice((("const", 0), ("const", 0), ("star",)))
        end = Stmt(random.choice(("assume", "assume", "assume", "constrain")), 0, exprs=(cond,))
        way = [Stmt("skip", 0, labels=(DEAD_END,))]
        if names and random.random() < 0.7:
            name = random.choice(names)
            clear = Stmt("assign", 0, names=(name,), exprs=(("const", 0),))
            way.append(Stmt("while", 0, arms=[Arm(0, ("var", name), [clear])]))
        first = sum(stmt.kind in SILENT for stmt in proc.body)
        at = random.randint(first, max(first, len(proc.body)))
        proc.body.insert(at, Stmt("if", 0, arms=[Arm(0, ("star",), [*way, end])]))


def begin_silently(random, proc, globals_, probability):
    """Sometimes something happens before the first position."""
    names = sorted(globals_)
    if names and random.random() < probability:
        one, other = ("var", random.choice(names)), ("var", random.choice(names))
        proc.body.insert(0, Stmt("enforce", 0, exprs=(("or", one, ("not", other)),)))


def options_of(random):
    return Options(precedence="satabs" if random.random() < 0.15 else "getafix",
                   dead="ignore" if random.random() < 0.25 else "havoc",
                   fall_off="block" if random.random() < 0.25 else "any")


def condition(random, program):
    """The text of a condition on the start; locals of the entry begin behind it."""
    entry, generator = program.procs[program.entry], Generator(random.random(), Size())
    generator.scope = sorted({*entry.formals, *program.globals} - set(entry.locals))
    return show_expr(generator.expr(2), Style()) if generator.scope else ""


class Question:
    """The program of a seed with its formulas, and what the reference says of them."""

    def __init__(self, seed, formulas=2):
        random = Random(f"ltl {seed}")
        self.seed, self.options, self.init = seed, options_of(random), ""
        size = random.choices(KINDS, (2, 2, 2, 4, 2))[0]
        for attempt in range(1000):
            self.text, self.program, self.checker = self.attempt(f"ltl {seed}/{attempt}", size)
            if self.checker:
                break
        else:
            raise SourceError(0, 0, f"no program for seed {seed}")
        self.formulas = Formulas(random, self.program)
        self.asked = [each for _ in range(formulas) if (each := self.ask(random))]

    def attempt(self, seed, size):
        """A program that has executions, or one in thirty of the others, and that is no straight line."""
        random, self.init = Random(seed + "/asked"), ""
        tree = Generator(seed, size).program()
        for proc in tree.procs.values():
            block_ways(Random(f"{seed}/{proc.name}/blocks"), proc, tree.globals, 0.25)
            go_round(Random(f"{seed}/{proc.name}"), proc, 0.55 if proc.name == "main" else 0.15)
            begin_silently(Random(f"{seed}/{proc.name}/silent"), proc, tree.globals, 0.15)
        text = show(tree, Random(seed), loose=0.1)
        self.options.entry = random.choice(sorted(tree.procs)) if random.random() < 0.08 else ""
        program = parse(text, self.options)
        try:
            if random.random() < 0.12:
                self.init = condition(random, program)
            checker = Checker(program, self.init, CAP)
            checker.all = checker.violation(("false",))
        except TooBig:
            return text, program, None
        dull = len(checker.positions.nodes) < 6 or not checker.all.violated
        return text, program, None if dull and Random(seed + "/dull").random() > 0.03 else checker

    def ask(self, random):
        """(text, search): one of some formulas, of which the verdict is the one wanted if possible."""
        wanted, found = random.random() < 0.5, None
        for _ in range(3):
            text = self.formulas.formula()
            try:
                search = self.checker.violation(ltl.parse(text))
            except TooBig:
                continue
            found = text, search
            if search.violated == wanted:
                break
        return found


# What occurs

def features(question, search):
    """What a program, and the violation that was found, have in them."""
    positions, whole = question.checker.positions, question.checker.all
    heads = [(positions.nodes[at], at) for state, at in whole.component if at >= 0]
    yield "programs with a procedure that calls itself" if recursive(question.program) else "without recursion"
    if any(node[0] == FAILED for node, _ in heads):
        yield "an assertion can fail"
    if any(node[0] == TERMINATED for node, _ in heads):
        yield "can terminate"
    if any(not positions.moves(at)[1] for _, at in heads):
        yield "a run can be blocked"
    if not whole.violated:
        yield "no execution at all"
    if search.violated:
        yield "VIOLATED"
        _, loop = search.lasso()
        last = positions.nodes[loop[0][0]][0]
        yield f"lasso: {last if isinstance(last, str) else grows(loop, search, positions)}"


def grows(loop, search, positions):
    """How the loop of a lasso that goes on in the program looks."""
    calls = [positions.moves(at)[0] for at, _ in loop]
    if calls.count("call") > calls.count("leave"):
        return "stack grows"
    return "with completed calls" if "call" in calls else "in one frame"


def recursive(program):
    calls = {name: {stmt.callee for stmt in statements(proc.body) if stmt.kind == "call"}
             for name, proc in program.procs.items()}

    def reach(name, seen):
        for callee in calls[name] - seen:
            seen.add(callee)
            reach(callee, seen)
        return seen
    return any(name in reach(name, set()) for name in calls)


def report(seeds):
    counts = Counter()
    for seed in seeds:
        question = Question(seed)
        for _, search in question.asked:
            counts.update(features(question, search))
            counts["formulas"] += 1
    for name, count in counts.most_common():
        print(f"{100 * count / counts['formulas']:6.1f}%  {name}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seeds", help="a whole number, or A..B")
    first, _, last = parser.parse_args().seeds.partition("..")
    if last:
        return report(range(int(first), int(last) + 1))
    question = Question(int(first), 4)
    print(question.text + "\n".join(f"// {'VIOLATED' if search.violated else 'holds   '} {text}"
                                    for text, search in question.asked))
    return None


if __name__ == "__main__":
    main()
