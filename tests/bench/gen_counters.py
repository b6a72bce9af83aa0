# SPDX-License-Identifier: MIT
"""Counters: loops that take 2^n steps. Each function yields the pieces of a program.

Label DONE is behind the loops. A counter that is `stuck` never moves its lowest bit, so that its
loop does not end and DONE is unreachable.
"""

STYLES = ("ripple", "cascade", "parallel")


def increment(bits, style, indent="    "):
    """The statements that add 1 to the number whose lowest bit is bits[0]. `carry` must be declared."""
    if style == "ripple":
        lines = ["carry := 1;"] + [f"{b}, carry := {b} ^ carry, {b} & carry;" for b in bits]
    elif style == "cascade":
        lines = []
        for i, b in enumerate(bits):
            values = ", ".join(["0"] * i + ["1"])
            lines.append(f"{'elsif' if i else 'if'} (!{b}) then {', '.join(bits[: i + 1])} := {values};")
        lines.append("fi")
    else:
        values = [f"!{bits[0]}"] + [f"{b} ^ ({' & '.join(bits[:i])})" for i, b in enumerate(bits) if i]
        lines = [f"{', '.join(bits)} := {', '.join(values)};"]
    return "".join(f"{indent}{line}\n" for line in lines)


def start(bits):
    return f"  {', '.join(bits)} := {', '.join('0' * len(bits))};\n"


def loop(bits, body):
    return f"  while (!({' & '.join(bits)})) do\n{body}  od\n"


def names(prefix, n):
    return [f"{prefix}{i}" for i in range(n)]


def counter(n, style, stuck=False):
    """In main, with locals."""
    bits = names("b", n)
    yield f"void main() begin\n  decl carry, {', '.join(bits)};\n" + start(bits)
    yield loop(bits, increment(bits[1:] if stuck else bits, style)) + "  DONE: skip;\nend\n"


def in_callee(n, style, place, stuck=False):
    """The whole loop in a callee that is called twice; the bits are its `locals` or `globals`."""
    bits = names("b", n)
    body = loop(bits, increment(bits[1:] if stuck else bits, style))
    if place == "globals":
        yield f"decl {', '.join(bits)};\nvoid count() begin\n  decl carry;\n{body}end\n"
        yield f"void main() begin\n{start(bits)}  count();\n{start(bits)}  count();\n  DONE: skip;\nend\n"
    else:
        yield f"void count() begin\n  decl carry, {', '.join(bits)};\n{start(bits)}{body}end\n"
        yield "void main() begin\n  count();\n  count();\n  DONE: skip;\nend\n"


def by_callee(n, style, place, stuck=False):
    """The loop in main, each step a call; the bits are `globals`, or formals and `results`."""
    bits = names("b", n)
    listed, moving = ", ".join(bits), bits[1:] if stuck else bits
    if place == "globals":
        yield f"decl {listed};\nvoid inc() begin\n  decl carry;\n{increment(moving, style, '  ')}end\n"
        head, call = "void main() begin\n", "    inc();\n"
    else:
        yield f"bool<{n}> inc({listed}) begin\n  decl carry;\n{increment(moving, style, '  ')}  return {listed};\nend\n"
        head, call = f"void main() begin\n  decl {listed};\n", f"    {listed} := inc({listed});\n"
    yield head + start(bits) + loop(bits, call) + "  DONE: skip;\nend\n"


def nested(n, depth, style, calls=False, stuck=False):
    """`depth` counters of n bits: each step of one is a whole run of the next, with `calls` a procedure."""
    groups = [names(f"{chr(ord('a') + i)}", n) for i in range(depth)]
    every = ", ".join(b for bits in groups for b in bits)
    body = ""
    procedures = []
    for i, bits in reversed(list(enumerate(groups))):
        moving = bits[1:] if stuck and i == 0 else bits
        body = start(bits) + loop(bits, body + increment(moving, style))
        if calls and i:
            procedures.append(f"void level{i}() begin\n  decl carry;\n{body}end\n")
            body = f"  level{i}();\n"
    if calls:
        yield f"decl {every};\n" + "".join(procedures)
    yield "void main() begin\n  decl carry" + ("" if calls else f", {every}") + f";\n{body}  DONE: skip;\nend\n"
