# SPDX-License-Identifier: MIT
"""Many variables mixed at random. Each function yields the pieces of a program.

Two of the variables, p and q, start equal and take part in everything, but what changes one of them
changes the other by the same value, so p ^ q never changes: BAD, which wants p != q, is unreachable.
In an unsafe program p is flipped once on a path that exists, so BAD is reachable.
"""

import random

OPERATORS = ("&", "|", "^", "=")


class Mixer:
    """Random statements over n variables, two of them p and q.

    `near` is how far apart, in a hidden order, the variables of a statement are; 0 is anywhere.
    """

    def __init__(self, rng, n, near):
        self.rng, self.near = rng, near
        self.order = [f"x{i}" for i in range(n - 2)]
        rng.shuffle(self.order)
        self.declared = ["p", "q"] + sorted(self.order, key=lambda name: int(name[1:]))
        self.all = list(self.order)
        middle = len(self.all) // 2
        self.all[middle:middle] = ["p", "q"]

    def pick(self, centre):
        """A variable near the centre, with or without a negation."""
        if not self.near:
            name = self.rng.choice(self.all)
        else:
            low, high = max(0, centre - self.near), min(len(self.all) - 1, centre + self.near)
            name = self.all[self.rng.randint(low, high)]
        return name if self.rng.random() < 0.7 else f"!{name}"

    def expression(self, centre):
        left, right = self.pick(centre), self.pick(centre)
        return f"{left} {self.rng.choice(OPERATORS)} {right}"

    def target(self):
        at = self.rng.randrange(len(self.order))
        return self.order[at], self.all.index(self.order[at])

    def twins(self):
        """p and q change by the same value."""
        value = self.expression(self.all.index("p"))
        return f"p, q := p ^ ({value}), q ^ ({value});"

    def statement(self):
        if self.rng.random() < 0.06:
            return self.twins()
        name, centre = self.target()
        return f"{name} := {self.expression(centre)};"

    def block(self, count, loops, depth, indent):
        """The lines of so many statements; with `loops`, in nested loops, which can always end, and branches."""
        while count > 0:
            inner = min(count, self.rng.randint(4, 16))
            if not loops or depth > 2 or self.rng.random() < 0.75:
                yield f"{indent}{self.statement()}\n"
                count -= 1
                continue
            if self.rng.random() < 0.5:
                yield f"{indent}while ({self.rng.choice(['*', '* & ' + self.pick(self.target()[1])])}) do\n"
                end = "od"
            else:
                yield f"{indent}if ({self.pick(self.target()[1])}) then\n"
                end = "fi"
            yield from self.block(inner, loops, depth + 1, indent + "  ")
            if end == "od" and self.rng.random() < 0.5:
                yield f"{indent}  {self.order[0]} := *;\n"
            yield f"{indent}{end}\n"
            count -= inner

    def wide(self, targets, indent):
        """One parallel assignment of p, q and so many other variables."""
        names = self.rng.sample(self.order, min(targets, len(self.order)))
        values = [self.expression(self.all.index(name)) for name in names]
        twin = self.expression(self.all.index("p"))
        left = ", ".join(["p", "q"] + names)
        return f"{indent}{left} := {', '.join([f'p ^ ({twin})', f'q ^ ({twin})'] + values)};\n"


def broken(safe):
    return "" if safe else "  if (*) then p := !p; fi\n"


def mix(n, seed, loops, place, statements=200, near=3, safe=True):
    """n globals and random statements: in `main`, in a `callee` of it, or in one called from several `sites`."""
    mixer = Mixer(random.Random(f"mix {n} {seed} {loops} {near}"), n, near)
    yield f"decl {', '.join(mixer.declared)};\n"
    first = "".join(mixer.block(statements, loops, 0, "  "))
    if place == "main":
        yield f"void main() begin\n  q := p;\n{broken(safe)}{first}"
    else:
        yield f"void work() begin\n{first}end\nvoid main() begin\n  q := p;\n{broken(safe)}  work();\n"
        for _ in range(4 if place == "sites" else 0):
            yield "".join(mixer.block(3, False, 0, "  ")) + "  work();\n"
    yield "  if (p != q) then BAD: skip; fi\nend\n"


