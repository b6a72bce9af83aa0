#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The sizes of the automata of the usual benchmark formulas, as docs/ltl.md has them.

usage: ltl_sizes.py build/tests/oracle/ltl_many [--each] [--negated] [--check] [--families dwyer,eh,sb]

For each family the sums of states and edges, as generalised automata and with one acceptance set, how many
are deterministic, and the time. An edge is a triple of states and sets with all its letters. --check fails when
there are more states than docs/ltl.md says.
"""

import argparse
import subprocess
import sys
import time

from ltl_formulas import FAMILIES


MOST = {"dwyer": (206, 208), "eh": (33, 39), "sb": (72, 75)}


def measure(many, formulas):
    """For each formula {kind: (states, edges, sets, deterministic)}, and the seconds for all."""
    begin = time.monotonic()
    done = subprocess.run([many, "--sizes"], input="\n".join(formulas) + "\n", stdout=subprocess.PIPE, text=True, check=True)
    seconds, rows, row, kind = time.monotonic() - begin, [], {}, None
    for line in done.stdout.splitlines():
        if line == "== end":
            rows.append(row)
            row = {}
        elif line.startswith("== "):
            kind = line[3:]
        else:
            row[kind] = tuple(int(n) for n in line.split()) if kind != "error" else line
    if any("error" in row for row in rows) or len(rows) != len(formulas):
        sys.exit(f"errors: {[row['error'] for row in rows if 'error' in row]}")
    return rows, seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("many")
    parser.add_argument("--each", action="store_true", help="a line for each formula")
    parser.add_argument("--negated", action="store_true", help="the negations instead")
    parser.add_argument("--check", action="store_true", help="fail when there are more states than before")
    parser.add_argument("--families", default=",".join(FAMILIES))
    args = parser.parse_args()
    print("| formulas | number | states | edges | deterministic | states, one set | edges, one set | seconds |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for name in args.families.split(","):
        formulas = [f"!({f})" if args.negated else f for f in FAMILIES[name]]
        rows, seconds = measure(args.many, formulas)
        if args.each:
            for number, (formula, row) in enumerate(zip(formulas, rows), 1):
                print(f"| {name} {number} `{formula}` | | " + " | ".join(map(str, row["tgba"][:2] + row["tgba"][3:] + row["one"][:2])) + " | |")
        sums = [sum(row[kind][i] for row in rows) for kind, i in (("tgba", 0), ("tgba", 1), ("tgba", 3), ("one", 0), ("one", 1))]
        if args.check and (sums[0] > MOST[name][0] or sums[3] > MOST[name][1]):
            sys.exit(f"{name}: {sums[0]} and {sums[3]} states, more than {MOST[name]}")
        print(f"| {name} | {len(rows)} | " + " | ".join(map(str, sums)) + f" | {seconds:.2f} |")


if __name__ == "__main__":
    main()
