#!/usr/bin/env python3
"""Random pushdown systems and sets: what libbp says of post* and pre* against pushdown.py.

    pushdown_diff.py --many PATH --seeds 1..1000 [--jobs N] [--buddy]

For each seed it compares all members of the set, of its post*, its pre*, and of the one of the other, up to a height,
and some questions about each; it ends with a line `N passed, N failed`.
"""

import argparse
import subprocess
import sys
from itertools import product
from multiprocessing import Pool
from random import Random

from pushdown import Automaton, Symbolic, mentions, outcomes, post_star, pre_star, search, show, valuations
from seeds import seeds

HEIGHT = 3
MOST = 6000  # members of a set, to compare


class Case:
    def __init__(self, seed):
        self.seed = seed
        self.random = r = Random(seed)
        self.system = Symbolic(r.randint(1, 3), ["g", "h"][: r.choice((0, 1, 1, 2))], [])
        for _ in range(r.randint(1, 3)):
            self.system.locals.append(r.sample(["x", "y", "g"], r.choice((0, 0, 1, 1, 2))))
        while sum(2 ** len(n) for n in self.system.locals) * 2 ** len(self.system.globals) > 14:
            max(self.system.locals, key=len).pop()
        self.lines = ["system"]
        self.lines += [f"control p{i}" for i in range(self.system.controls)]
        self.lines += [f"symbol s{i}" for i in range(len(self.system.locals))]
        self.lines += [f"global {n}" for n in self.system.globals]
        self.lines += [f"local {s} {n}" for s, names in enumerate(self.system.locals) for n in names]
        for _ in range(r.randint(1, 7)):
            self.rule()
        self.expected = []
        self.automaton = self.initial()

    def expression(self, atoms, depth=2):
        r = self.random
        if depth == 0 or r.random() < 0.2:
            return r.choice([*atoms, *atoms, ("0",), ("1",), ("*",)] if r.random() < 0.3 or not atoms else atoms)
        if r.random() < 0.2:
            return ("!", self.expression(atoms, depth - 1))
        return (r.choice("&&|^="), self.expression(atoms, depth - 1), self.expression(atoms, depth - 1))

    def relation(self, atoms):
        """A conjunction, mostly of what some variables become; as text, and as an expression."""
        r = self.random
        befores = [a for a in atoms if a[0] == "x"]
        parts = []
        for a in atoms:
            if a[0] != "x" and r.random() < 0.5:
                parts.append(("=", a, self.expression(befores, 1)))
        if r.random() < 0.4:
            parts.append(self.expression(atoms))
        if not parts:
            return "-", ("1",)
        e = parts[0]
        for p in parts[1:]:
            e = ("&", e, p)
        return show(e), e

    def rule(self):
        r, system = self.random, self.system
        p, p2 = r.randrange(system.controls), r.randrange(system.controls)
        symbol = r.randrange(len(system.locals))
        right = [r.randrange(len(system.locals)) for _ in range(r.choice((0, 1, 1, 2, 2)))]
        atoms = [("x", n) for n in {**dict.fromkeys(system.globals), **dict.fromkeys(system.locals[symbol])}]
        after = dict.fromkeys(system.globals) | dict.fromkeys(system.locals[right[0]] if right else ())
        atoms += [("'", n) for n in after]
        if len(right) == 2:
            atoms += [("'$", n) for n in system.locals[right[1]]]
        text, e = self.relation(atoms)
        system.rules.append((p, symbol, p2, right, e))
        names = [*right, "-", "-"][:2]
        self.lines.append(f"rule {p} {symbol} {p2} {names[0]} {names[1]} {text}")

    # Sets

    def initial(self):
        self.lines.append("set")
        a = Automaton()
        a.start = {head: head for head in self.system.heads()}
        parts = self.random.choice(("a", "s", "s", "as", "sa", "asa"))
        self.singles = []  # (head, word) of what `add` adds
        if "s" in parts:
            self.states = self.system.controls + self.random.randint(1, 2)
            self.lines += ["state"] * (self.states - self.system.controls)
        for part in parts:
            for _ in range(self.random.randint(1, 4 if part == "s" else 2)):
                self.add_one() if part == "a" else self.add_transition(a)
        if "s" in parts:
            self.add_ends(a)
            if self.random.random() < 0.3:
                self.add_one()
        return self.with_singles(a)

    def with_singles(self, a):
        """The set and, by states of their own, the configurations that were added one by one."""
        a = a.fresh(self.system.heads())
        for head, word in self.singles:
            at = a.start[head]
            for letter in word:
                new = ("line", len(a.edges))
                a.edges.add((at, letter, new))
                at = new
            a.finals.add(at)
        self.singles = []
        return a

    def configuration(self, height):
        r = self.random
        head = r.choice(self.system.heads())
        word = []
        for _ in range(height):
            s = r.randrange(len(self.system.locals))
            word.append((s, tuple(r.random() < 0.5 for _ in self.system.locals[s])))
        return head, tuple(word)

    def add_one(self):
        head, word = self.configuration(self.random.randint(0, 3))
        self.lines.append("add " + line_of((head, word)))
        self.singles.append((head, word))

    def add_transition(self, a):
        """Three of ten may lead to a control location."""
        r, system = self.random, self.system
        first = 0 if r.random() < 0.3 else system.controls
        q, q2 = r.randrange(self.states), r.randrange(first, self.states)
        symbol = r.randrange(len(system.locals))
        names = system.locals[symbol]
        text, e = self.relation([("x", n) for n in dict.fromkeys([*system.globals, *names])]
                                + [("'", n) for n in system.globals])  # fmt: skip
        self.lines.append(f"transition {q} {symbol} {q2} {text}")
        kept = set(system.globals) - mentions(e, "'")
        for g, l, g2 in product(valuations(system.globals), valuations(names), valuations(system.globals)):
            env = {("x", n): v for n, v in {**g, **l}.items()} | {("'", n): v for n, v in g2.items()}
            if all(g[n] == g2[n] for n in kept) and True in outcomes(e, env):
                a.edges.add(((q, tuple(g.values())), (symbol, tuple(l.values())), (q2, tuple(g2.values()))))

    def add_ends(self, a):
        r, system = self.random, self.system
        for q in {r.randrange(self.states), self.states - 1}:
            e = self.expression([("x", n) for n in system.globals], 1)
            self.lines.append(f"accept {q} {show(e)}")
            for g in valuations(system.globals):
                if True in outcomes(e, {("x", n): v for n, v in g.items()}):
                    a.finals.add((q, tuple(g.values())))

    # Questions

    def ask(self, automaton):
        members = automaton.members(HEIGHT)
        if len(members) <= MOST:
            self.lines.append(f"members {HEIGHT}")
            self.expected += [("members", {line_of(m) for m in members})]
        for _ in range(3):
            head, word = self.configuration(self.random.randint(0, HEIGHT + 2))
            self.lines.append("contains " + line_of((head, word)))
            self.expected.append(("contains", int(automaton.accepts(head, word))))
        p, s = self.random.randrange(self.system.controls), self.random.randrange(len(self.system.locals))
        atoms = [("x", n) for n in dict.fromkeys([*self.system.globals, *self.system.locals[s]])]
        e = self.expression(atoms, 1)
        self.lines.append(f"head {p} {s} {show(e)}")
        self.expected.append(("head", int(self.has_head(automaton, p, s, e))))
        self.lines.append("empty")
        self.expected.append(("empty", int(not useful(automaton) & set(automaton.start.values()))))

    def has_head(self, automaton, p, s, e):
        good = useful(automaton)
        for (q, g), start in automaton.start.items():
            for a, letter, b in automaton.edges if q == p else ():
                if a != start or letter[0] != s or b not in good:
                    continue
                env = dict(zip(self.system.globals, g)) | dict(zip(self.system.locals[s], letter[1]))
                if True in outcomes(e, {("x", n): v for n, v in env.items()}):
                    return True
        return False

    def run(self, operations):
        """Asks about the set after these operations; answers what the reference itself finds wrong."""
        rules, heads = self.system.explicit(), self.system.heads()
        a, wrong = self.automaton, []
        before = a.members(HEIGHT)
        for op in operations:
            self.lines.append(op)
            a = (post_star if op == "post" else pre_star)(rules, heads, a)
            if self.seed % 4 == 1:
                self.add_one()
                a = self.with_singles(a)
        self.ask(a)
        if self.seed % 4 == 1:
            return wrong
        if operations == ["post"]:
            wrong += [c for c in search(rules, before, HEIGHT + 1) if not a.accepts(*c)]
        if operations == ["pre"]:
            wrong += [c for c in a.members(1) if search(rules, [c], HEIGHT) & before and not a.accepts(*c)]
            for c in [self.configuration(h) for h in (1, 2, 2)]:
                if search(rules, [c], HEIGHT) & before and not a.accepts(*c):
                    wrong.append(c)
        return wrong


