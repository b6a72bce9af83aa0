#!/usr/bin/env python3
"""Random programs: the stacks that `bp configs` prints and those of the explicit checker, up to a height.

    configs_diff.py --bp PATH --seeds 1..1000 [--height 4]

The text is read as what it claims to be, regular expressions, and both sets of words must be equal.
"""

import argparse
import pathlib
import random
import re
import subprocess
import sys
import tempfile

from boolprog import Options, parse
from explicit import START, Checker, TooBig, all_vertices
from generate import generate

TOKEN = re.compile(r"<\d+>|[()|*?]|(?:\{[^}]*\}|[^\s()|*?<>])+")


# What bp prints


class Text:
    """The lines that bp prints: words of each, as long as the height allows."""

    def __init__(self, text, height):
        self.height = height
        self.names = {}
        lines = text.splitlines()
        definitions = [re.fullmatch(r"(<\d+>) = (.*)", line) for line in lines]
        self.trees = {d[1]: self.read(d[2]) for d in definitions if d}
        self.tops = [self.read(line) for line, d in zip(lines, definitions) if not d]

    def read(self, line):
        self.tokens = TOKEN.findall(line) + [""]
        tree = self.either()
        if self.tokens != [""]:
            raise ValueError(f"cannot read {line!r}")
        return tree

    def either(self):
        parts = [self.row()]
        while self.tokens[0] == "|":
            self.tokens.pop(0)
            parts.append(self.row())
        return ("|", *parts)

    def row(self):
        parts = [self.repeated()]
        while self.tokens[0] not in ("", ")", "|"):
            parts.append(self.repeated())
        return (" ", *parts)

    def repeated(self):
        token = self.tokens.pop(0)
        if token == "(":
            tree = self.either()
            if self.tokens.pop(0) != ")":
                raise ValueError("no )")
        else:
            tree = ("a", token)
        while self.tokens[0] in ("*", "?"):
            tree = (self.tokens.pop(0), tree)
        return tree

    def words(self):
        known = {name: frozenset() for name in self.trees}
        while True:
            new = {name: frozenset(self.of(tree, known)) for name, tree in self.trees.items()}
            if new == known:
                return set().union(*(self.of(tree, known) for tree in self.tops), set())
            known = new

    def cat(self, left, right):
        return {a + b for a in left for b in right if len(a) + len(b) <= self.height}

    def of(self, tree, known):
        op, *parts = tree
        if op == "a":
            return known[parts[0]] if parts[0] in known else {()} if parts[0] == "_" else {(parts[0],)}
        sets = [self.of(part, known) for part in parts]
        if op == "|":
            return set().union(*sets)
        if op == "?":
            return sets[0] | {()}
        result = {()}
        if op == " ":
            for one in sets:
                result = self.cat(result, one)
            return result
        while not (new := self.cat(result, sets[0])) <= result:
            result |= new
        return result


# What the reference says


def place(vertex):
    return f"{vertex.proc.name}:{vertex.line}"


def stacks(checker, wanted, when, height):
    """Words of places for all stacks with one of those vertices on top."""
    layer = {}
    for context, node in checker.cost:
        vertex, valuation = node[0], node[1]
        if vertex in wanted and (when is None or checker.graph.may(vertex.proc, when, valuation)):
            layer.setdefault((place(vertex),), set()).add(context)
    found = set()
    for _ in range(height):
        found |= {word for word, contexts in layer.items() if START in contexts}
        below = {}
        for word, contexts in layer.items():
            for context in contexts - {START}:
                for caller, node in checker.callers[context]:
                    below.setdefault((*word, place(node[0])), set()).add(caller)
        layer = below
    return found


def frames(word):
    return {name.rsplit(":", 1)[0] for name in word[1:]}


def without_column(word, lines):
    return tuple(name if name in lines else name.rsplit(":", 1)[0] for name in word)


def question(rng, checker, program):
    """Options of bp, the vertices meant, and which words count."""
    vertices = [v for v in all_vertices(checker.graph) if v.counted]
    reached = [v for v in vertices if v in {node[0] for node in checker.reached}]
    vertex = rng.choice(reached if reached and rng.random() < 0.9 else vertices)
    target = f"{vertex.proc.name}:{vertex.line}"
    wanted = {v for v in vertices if v.line == vertex.line and v.proc is vertex.proc}
    options, when, keep = ["--at", target], None, []
    if program.globals and rng.random() < 0.4:
        name = rng.choice(list(program.globals))
        if name not in vertex.proc.frame():
            negated = rng.random() < 0.5
            when = ("not", ("var", name)) if negated else ("var", name)
            options += ["--when", ("!" if negated else "") + name]
    for option, sign in (("--below", True), ("--not-below", False)):
        if rng.random() < 0.25:
            proc = rng.choice(list(program.procs))
            options += [option, proc]
            keep.append(lambda word, proc=proc, sign=sign: (proc in frames(word)) == sign)
    if rng.random() < 0.1:
        options.append("--kernel=buddy")
    return options, wanted, when, lambda word: all(k(word) for k in keep)


class Comparison:
    def __init__(self, bp, height):
        self.bp, self.height = bp, height
        self.asked = self.words = self.skipped = self.failed = 0

    def run(self, file, text, seed):
        rng = random.Random(seed)
        program = parse(text, Options())
        try:
            checker = Checker(program, cap=20_000)
        except TooBig:
            self.skipped += 1
            return
        lines = {place(v) for v in all_vertices(checker.graph)}
        for _ in range(3):
            self.ask(file, seed, lines, checker, *question(rng, checker, program))

    def ask(self, file, seed, lines, checker, options, wanted, when, keep):
        expected = {w for w in stacks(checker, wanted, when, self.height) if keep(w)}
        done = subprocess.run([self.bp, "configs", "--quiet", str(file), *options], capture_output=True, text=True)
        first, _, rest = done.stdout.partition("\n")
        printed = Text(rest, self.height).words()
        printed = {without_column(word, lines) for word in printed}
        verdict = {0: "unreachable", 1: "reachable"}.get(done.returncode, "trouble")
        good = first.endswith(f" {verdict}") and printed == expected
        good = good and (verdict == "reachable") == bool(rest)
        self.asked += 1
        self.words += len(expected)
        if good and (expected or verdict == "unreachable" or self.deeper(checker, wanted, when)):
            return
        self.failed += 1
        print(f"seed {seed}: {' '.join(options)}: {done.stderr}{done.stdout}"
              f"  too many: {sorted(printed - expected)[:5]}\n  missing: {sorted(expected - printed)[:5]}")

    def deeper(self, checker, wanted, when):
        """Is the target reached at all? Then its stacks may all be higher than what was compared."""
        return any(node[0] in wanted and (when is None or checker.graph.may(node[0].proc, when, node[1]))
                   for node in checker.reached)  # fmt: skip


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bp", required=True)
    parser.add_argument("--seeds", default="1..100")
    parser.add_argument("--height", type=int, default=4)
    args = parser.parse_args()
    first, last = map(int, args.seeds.split(".."))
    comparison = Comparison(args.bp, args.height)
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, last + 1):
            text = generate(seed)
            file = pathlib.Path(folder, f"seed-{seed}.bp")
            file.write_text(text, encoding="utf-8")
            comparison.run(file, text, seed)
            file.unlink()
    c = comparison
    print(f"{c.asked} questions, {c.words} stacks, {c.skipped} programs too large, {c.failed} failed")
    return c.failed > 0 or c.words < c.asked / 4


if __name__ == "__main__":
    sys.exit(main())
