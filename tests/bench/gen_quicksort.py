#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The programs of Esparza & Schwoon, "A BDD-based Model Checker for Recursive Programs" (CAV 2001), in Remopla.

  termination  Fig. 2: Quicksort on indices of n bits, with the array and the pivot abstracted away; the
               first call gets any indices, or those that are given
  sorted       Fig. 3: Quicksort on an array of m numbers of n bits, all of them; UNSORTED is reachable if
               it can come back with the array out of order
  t            Fig. 5: T(N) with an integer 0..7 in each procedure; R is reachable

The Quicksort of the paper is faulty: when no element exceeds the pivot, its first recursive call gets the
same arguments again, so it does not terminate. `--corrected` keeps the pivot out of both parts.
`--random-pivot` takes any element as pivot.
"""

import argparse
import sys

SWAP = "a[{0}] = a[{1}], a[{1}] = a[{0}]"

FAULTY = """
module void quicksort(int left, int right)
{{
  int lo, hi{piv};

  if
    :: left >= right -> return;
    :: else -> {pivot}lo = left, hi = right{take};
  fi;
  do
    :: lo <= hi ->
      if
        :: {above} -> hi = hi - 1;
        :: {below} -> {swap}lo = lo + 1;
      fi;
    :: else -> break;
  od;
  quicksort(left, hi);
  quicksort(lo, right);
}}
"""

CORRECTED = """
module void quicksort(int left, int right)
{{
  int lo, hi, mid{piv};

  if
    :: left >= right -> return;
    :: else -> {pivot}{begin}lo = left + 1, hi = right{take};
  fi;
  do
    :: lo < hi ->
      if
        :: {above} -> hi = hi - 1;
        :: {below} -> {swap}lo = lo + 1;
      fi;
    :: else -> break;
  od;
  if
    :: {last_above} -> mid = lo - 1;
    :: {last_below} -> mid = lo;
  fi;{end}
  if
    :: left < mid -> quicksort(left, mid - 1);
    :: else -> skip;
  fi;
  if
    :: mid < right -> quicksort(mid + 1, right);
    :: else -> skip;
  fi;
}}
"""

ABSTRACT = {"piv": "", "pivot": "", "begin": "", "take": "", "above": "true", "below": "true", "swap": "",
            "last_above": "true", "last_below": "true", "end": ""}


def abstract_main(start):
    return f"""
module void main()
{{
  int left, right;
  {start}
  quicksort(left, right);
  END: skip;
}}
"""


def termination(n, corrected, left="undef", right="undef"):
    """Fig. 2: the indices are arbitrary at the start, unless they are given."""
    yield f"# Quicksort of Fig. 2, {'corrected' if corrected else 'faulty'}, {n} bits\n"
    yield f"define DEFAULT_INT_BITS {n}\ninit main;\n"
    yield (CORRECTED if corrected else FAULTY).format(**ABSTRACT)
    yield abstract_main(f"left = {left}, right = {right};")


def choose_pivot(random_pivot, corrected):
    """What brings the pivot to its place, before lo and hi are set."""
    if not random_pivot:
        return ""
    return ("pick = undef;\n      skip (left <= pick && pick <= right);\n      "
            + SWAP.format("pick", "right") + ";\n      ")


def array(corrected, random_pivot):
    """The parts of Quicksort that the abstraction leaves out. The pivot is a[right] at first; the corrected
    one puts it at a[left] meanwhile."""
    parts = {
        "piv": ", piv" + (", pick" if random_pivot else ""),
        "pivot": choose_pivot(random_pivot, corrected),
        "begin": SWAP.format("left", "right") + ";\n      " if corrected else "",
        "take": ", piv = a[left]" if corrected else ", piv = a[right]",
        "above": "a[hi] > piv",
        "below": "else",
        "swap": SWAP.format("lo", "hi") + "; ",
        "last_above": "a[lo] > piv",
        "last_below": "else",
        "end": "\n  " + SWAP.format("left", "mid") + ";",
    }
    return parts


def sortedness(n, m, corrected, random_pivot):
    """Fig. 3: any array is sorted."""
    words = ("corrected" if corrected else "faulty") + (", random pivot" if random_pivot else "")
    yield f"# Quicksort of Fig. 3, {words}: {m} numbers of {n} bits\n"
    yield f"define DEFAULT_INT_BITS {n}\ndefine M {m}\ninit main;\nint a[M];\n"
    yield (CORRECTED if corrected else FAULTY).format(**array(corrected, random_pivot))
    yield """
module void main()
{
  quicksort(0, M - 1);
  if
    :: E i (0, M - 2) a[i] > a[i + 1] -> UNSORTED: skip;
    :: else -> SORTED: skip;
  fi;
}
"""


def t(count):
    """Fig. 5: each call flips g, which is free at the start."""
    yield f"# T({count}) of Fig. 5\ninit main;\nbool g;\n"
    yield """
module void main()
{
  level1();
  level1();
  if
    :: !g -> R: skip;
    :: else -> skip;
  fi;
}
"""
    for level in range(1, count + 1):
        below = f"level{level + 1}(); level{level + 1}();" if level < count else "skip; skip;"
        yield f"""
module void level{level}()
{{
  int x(3);
  if
    :: g -> x = 0;
      do
        :: x < 7 -> x = x + 1;
        :: else -> break;
      od;
    :: else -> {below}
  fi;
  g = !g;
}}
"""


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", choices=("termination", "sorted", "t"))
    parser.add_argument("numbers", type=int, nargs="+", help="n or n left right; n m; N")
    parser.add_argument("--corrected", action="store_true")
    parser.add_argument("--random-pivot", action="store_true")
    args = parser.parse_args()
    if len(args.numbers) not in {"sorted": (2,), "termination": (1, 3), "t": (1,)}[args.model]:
        parser.error("how many numbers does that model take?")
    if args.model == "t":
        pieces = t(*args.numbers)
    elif args.model == "termination":
        pieces = termination(args.numbers[0], args.corrected, *args.numbers[1:])
    else:
        pieces = sortedness(*args.numbers, args.corrected, args.random_pivot)
    sys.stdout.writelines(pieces)


if __name__ == "__main__":
    main()
