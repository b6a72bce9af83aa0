#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""T(N) of the Bebop paper (SPIN 2000, Fig. 4): N procedures, each with a 3-bit counter, each called
twice by the one before it.

Every call flips g. Label `reach` in main can be reached, for g is free at the start; with --safe g
starts with 1 and the label cannot be reached.
"""

import argparse
import sys

MAIN = """decl g{start};

void main()
begin
  level1();
  level1();
  if (!g) then
    reach: skip;
  else
    skip;
  fi
end
"""

LEVEL = """
void level{level}()
begin
  decl a, b, c;
  if (g) then
    a, b, c := 0, 0, 0;
    while (!a | !b | !c) do
      if (!a) then
        a := 1;
      elsif (!b) then
        a, b := 0, 1;
      elsif (!c) then
        a, b, c := 0, 0, 1;
      fi
    od
  else
    {below};
    {below};
  fi
  g := !g;
end
"""


def program(n, safe=False):
    """The pieces of T(n)."""
    yield MAIN.format(start=" := 1" if safe else "")
    for level in range(1, n + 1):
        yield LEVEL.format(level=level, below=f"level{level + 1}()" if level < n else "skip")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("n", metavar="N", type=int, help="how many procedures; the program is printed")
    parser.add_argument("--safe", action="store_true", help="g starts with 1")
    options = parser.parse_args()
    if options.n < 1:
        parser.error("N must be at least 1")
    sys.stdout.writelines(program(options.n, options.safe))