def useful(automaton):
    """The states from which an end can be reached."""
    good = set(automaton.finals)
    while True:
        more = {s for s, _, t in automaton.edges if t in good} - good
        if not more:
            return good
        good |= more


def bits(values):
    return "".join("01"[v] for v in values)


def line_of(config):
    (p, g), word = config
    return " ".join([str(p), "_" + bits(g), *(f"{s}:{bits(v)}" for s, v in word)])


def compare(case, lines):
    """What is wrong with the answers to one case; takes its lines and leaves those of the next one."""
    for kind, expected in case.expected:
        if kind == "members":
            told = []
            for line in lines:
                if line == "end":
                    break
                told.append(line)
            if len(told) != len(set(told)):
                yield "a member comes twice"
            yield from (f"members: {m} is missing" for m in sorted(expected - set(told))[:5])
            yield from (f"members: {m} does not belong there" for m in sorted(set(told) - expected)[:5])
        else:
            told = next(lines, "nothing")
            if told != str(expected):
                yield f"{kind}: {told}, not {expected}"


def check(task):
    """The four sets of a seed, in one process: how many are wrong, and a text about them."""
    command, seed = task
    cases, said, bad = [], [], 0
    for operations in ([], ["post"], ["pre"], ["pre", "post"] if seed % 2 else ["post", "pre"]):
        case = Case(seed)
        wrong = [f"the reference contradicts itself: {c}" for c in case.run(operations)]
        cases.append((operations, case, wrong))
    text = "\n".join(line for _, case, _ in cases for line in case.lines) + "\n"
    done = subprocess.run([*command, "--text"] if seed % 3 == 0 else command, input=text, capture_output=True,
                          text=True, timeout=480)  # fmt: skip
    lines = iter(done.stdout.splitlines())
    for operations, case, wrong in cases:
        if done.returncode:
            wrong.append(f"exit status {done.returncode}: {done.stderr.strip()}")
        else:
            wrong += compare(case, lines)
        if wrong:
            bad += 1
            said.append(f"seed {seed}, {' '.join(operations) or 'the set itself'}:")
            said += [f"  {w}" for w in wrong] + [f"    {line}" for line in case.lines]
    return bad, "\n".join(said)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--many", required=True)
    parser.add_argument("--seeds", type=seeds, default=seeds("1..100"), metavar="A..B")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--buddy", action="store_true")
    args = parser.parse_args()
    command = [args.many, *(["--buddy"] if args.buddy else [])]
    good = bad = 0
    with Pool(args.jobs) as pool:
        for wrong, text in pool.imap_unordered(check, ((command, seed) for seed in args.seeds), chunksize=4):
            good, bad = good + 4 - wrong, bad + wrong
            if text:
                print(text, flush=True)
            if bad >= 10:
                break
    print(f"{good} passed, {bad} failed")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
