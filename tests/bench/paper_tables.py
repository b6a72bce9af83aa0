#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The experiments of Esparza & Schwoon, "A BDD-based Model Checker for Recursive Programs" (CAV 2001), as tables.

  2  does Quicksort end?  faulty and corrected, by bits
  3  does Quicksort sort?  by bits and elements, with the last element and with any element as pivot
  4  what each improvement brings: parts left out, the other searches; and by search what `post*` first
     brings, when the first call gets any indices or 0 and 3
  5  T(N) with a number 0..7 in each procedure: time and nodes by N

Each answer is known; another one is a failure. The programs are those of gen_quicksort.py. Engine seconds
and the most live BDD nodes, of the fastest of the runs; `-`: no answer within the timeout.
"""

import argparse
import dataclasses
import functools
import pathlib
import sys
import tempfile

import families
import gen_quicksort
import measure

SIZES = ((3, 4), (3, 5), (3, 6), (4, 4), (4, 5), (4, 6), (4, 7))
# Options of bp, and what they are called.
SWITCHES = (
    ("everything on", ()),
    ("without the variable order", ("--engine-off=order",)),
    ("without live ranges", ("--engine-off=live",)),
    ("without closed loops", ("--engine-off=loop",)),
    ("without `post*` first", ("--engine-off=post",)),
    ("closures of heads alone", ("--search=closure",)),
    ("the same, no monotone variables", ("--search=closure", "--ltl-off=monotone")),
    ("Emerson & Lei alone", ("--search=emerson-lei",)),
    ("Xie & Beerel alone", ("--search=xie-beerel",)),
)
SEARCHES = (
    ("default", ()),
    ("closures of heads", ("--search=closure",)),
    ("Emerson & Lei", ("--search=emerson-lei",)),
    ("Xie & Beerel", ("--search=xie-beerel",)),
)


def ends(n, corrected, *first):
    text = functools.partial(gen_quicksort.termination, n, corrected, *first)
    return families.Case("paper", f"ends({n})", "full", text, target="F terminated", command="ltl", suffix=".rem",
                         expected=families.HOLDS if corrected else families.VIOLATED)  # fmt: skip


def sorts(n, m, corrected, random_pivot):
    text = functools.partial(gen_quicksort.sortedness, n, m, corrected, random_pivot)
    return families.Case("paper", f"sorts({n},{m})", "full", text, target="UNSORTED", suffix=".rem",
                         expected=families.UNREACHABLE)  # fmt: skip


def comes_back(n, m, corrected, random_pivot):
    """The same program gets to its end, with the array in order."""
    case = sorts(n, m, corrected, random_pivot)
    return dataclasses.replace(case, target="SORTED", expected=families.REACHABLE)


def t(count):
    text = functools.partial(gen_quicksort.t, count)
    return families.Case("paper", f"T({count})", "full", text, target="R", suffix=".rem", expected=families.REACHABLE)


class Tables:
    """Prints tables, and remembers what was wrong."""

    def __init__(self, options):
        self.bp, self.timeout, self.runs = options.bp, options.timeout, options.runs
        self.memory = options.memory * 1000000
        self.wrong = self.answers = 0

    def row(self, case, options=()):
        """The measurements of a case; None: no answer."""
        best = None
        with tempfile.TemporaryDirectory(prefix="bp-bench-") as folder:
            path = pathlib.Path(folder) / f"case{case.suffix}"
            path.write_text("".join(case.text()), encoding="ascii")
            for _ in range(self.runs):
                try:
                    row = measure.once(self.bp, case, path, options, self.timeout, self.memory)
                except measure.WrongAnswer as problem:
                    print(f"WRONG: {case.name} {' '.join(options)}: {problem}", flush=True)
                    self.wrong += 1
                    return None
                if not measure.solved(row):
                    return None
                best = measure.merge(best, row)
                if best["wall_seconds"] * self.runs > self.timeout:
                    break
        self.answers += 1
        return best

    def seconds(self, row):
        if row is None:
            return "-"
        value = row["engine_seconds"]
        return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2g}"

    def pair(self, row):
        return f"{self.seconds(row)} | {row['peak_nodes'] if row else '-'}"

    def head(self, title, *columns):
        print(f"\n{title}\n\n| {' | '.join(columns)} |\n|{' --- |' * len(columns)}", flush=True)

    def fig2(self, bits):
        self.head("Fig. 2: Quicksort ends", "bits", "faulty, s", "nodes", "corrected, s", "nodes")
        for n in bits:
            rows = [self.row(ends(n, corrected)) for corrected in (False, True)]
            print(f"| {n} | {self.pair(rows[0])} | {self.pair(rows[1])} |", flush=True)

    def fig3(self, sizes):
        self.head("Fig. 3: Quicksort sorts", "bits, elements", "faulty, s", "nodes", "any pivot, s", "nodes",
                  "corrected, s", "nodes", "any pivot, s", "nodes")  # fmt: skip
        for n, m in sizes:
            cells = []
            for corrected in (False, True):
                for pivot in (False, True):
                    if self.row(comes_back(n, m, corrected, pivot)) is None:
                        print(f"no answer whether sorts({n},{m}) comes back", flush=True)
                    cells.append(self.pair(self.row(sorts(n, m, corrected, pivot))))
            print(f"| {n}, {m} | {' | '.join(cells)} |", flush=True)

    def fig4(self, bits):
        columns = [f"{word}, {n} bits, s" for word in ("faulty", "corrected") for n in bits]
        self.head("Fig. 4: what each improvement brings when Quicksort ends", "", *columns)
        for name, options in SWITCHES:
            cells = [self.seconds(self.row(ends(n, corrected), options)) for corrected in (False, True) for n in bits]
            print(f"| {name} | {' | '.join(cells)} |", flush=True)

        self.post_first(bits)

    def post_first(self, bits):
        columns = [f"{first or 'any'}, {n} bits, {word}, s" for first in ((), (0, 3)) for n in bits
                   for word in ("with", "without")]  # fmt: skip
        self.head("Fig. 4: Quicksort corrected, with and without `post*` first", "search", *columns)
        for name, search in SEARCHES:
            cells = [self.seconds(self.row(ends(n, True, *first), search + off)) for first in ((), (0, 3)) for n in bits
                     for off in ((), ("--engine-off=post",))]  # fmt: skip
            print(f"| {name} | {' | '.join(cells)} |", flush=True)

    def fig5(self, counts):
        self.head("Fig. 5: T(N) with a number", "N", "engine, s", "nodes", "whole process, s")
        for count in counts:
            row = self.row(t(count))
            whole = f"{row['cpu_seconds']:.2f}" if row else "-"
            print(f"| {count} | {self.pair(row)} | {whole} |", flush=True)


def numbers(text):
    return [int(word) for word in text.split(",")]


def sizes(text):
    return [tuple(int(word) for word in pair.split("x")) for pair in text.split(",")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bp", metavar="BP", help="the command to measure")
    parser.add_argument("--tables", metavar="2,3", default=[2, 3, 4, 5], type=numbers, help="these only")
    parser.add_argument("--bits", metavar="N,N", default=[*range(3, 11), 12, 16], type=numbers, help="of Fig. 2")
    parser.add_argument("--sizes", metavar="NxM,NxM", default=SIZES, type=sizes, help="of Fig. 3: bits, elements")
    parser.add_argument("--ablation", metavar="N,N", default=[4, 6, 8], type=numbers, help="bits of Fig. 4")
    parser.add_argument("--counts", metavar="N,N", default=[200, 1000, 2000, 3000, 5000], type=numbers, help="of Fig. 5")
    parser.add_argument("--timeout", metavar="S", type=float, default=60, help="for each run (default: %(default)s)")
    parser.add_argument("--memory", metavar="MB", type=int, default=6000, help="for each run (default: %(default)s)")
    parser.add_argument("--runs", metavar="R", type=int, default=3,
                        help="of each case, fewer when they take long (default: %(default)s)")  # fmt: skip
    options = parser.parse_args()
    if options.runs < 1:
        parser.error("--runs must be at least 1")
    tables = Tables(options)
    for number, print_table, argument in ((2, tables.fig2, options.bits), (3, tables.fig3, options.sizes),
                                          (4, tables.fig4, options.ablation), (5, tables.fig5, options.counts)):  # fmt: skip
        if number in options.tables:
            print_table(argument)
    print(f"\n{tables.answers} answers, {tables.wrong} wrong")
    return 1 if tables.wrong or not tables.answers else 0


if __name__ == "__main__":
    sys.exit(main())
