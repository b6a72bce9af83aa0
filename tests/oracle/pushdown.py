# SPDX-License-Identifier: MIT
"""Pushdown systems made explicit: each valuation of the variables is a control location or a stack symbol
of its own. post* and pre* twice, by the textbook's saturation and by bounded search.

A system is written with relations; an expression is a tuple: ("0",), ("1",), ("*",), ("x", name),
("'", name), ("'$", name), ("!", a), or (operator, a, b) with &, |, ^, =, =>.
"""

from dataclasses import dataclass, field
from functools import cache
from itertools import product


def show(e):
    """The expression as text of the boolean program language."""
    op, *args = e
    if op in ("0", "1", "*"):
        return op
    if op == "x":
        return args[0]
    if op in ("'", "'$"):
        return f"'{args[0]}{op[1:]}"
    if op == "!":
        return f"!({show(args[0])})"
    return f"(({show(args[0])}) {op} ({show(args[1])}))"


def outcomes(e, env):
    """The set of values that an expression can have; env gives one to each (kind, name)."""
    op, *args = e
    if op in ("0", "1"):
        return {op == "1"}
    if op == "*":
        return {False, True}
    if op in ("x", "'", "'$"):
        return {env[op, args[0]]}
    sides = [outcomes(a, env) for a in args]
    if op == "!":
        return {not a for a in sides[0]}
    table = {"&": lambda a, b: a and b, "|": lambda a, b: a or b, "^": lambda a, b: a != b,
             "=": lambda a, b: a == b, "=>": lambda a, b: not a or b}  # fmt: skip
    return {table[op](a, b) for a in sides[0] for b in sides[1]}


@cache
def mentions(e, kind):
    if e[0] == kind:
        return frozenset((e[1],))
    return frozenset().union(*(mentions(a, kind) for a in e[1:] if isinstance(a, tuple)))


def valuations(names):
    return [dict(zip(names, v)) for v in product((False, True), repeat=len(names))]


def tup(names, values):
    return tuple(values[n] for n in names)


@dataclass
class Symbolic:
    controls: int
    globals: list
    locals: list  # by symbol, its names
    rules: list = field(default_factory=list)  # (p, symbol, p', right side of symbols, expression)

    def holds(self, rule, g, l, g2, frames):
        """Whether the relation allows that step; frames are the locals of the right side."""
        _, symbol, _, right, e = rule
        env = {("x", n): v for n, v in {**g, **l}.items()}
        env |= {("'", n): v for n, v in {**g2, **(frames[0] if frames else {})}.items()}
        if len(frames) == 2:
            env |= {("'$", n): v for n, v in frames[1].items()}
        top = set(self.locals[right[0]]) if right else set()
        primed = mentions(e, "'")
        for n in self.globals:
            if (n not in primed or n in top) and g[n] != g2[n]:
                return False
        kept = frames[-1] if frames else {}
        named = primed if len(frames) == 1 else mentions(e, "'$")
        for n in kept:
            if n in l and n not in named and kept[n] != l[n]:
                return False
        return True in outcomes(e, env)

    def explicit(self):
        """The rules ((p, g), (symbol, l)) -> ((p', g'), word of such symbols)."""
        found = []
        for rule in self.rules:
            p, symbol, p2, right, _ = rule
            spaces = [valuations(self.locals[s]) for s in right]
            for g, l, g2 in product(valuations(self.globals), valuations(self.locals[symbol]),
                                    valuations(self.globals)):  # fmt: skip
                for frames in product(*spaces):
                    if self.holds(rule, g, l, g2, frames):
                        word = tuple((s, tup(self.locals[s], f)) for s, f in zip(right, frames))
                        found.append((((p, tup(self.globals, g)), (symbol, tup(self.locals[symbol], l))),
                                      ((p2, tup(self.globals, g2)), word)))  # fmt: skip
        return found

    def heads(self):
        return [(p, v) for p in range(self.controls) for v in product((False, True), repeat=len(self.globals))]

    def words(self, height):
        letters = [(s, v) for s, n in enumerate(self.locals) for v in product((False, True), repeat=len(n))]
        return [w for k in range(height + 1) for w in product(letters, repeat=k)]


