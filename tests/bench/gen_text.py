# SPDX-License-Identifier: MIT
"""A text of any length, for the parser: procedures of a hundred statements of all common kinds."""

import random

BODY = """  {a} := {b} & !{c};
  {a}, {b} := {b} | ({c} ^ {a}), *;
  if ({a} = {b}) then
    {c} := {a};
  elsif (!({b} | {c})) then
    skip;
  else
    {a} := schoose[{b}, {c} & {a}];
  fi
  while ({b} & *) do
    {b} := !{b};  // until {c}
    L{i}: skip;
  od
  {a} := p{callee}({b}, {c});
  assume({a} | !{a});
  assert({b} => {c} | {a});
"""
STATEMENTS = 13  # of BODY: each of if, elsif and while is one


def text(statements, seed=1):
    """The pieces of a program of this many statements, rounded down to whole procedures of 105."""
    rng = random.Random(f"text {seed}")
    variables = [f"device_state_{i}" for i in range(100)]
    count = max(1, statements // (8 * STATEMENTS + 1))
    yield f"decl {', '.join(variables)};\n\nvoid main()\nbegin\n  decl r;\n  r := p0(r, r);\nend\n"
    for i in range(count):
        pieces = [f"\nbool p{i}(a, b)\nbegin\n  decl x, y, z;\n"]
        for j in range(8):
            a, b, c = rng.choice("xyz"), rng.choice(variables), rng.choice("abxyz")
            pieces.append(BODY.format(a=a, b=b, c=c, i=j, callee=rng.randrange(count)))
        pieces.append("  return x;\nend\n")
        yield "".join(pieces)


def size(statements):
    """How many statements text() really has."""
    return 1 + (8 * STATEMENTS + 1) * max(1, statements // (8 * STATEMENTS + 1))
