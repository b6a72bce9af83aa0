#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares two results of bench.py as ratios, second by first: below 1 the second is better.
usage: compare.py OLD.json NEW.json [--fail-above RATIO] [--noise SECONDS]

With --fail-above, exits 1 when a wall or engine time grew by more than that, or an answer was lost.
Times that differ by less than the noise count as equal. A different verdict always fails.
"""

import argparse
import json
import math
import pathlib
import sys

TIMES = ["wall_seconds", "cpu_seconds", "parse_seconds", "build_seconds", "engine_seconds"]
COLUMNS = [*TIMES, "ns_per_edge", "peak_nodes", "images", "peak_rss"]
JUDGED = ["wall_seconds", "engine_seconds"]


def answered(row):
    """Whether a row has an answer; rows of old had no verdict, and always one."""
    verdict = row.get("verdict", "")
    return verdict != "timeout" and not verdict.startswith("undecided")


def ratio(old, new, column, noise):
    """new by old, 1 within the noise, None where one is not known."""
    if column not in old or column not in new:
        return None
    a, b = old[column], new[column]
    if column in TIMES and abs(a - b) < noise:
        return 1.0
    if column == "ns_per_edge":  # as noisy as the time it is made of
        a, b = old["engine_seconds"], new["engine_seconds"]
        if abs(a - b) < noise:
            return 1.0
    return b / a if a else (1.0 if not b else math.inf)


def fate(old, new):
    """What became of a case without an answer on one side, and whether that is bad."""
    if answered(old):
        return f"lost: {new['verdict']}", True
    if answered(new):
        return f"solved in {new['wall_seconds']:.3f} s, was {old['verdict']}", False
    return f"no answer in both: {old['verdict']}, {new['verdict']}", False


def mean(ratios):
    """The geometric mean."""
    usable = [r for r in ratios if r and math.isfinite(r)]
    return math.exp(sum(map(math.log, usable)) / len(usable)) if usable else None


def cell(value):
    return f"{'-' if value is None else f'{value:.3f}':>16}"


def compare(old, new, fail_above=math.inf, noise=0.002):
    """Prints the ratios of two results: what is worse than allowed."""
    both = [name for name in old if name in new]
    width = max([12, *map(len, {*old, *new})]) + 1
    bad = []
    found = {}  # (family, column): ratios
    print(f"{'':{width}}" + "".join(f"{c:>16}" for c in COLUMNS))
    for name in both:
        a, b = old[name], new[name]
        if not answered(a) or not answered(b):
            text, lost = fate(a, b)
            print(f"{name:{width}}  {text}")
            if lost and math.isfinite(fail_above):
                bad.append(f"{name}: {text}")
            continue
        if a.get("verdict", b.get("verdict")) != b.get("verdict", a.get("verdict")):
            bad.append(f"{name}: {a['verdict']}, then {b['verdict']}")
        ratios = {c: ratio(a, b, c, noise) for c in COLUMNS}
        print(f"{name:{width}}" + "".join(cell(ratios[c]) for c in COLUMNS))
        for c in COLUMNS:
            found.setdefault((b.get("family", "all"), c), []).append(ratios[c])
        bad += [f"{name}: {c} grew {ratios[c]:.3f} times" for c in JUDGED if (ratios[c] or 0) > fail_above]
    print("\ngeometric means")
    for family in dict.fromkeys(family for family, _ in found):
        print(f"{family:{width}}" + "".join(cell(mean(found[family, c])) for c in COLUMNS))
    for name in sorted(set(old) ^ set(new)):
        print(f"{name:{width}}  only in the {'old' if name in old else 'new'} result")
    return bad if both else ["nothing to compare"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=pathlib.Path)
    parser.add_argument("new", type=pathlib.Path)
    parser.add_argument("--fail-above", metavar="RATIO", type=float, default=math.inf)
    parser.add_argument("--noise", metavar="SECONDS", type=float, default=0.002, help="(default: %(default)s)")
    options = parser.parse_args()
    old, new = (json.loads(p.read_text(encoding="ascii")) for p in (options.old, options.new))
    bad = compare(old, new, options.fail_above, options.noise)
    for complaint in bad:
        print(f"FAIL {complaint}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
