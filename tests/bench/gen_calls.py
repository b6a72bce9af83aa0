# SPDX-License-Identifier: MIT
"""Programs whose call graph is the difficulty. Each function yields the pieces of a program."""

import random


def chain(n):
    """n procedures, each calling the next with its argument negated and handing the result back.

    BAD is reachable exactly when n is odd.
    """
    yield "decl g;\nvoid main() begin\n  decl r;\n  r := p1(g);\n  if (r != g) then BAD: skip; fi\nend\n"
    for i in range(1, n):
        yield f"bool p{i}(x) begin\n  decl r;\n  r := p{i + 1}(!x);\n  return r;\nend\n"
    yield f"bool p{n}(x) begin\n  return !x;\nend\n"


def sites(count, procedures=1, safe=True):
    """One procedure, called from `count` places in each of `procedures` procedures.

    It turns a ring of three globals that has six positions; main knows where it must end.
    """
    ring = [(0, 0, 0), (0, 0, 1), (0, 1, 1), (1, 1, 1), (1, 1, 0), (1, 0, 0)]
    end = ring[(count * procedures + (not safe)) % len(ring)]
    yield "decl a, b, c;\nvoid step() begin\n  a, b, c := b, c, !a;\nend\n"
    for i in range(procedures):
        yield f"void work{i}() begin\n"
        for _ in range(count):
            yield "  step();\n"
        yield "end\n"
    yield "void main() begin\n  a, b, c := 0, 0, 0;\n"
    for i in range(procedures):
        yield f"  work{i}();\n"
    literals = " & ".join(name if value else f"!{name}" for name, value in zip("abc", end))
    yield f"  if (!({literals})) then BAD: skip; fi\nend\n"


def parity(bits, safe=True):
    """even(x) and odd(x) call each other with x - 1, x a number of so many bits.

    BAD: an answer is wrong (safe) or right.
    """
    names = [f"x{i}" for i in range(bits)]
    results = ", ".join(
        f"x{i} ^ !({' | '.join(names[:i])})" if i else "!x0" for i in range(bits)
    )
    formals = ", ".join(names)
    for name, other, at_zero in (("even", "odd", 1), ("odd", "even", 0)):
        yield f"bool {name}({formals}) begin\n  decl r;\n  if (!({' | '.join(names)})) then return {at_zero}; fi\n"
        yield f"  r := {other}({results});\n  return r;\nend\n"
    yield f"void main() begin\n  decl r, {formals};\n  r := even({formals});\n"
    yield f"  if (r {'=' if safe else '!='} x0) then BAD: skip; fi\nend\n"


def ring(n, seed, safe=True):
    """n procedures, each of which may call three others, so that all are one knot of recursion.

    Globals a and b stay equal; the unsafe one forgets b in one procedure.
    """
    rng = random.Random(f"ring {n} {seed}")
    guilty = None if safe else rng.randrange(n)
    yield "decl a, b, c, d;\nvoid main() begin\n  b := a;\n  p0();\n  if (a != b) then BAD: skip; fi\nend\n"
    for i in range(n):
        others = [(i + 1) % n, rng.randrange(n), rng.randrange(n)]
        yield f"void p{i}() begin\n  decl l;\n  l := c;\n"
        yield "  if (*) then a := !a; fi\n" if i == guilty else "  a, b := a ^ c, b ^ c;\n"
        for other in others:
            yield f"  if (*) then {rng.choice(['c := !d', 'd := c', 'c := l ^ d', 'd := *'])}; p{other}(); fi\n"
        yield "  d := l;\nend\n"
