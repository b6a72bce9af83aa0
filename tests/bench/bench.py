#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs bp on families of programs, prints a table, and fails when a verdict is wrong.

Each case is a process of its own; of R runs the smallest of each measurement counts. A case that
takes too long is recorded as such and is no failure. --against runs a second bp in turn with the
first and prints ratios, BP by OTHER: below 1 BP is better. --peer asks another tool as well and
prints how many times longer it takes. The JSON result is what compare.py reads.

Families: t, calls, counters, mix, wide, driver, odd, quicksort, parse, and with --corpus also real.
"""

import argparse
import fnmatch
import json
import pathlib
import sys
import tempfile

import families
import measure
import peers

VERDICT = 24
COLUMNS = {  # heading: (key, factor)
    "wall s": ("wall_seconds", 1),
    "cpu s": ("cpu_seconds", 1),
    "parse s": ("parse_seconds", 1),
    "build s": ("build_seconds", 1),
    "engine s": ("engine_seconds", 1),
    "ns/edge": ("ns_per_edge", 1),
    "nodes": ("peak_nodes", 1),
    "images": ("images", 1),
    "MB": ("peak_rss", 1e-6),
}
READING = {
    "wall s": ("wall_seconds", 1),
    "cpu s": ("cpu_seconds", 1),
    "parse s": ("parse_seconds", 1),
    "MB/s": ("mb_per_second", 1),
    "B/stmt": ("bytes_per_statement", 1),
    "text/stmt": ("text_per_statement", 1),
    "MB": ("peak_rss", 1e-6),
}


def cell(value):
    if value is None:
        return "-"
    if not isinstance(value, float):
        return str(value)
    for below, form in ((10, ".4f"), (1000, ".1f"), (1e7, ".0f")):
        if value < below:
            return f"{value:{form}}"
    return f"{value:.2e}"


def ratio(row, other, key):
    """How row compares with other, as text."""
    if not measure.solved(row):
        return "lost" if measure.solved(other) else "-"
    if not measure.solved(other):
        return "gained"
    return f"{row[key] / other[key]:.3f}" if other.get(key) and key in row else "-"


def times(told, row):
    """How many times longer the peer took, as text."""
    if not measure.solved(row) or "wall_seconds" not in told:
        return "-"
    return f"{'' if measure.solved(told) else '>'}{told['wall_seconds'] / row['wall_seconds']:.1f}"


class Bench:
    """A run of the whole."""

    def __init__(self, options):
        self.options = options
        self.memory = options.memory * 1000000
        self.width = 28
        self.reading = None
        self.wrong = []
        self.peer = None
        if options.peer:
            try:
                self.peer = peers.Z3(options.translator or options.bp)
            except peers.NoPeer as problem:
                print(f"no peer: {problem}", file=sys.stderr)

    def headings(self, case):
        """The heading of the columns, when it changes."""
        reading = case.reads
        columns = READING if reading else COLUMNS
        if self.reading != reading:
            self.reading = reading
            line = f"{'':{self.width}} {'':{VERDICT}}" + "".join(f"{name:>11}" for name in columns)
            if self.options.against:
                line += f"{'wall':>20}{'parse' if reading else 'engine':>20}"
            if self.peer and not reading:
                line += f"{self.peer.name + ' s':>12}{'times':>10}"
            print(line, flush=True)
        return columns

    def measured(self, case, path):
        """The rows of BP and, if there is one, of OTHER; their runs alternate."""
        o = self.options
        sides = [(o.bp, o.bp_option)] + ([(o.against, o.against_option)] if o.against else [])
        rows, spent = [None] * len(sides), 0.0
        for turn in range(o.repeat):
            order = range(len(sides)) if turn % 2 == 0 else reversed(range(len(sides)))
            for i in order:
                if rows[i] is None or measure.solved(rows[i]):
                    row = self.once(*sides[i], case, path)
                    rows[i] = measure.merge(rows[i], row)
                    spent += row["wall_seconds"]
            if spent > o.timeout:
                break
        return rows

    def once(self, bp, bp_options, case, path):
        try:
            return measure.once(bp, case, path, bp_options, self.options.timeout, self.memory)
        except measure.WrongAnswer as problem:
            raise measure.WrongAnswer(f"{bp}: {problem}") from None

    def judge(self, case, *rows):
        """All that have an answer must have the same."""
        verdicts = [row["verdict"] for row in rows if row and row["verdict"] in families.VERDICTS]
        if len(set(verdicts)) > 1 or (case.expected and set(verdicts) - {case.expected}):
            raise measure.WrongAnswer("bp, the other bp or the peer: " + ", ".join(verdicts))

    def case(self, case, folder):
        """Runs one case: its row."""
        path = case.path
        if path is None:
            path = folder / f"case{case.suffix}"
            with path.open("w", encoding="ascii") as out:
                out.writelines(case.text())
        columns, floor = self.headings(case), 1.05 * measure.floor()
        row, *others = (measure.finish(r, path.stat().st_size, case.statements) for r in self.measured(case, path))
        line = f"{case.name:{self.width}} {row['verdict']:{VERDICT}}"
        for key, factor in columns.values():
            value = row.get(key)
            small = key == "peak_rss" and value and value <= floor
            line += f"{'<' + cell(round(floor / 1e6)) if small else cell(value and value * factor):>11}"
        for other in others:
            row["against"] = other
            for key in ("wall_seconds", "parse_seconds" if case.reads else "engine_seconds"):
                line += f"{ratio(row, other, key):>20}"
        if self.peer and case.peer and case.target:
            told = row["peer"] = self.peer.ask(
                case, path, folder, self.options.timeout, self.memory, self.options.repeat
            )
            line += f"{cell(told['wall_seconds']) if measure.solved(told) else told['verdict'][:11]:>12}"
            line += f"{times(told, row):>10}"
        print(line, flush=True)
        self.judge(case, row, *others, row.get("peer"))
        return row

    def run(self, cases):
        """Runs all cases: {name: row}."""
        result = {}
        self.width = max([len(case.name) for case in cases], default=0)
        with tempfile.TemporaryDirectory(prefix="bp-bench-") as folder:
            for case in cases:
                try:
                    result[case.name] = self.case(case, pathlib.Path(folder))
                except measure.WrongAnswer as problem:
                    self.wrong.append(case.name)
                    print(f"{case.name:{self.width}} WRONG: {problem}", flush=True)
        return result


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bp", metavar="BP", help="the command to measure")
    parser.add_argument("--families", metavar="A,B", help="these only")
    parser.add_argument("--cases", metavar="PATTERN", default="*", help="those only whose name matches, as in 'T(*'")
    parser.add_argument("--quick", action="store_true", help="the quick cases only")
    parser.add_argument("--list", action="store_true", help="print the cases, run nothing")
    parser.add_argument("--print", metavar="NAME", help="print the program of a case, run nothing")
    parser.add_argument("--timeout", metavar="S", type=float, default=60, help="for each run (default: %(default)s)")
    parser.add_argument("--memory", metavar="MB", type=int, default=6000, help="for each run (default: %(default)s)")
    parser.add_argument("--repeat", metavar="R", type=int, default=3,
                        help="runs of a case, fewer when they take long (default: %(default)s)")  # fmt: skip
    parser.add_argument("--json", metavar="FILE", type=pathlib.Path, help="write the result here")
    parser.add_argument("--corpus", metavar="DIR", type=pathlib.Path, help="a folder with an INDEX.tsv")
    parser.add_argument("--bp-option", metavar="OPT", action="append", default=[],
                        help="an option for BP, as in --bp-option=--shortest; several times for several")  # fmt: skip
    parser.add_argument("--against", metavar="OTHER", help="a second bp, run in turn with the first")
    parser.add_argument("--against-option", metavar="OPT", action="append", default=[], help="an option for OTHER")
    parser.add_argument("--peer", choices=["z3"], help="another tool to ask, where the case is not too large")
    parser.add_argument("--translator", metavar="BP", help="the bp whose `fmt --chc` asks the peer (default: BP)")
    options = parser.parse_args()
    options.every = [*families.FAMILIES] + ([families.REAL] if options.corpus else [])
    options.chosen = options.families.split(",") if options.families else options.every
    for name in options.chosen:
        if name not in options.every:
            parser.error(f"no family {name}; there are {', '.join(options.every)}, and real with --corpus")
    if options.repeat < 1:
        parser.error("--repeat must be at least 1")
    return options


def main():
    options = arguments()
    efforts = ("quick",) if options.quick else ("quick", "full")
    cases = list(families.cases(options.chosen, efforts, options.corpus))
    if options.print:
        for case in (c for c in cases if c.name == options.print):
            sys.stdout.writelines([case.path.read_text(encoding="utf-8")] if case.path else case.text())
            return 0
        sys.exit(f"no case {options.print}; see --list")
    cases = [case for case in cases if fnmatch.fnmatchcase(case.name, options.cases)]
    if options.list:
        for case in cases:
            print(f"{case.family:10}{case.effort:7}{case.name:36}{case.expected or '-'}")
        return 0
    bench = Bench(options)
    result = bench.run(cases)
    if options.json:
        options.json.write_text(json.dumps(result, indent=1) + "\n", encoding="ascii")
    without = [name for name, row in result.items() if not measure.solved(row)]
    print(f"{len(cases)} cases, {len(without)} without an answer, {len(bench.wrong)} wrong")
    return 1 if bench.wrong or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