def recursive(n, seed, statements=80, contradicts=False):
    """Two procedures that call each other and themselves in loops, over n globals that begin as constants.

    Nothing is planted here: BAD wants given values of eight of them, and may be reachable or not. With
    `contradicts` many values are handed on as they are, so that each depends on all, and what BAD wants of
    two variables contradicts the last copy before it.
    """
    mixer = Mixer(random.Random(f"recursive {n} {seed}"), n, 3)
    rng = mixer.rng
    yield f"decl {', '.join(mixer.all)};\n"
    for name, calls in (("first", ("first", "second")), ("second", ("first",))):
        yield f"void {name}() begin\n"
        for _ in range(2):
            lines = [mixer.statement() for _ in range(statements // 4)]
            if contradicts:
                lines[::4] = [f"{mixer.target()[0]} := {mixer.target()[0]};" for _ in lines[::4]]
            yield "  while (*) do\n" + "".join(f"    {line}\n" for line in lines)
            yield f"    if (*) then {rng.choice(calls)}(); fi\n  od\n"
        yield "end\n"
    values = ", ".join(rng.choice("01") for _ in mixer.all)
    names = rng.sample(mixer.order, 8)
    signs = [rng.choice(("", "!")) for _ in names]
    yield f"void main() begin\n  {', '.join(mixer.all)} := {values};\n  first();\n"
    if contradicts:
        yield f"  {names[0]} := {names[1]};\n"
        signs[1] = "" if signs[0] else "!"
    wanted = " & ".join(sign + name for sign, name in zip(signs, names))
    yield f"  if ({wanted}) then BAD: skip; fi\nend\n"


def cube(n, seed, place, loops=20):
    """n globals that begin as 0 and loops of ten random statements: BAD wants one state of all of them.

    Nothing is planted here: some other sequence of choices may come to that state, most often none does.
    """
    mixer = Mixer(random.Random(f"cube {n} {seed}"), n, 0)
    rng = mixer.rng
    body = ""
    for _ in range(loops):
        body += "  while (*) do\n"
        for _ in range(10):
            line = f"{rng.choice(mixer.all)} := {mixer.expression(0)};"
            body += f"    if ({mixer.pick(0)}) then {line} fi\n" if rng.random() < 0.3 else f"    {line}\n"
        body += "  od\n"
    begin = f"  {', '.join(mixer.all)} := {', '.join('0' for _ in mixer.all)};\n"
    yield f"decl {', '.join(mixer.declared)};\n"
    if place == "main":
        yield f"void main() begin\n{begin}{body}"
    else:
        yield f"void work() begin\n{body}end\nvoid main() begin\n{begin}  work();\n"
    wanted = " & ".join(rng.choice(("", "!")) + name for name in mixer.declared)
    yield f"  if ({wanted}) then BAD: skip; fi\nend\n"


def short(n, seed, recursive):
    """Callees with loops over n globals, half of which begin as 0: BAD wants given values of three of them and of a
    result that main keeps over a call.

    Most often there is a short way to it, past nearly all loops; nothing is planted.
    """
    mixer = Mixer(random.Random(f"short {n} {seed} {recursive}"), n, 0)
    rng = mixer.rng

    def loops(count):
        for _ in range(count):
            yield "  while (*) do\n" + "".join(f"    {mixer.statement()}\n" for _ in range(10)) + "  od\n"

    yield f"decl {', '.join(mixer.declared)};\n"
    yield f"bool pass(m) begin\n  decl kept;\n  kept := m ^ {mixer.pick(0)};\n{''.join(loops(5))}"
    yield f"  return kept ^ {mixer.pick(0)};\nend\nvoid work() begin\n{''.join(loops(5))}"
    if recursive:
        yield f"  while ({mixer.pick(0)}) do\n    {mixer.statement()}\n    work();\n  od\n"
    yield f"end\nvoid main() begin\n  decl mine;\n"
    yield f"  {', '.join(mixer.order[::2])} := {', '.join('0' for _ in mixer.order[::2])};\n"
    yield f"  work();\n  mine := pass({mixer.pick(0)});\n  work();\n"
    wanted = [rng.choice(("", "!")) + name for name in rng.sample(mixer.order, 3) + ["mine"]]
    yield f"  if ({' & '.join(wanted)}) then BAD: skip; fi\nend\n"


def wide(n, seed, count, loops, place, near=0, safe=True):
    """`count` parallel assignments of all n globals, one after the other, in one loop if told so.

    They are in `main`, or in a `callee` that main calls when half of the variables are 0.
    """
    mixer = Mixer(random.Random(f"wide {n} {seed} {near}"), n, near)
    zero = mixer.order[::2]
    begin = f"  {', '.join(zero)} := {', '.join('0' * len(zero))};\n  q := p;\n{broken(safe)}"
    indent = "    " if loops else "  "
    body = "".join(mixer.wide(n, indent) + f"{indent}{mixer.order[i]} := *;\n" for i in range(count))
    if loops:
        body = f"  while (*) do\n{body}  od\n"
    yield f"decl {', '.join(mixer.declared)};\n"
    if place == "main":
        yield f"void main() begin\n{begin}{body}"
    else:
        yield f"void work() begin\n{body}end\nvoid main() begin\n{begin}  work();\n"
    yield "  if (p != q) then BAD: skip; fi\nend\n"


def straight(n, seed, statements, safe=True):
    """Long straight-line code over n globals with choices in it."""
    mixer = Mixer(random.Random(f"straight {n} {seed}"), n, 3)
    rng = mixer.rng
    yield f"decl {', '.join(mixer.declared)};\nvoid main() begin\n  q := p;\n"
    for i in range(statements):
        if i == statements // 2:
            yield broken(safe)
        chance = rng.random()
        if chance < 0.2:
            yield f"  {mixer.target()[0]} := *;\n"
        elif chance < 0.3:
            name, centre = mixer.target()
            yield f"  if ({mixer.pick(centre)}) then {mixer.statement()} else {name} := {mixer.pick(centre)}; fi\n"
        else:
            yield f"  {mixer.statement()}\n"
    yield "  if (p != q) then BAD: skip; fi\nend\n"
