#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The benchmarks' own test: generators give the same program each time, bp reads it and answers as is
known, a wrong answer is seen, and compare.py tells better from worse.  usage: selftest.py BP
"""

import argparse
import contextlib
import dataclasses
import io
import json
import pathlib
import subprocess
import sys
import tempfile

import compare
import families
import gen_text
import measure
import paper_tables

FLIPPED = {families.REACHABLE: families.UNREACHABLE, families.UNREACHABLE: families.REACHABLE}


def generators(bp, folder):
    """Complaints about the tiny cases."""
    names = set()
    for case in families.cases(families.FAMILIES, ("tiny", "quick", "full")):
        if (case.family, case.name) in names:
            yield f"{case.name}: there are two"
        names.add((case.family, case.name))
    for case in families.cases(families.FAMILIES, ("tiny",)):
        path = folder / f"case{case.suffix}"
        text = "".join(case.text())
        if text != "".join(case.text()):
            yield f"{case.name}: another program the second time"
        path.write_text(text, encoding="ascii")
        try:
            row = measure.once(bp, case, path, [], 20, None)
        except measure.WrongAnswer as problem:
            yield f"{case.name}: {problem}"
            continue
        if not case.reads and row["verdict"] != case.expected:
            yield f"{case.name}: {row['verdict']}, but it is {case.expected}"


def counting(bp, folder):
    path = folder / "text.bp"
    path.write_text("".join(gen_text.text(500)), encoding="ascii")
    done = subprocess.run([bp, "info", "--json", path], capture_output=True, text=True, check=True)
    if json.loads(done.stdout)["statements"] != gen_text.size(500):
        yield "gen_text.size() is not what bp info counts"


def noticing(bp, folder):
    """A verdict that is not the expected one, and a limit, must be noticed."""
    case = next(families.cases(["counters"], ("tiny",)))
    path = folder / "case.bp"
    path.write_text("".join(case.text()), encoding="ascii")
    try:
        measure.once(bp, dataclasses.replace(case, expected=FLIPPED[case.expected]), path, [], 20, None)
        yield "a wrong verdict is not seen"
    except measure.WrongAnswer:
        pass
    if measure.run([sys.executable, "-c", "while True: pass"], 0.05).late is not True:
        yield "a process that takes too long is not seen"


def comparing():
    """compare.py on results made by hand."""
    row = {"verdict": "reachable", "wall_seconds": 1.0, "engine_seconds": 0.5, "peak_nodes": 10}
    slow, late = {**row, "wall_seconds": 1.5}, {"verdict": "timeout", "timeout": 20}
    short, longer = {**row, "wall_seconds": 0.001}, {**row, "wall_seconds": 0.002}
    examples = {  # (old, new, limits) and whether that is bad
        "equal": (row, row, {"fail_above": 1.1}, False),
        "slower, no limit": (row, slow, {}, False),
        "slower": (row, slow, {"fail_above": 1.1}, True),
        "faster": (slow, row, {"fail_above": 1.1}, False),
        "noise": (short, longer, {"fail_above": 1.1}, False),
        "less noise": (short, longer, {"fail_above": 1.1, "noise": 0.0001}, True),
        "lost": (row, late, {"fail_above": 1.1}, True),
        "solved": (late, row, {"fail_above": 1.1}, False),
        "never solved": (late, late, {"fail_above": 1.1}, False),
        "another verdict": (row, {**row, "verdict": "unreachable"}, {}, True),
        "a row without verdict": ({"wall_seconds": 1.0}, row, {"fail_above": 1.1}, False),
    }
    for name, (old, new, limits, expected) in examples.items():
        with contextlib.redirect_stdout(io.StringIO()):
            bad = compare.compare({"case": old}, {"case": new}, **limits)
        if bool(bad) != expected:
            yield f"compare.py, {name}: {bad}"
    if not compare.compare({}, {}):
        yield "compare.py compares nothing"


def tables(bp):
    """The paper's tables in small, all answers right; and a wrong one is seen."""
    small = ["--bits", "2", "--sizes", "2x3", "--ablation", "2", "--counts", "3", "--runs", "1"]
    script = [sys.executable, "-B", paper_tables.__file__, bp]
    done = subprocess.run([*script, *small], capture_output=True, text=True, check=False)
    if done.returncode != 0 or "\n45 answers, 0 wrong" not in done.stdout:
        yield f"paper_tables.py: {done.stdout[-200:]}{done.stderr[-200:]}"
    options = argparse.Namespace(bp=bp, timeout=20, runs=1, memory=1000)
    false = dataclasses.replace(paper_tables.ends(2, True), expected=families.VIOLATED)
    with contextlib.redirect_stdout(io.StringIO()):
        seen = paper_tables.Tables(options)
        seen.row(false)
    if seen.wrong != 1:
        yield "paper_tables.py does not see a wrong answer"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bp", metavar="BP")
    bp = parser.parse_args().bp
    with tempfile.TemporaryDirectory(prefix="bp-bench-") as name:
        folder = pathlib.Path(name)
        complaints = [*generators(bp, folder), *counting(bp, folder), *noticing(bp, folder), *comparing(), *tables(bp)]
    for complaint in complaints:
        print(complaint)
    print(f"{len(complaints)} complaints")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