class Automaton:
    """A nondeterministic automaton with a starting state for each explicit control location."""

    def __init__(self):
        self.edges = set()  # (state, letter, state)
        self.finals = set()
        self.start = {}

    def accepts(self, control, word):
        at = {self.start[control]} if control in self.start else set()
        for letter in word:
            at = {t for s, a, t in self.edges if s in at and a == letter}
        return bool(at & self.finals)

    def members(self, height):
        """Every configuration up to that height."""
        out = {}
        for s, a, t in self.edges:
            out.setdefault(s, []).append((a, t))
        found = set()
        layer = {}
        for control, s in self.start.items():
            layer.setdefault((control, ()), set()).add(s)
        for k in range(height + 1):
            found |= {config for config, at in layer.items() if at & self.finals}
            below = {}
            for (control, word), at in layer.items():
                for s in at:
                    for a, t in out.get(s, ()):
                        below.setdefault((control, (*word, a)), set()).add(t)
            layer = below
        return found

    def fresh(self, controls):
        """The same with starting states of its own, which no edge leads to."""
        new = Automaton()
        new.edges = {(("s", s), a, ("s", t)) for s, a, t in self.edges}
        new.finals = {("s", s) for s in self.finals}
        for c in controls:
            new.start[c] = ("c", c)
            if c not in self.start:
                continue
            new.edges |= {(("c", c), a, ("s", t)) for s, a, t in self.edges if s == self.start[c]}
            if self.start[c] in self.finals:
                new.finals.add(("c", c))
        return new


def pre_star(rules, controls, automaton):
    """Bouajjani, Esparza & Maler (CONCUR 1997): saturation until nothing is new."""
    a = automaton.fresh(controls)
    while True:
        by = {}
        for s, x, t in a.edges:
            by.setdefault((s, x), set()).add(t)
        new = set()
        for (p, x), (p2, word) in rules:
            ends = {("c", p2)}
            for letter in word:
                ends = set().union(*(by.get((s, letter), set()) for s in ends), set())
            new |= {(("c", p), x, t) for t in ends}
        if new <= a.edges:
            return a
        a.edges |= new


def post_star(rules, controls, automaton):
    """Esparza, Hansel, Rossmanith & Schwoon (CAV 2000), with empty moves apart."""
    a = automaton.fresh(controls)
    moves = set()
    while True:
        by, jumps = {}, {}
        for s, x, t in a.edges:
            by.setdefault((s, x), set()).add(t)
        for s, t in moves:
            jumps.setdefault(s, set()).add(t)
        edges, more = set(), set()
        for (p, x), (p2, word) in rules:
            ends = set()
            for s in {("c", p)} | jumps.get(("c", p), set()):
                ends |= by.get((s, x), set())
            for t in ends:
                if not word:
                    more.add((("c", p2), t))
                elif len(word) == 1:
                    edges.add((("c", p2), word[0], t))
                else:
                    edges |= {(("c", p2), word[0], ("m", p2, word[0])), (("m", p2, word[0]), word[1], t)}
        if edges <= a.edges and more <= moves:
            break
        a.edges |= edges
        moves |= more
    for s, t in moves:
        a.edges |= {(s, x, u) for r, x, u in a.edges if r == t}
        if t in a.finals:
            a.finals.add(s)
    return a


def search(rules, begin, height, most=3000):
    """Configurations that can be reached from `begin` without stacks higher than that; not all, if many."""
    by = {}
    for left, right in rules:
        by.setdefault(left, []).append(right)
    seen, queue = set(begin), list(begin)
    for control, word in queue:
        if not word:
            continue
        for control2, push in by.get((control, word[0]), ()):
            config = (control2, push + word[1:])
            if len(config[1]) <= height and config not in seen and len(seen) < most:
                seen.add(config)
                queue.append(config)
    return seen
