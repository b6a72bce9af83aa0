#!/usr/bin/env python3
"""Runs `bp` on a folder of collected programs and on the probes, and compares the verdicts.

corpus.py --bp PATH [--corpus DIR] [--probes DIR] [--timeout SECONDS]

DIR holds INDEX.tsv (and DERIVED.tsv). Ends with a line `N passed, N failed` and exit status 1 if
anything failed, or exit status 77 (skipped) if there is no folder.
"""

import argparse
import csv
import os
import re
import subprocess
import sys
from pathlib import Path

from boolprog import Options, Parser
from lexer import SourceError
from show import shape

SKIPPED = 77
REFUSED = "concurrent programs are not supported"


class Failure(Exception):
    """bp did not do what is expected; the message says what it did."""


def require(condition, message):
    if not condition:
        raise Failure(message)


def index(path):
    """The rows of a table, none if there is no such file."""
    if not path.exists():
        return
    with open(path, newline="") as file:
        yield from csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)


class Corpus:
    """All questions about the files of one folder."""

    def __init__(self, bp, folder, timeout):
        self.bp, self.folder, self.timeout = bp, folder, timeout

    def run(self, arguments, text=None):
        try:
            return subprocess.run([self.bp, *arguments], input=text, capture_output=True,
                                  text=True, timeout=self.timeout, check=False, cwd=self.folder)
        except subprocess.TimeoutExpired:
            raise Failure(f"no answer in {self.timeout} s: {' '.join(arguments)}") from None

    def checks(self):
        """(name, function) of every check; the function raises Failure."""
        for row in index(self.folder / "INDEX.tsv"):
            yield row["file"], lambda row=row: self.check_row(row)
            if row.get("kind") is None and row["expected"] != "reject" or \
                    row.get("parses") == "OK":
                yield "fmt " + row["file"], lambda row=row: self.check_fmt(row)
        for row in index(self.folder / "DERIVED.tsv"):
            name = f"{row['file']} --entry {row['entry']} {row['target']}"
            yield name, lambda row=row: self.check_derived(row)

    # Verdicts

    def check_row(self, row):
        if row["expected"] == "reject" or row["file"].startswith("foreign/"):
            self.check_rejected(row)
        elif row.get("kind") == "concurrent":
            self.check_refused(row)
        elif row["target"] == "none":
            self.verdict(["check", row["file"]])
        else:
            found = self.verdict(self.question(row))
            expected = row["expected"]
            if expected == "unknown":
                expected = row["computed"]
            require(found == expected, f"{found}, not {expected}")

    @staticmethod
    def question(row):
        """The command for the target of a row."""
        if row["target"].startswith("label:"):
            return ["reach", row["file"], row["target"][6:]]
        return ["check", row["file"]]

    def verdict(self, arguments, text=None):
        result = self.run(arguments, text)
        require(result.returncode in (0, 1),
                f"exit {result.returncode} from {' '.join(arguments)}: {result.stderr.strip()}")
        first = result.stdout.split("\n", 1)[0]
        reachable = re.match(r"check: FAILED|reach: \S+ reachable$", first)
        unreachable = re.match(r"check: safe$|reach: \S+ unreachable$", first)
        require(reachable if result.returncode else unreachable,
                f"exit {result.returncode} but first line {first!r}")
        return "reachable" if reachable else "unreachable"

    def check_rejected(self, row):
        result = self.run(["check", row["file"]])
        require(result.returncode == 2, f"exit {result.returncode}, not 2")
        require(not result.stdout, "something on standard output")
        require(re.search(rf"^{re.escape(row['file'])}:\d+:\d+: error: ", result.stderr, re.M),
                f"no FILE:LINE:COLUMN: error: but {result.stderr!r}")

    def check_refused(self, row):
        """A concurrent file, asked without --entry; without a main that may be said instead."""
        result = self.run(self.question(row))
        require(result.returncode == 2, f"exit {result.returncode}, not 2")
        require(not result.stdout, "something on standard output")
        tree = Parser((self.folder / row["file"]).read_text(), Options()).program()
        require(REFUSED in result.stderr or ("main" not in tree.procs and "main" in result.stderr),
                f"refused with {result.stderr!r}")

    def check_derived(self, row):
        found = self.verdict(["reach", "--entry", row["entry"], row["file"], row["target"]])
        require(row["computed"] in (found, "unknown (reference too slow)"),
                f"{found}, not {row['computed']}")

    # Formatting

    def check_fmt(self, row):
        text = (self.folder / row["file"]).read_text()
        before = Parser(text, Options()).program()
        result = self.run(["fmt", row["file"]])
        if result.returncode == 2 and "main" not in before.procs and "main" in result.stderr:
            return
        require(result.returncode == 0, f"fmt: exit {result.returncode}: {result.stderr.strip()}")
        once = result.stdout
        try:
            after = Parser(once, Options()).program()
        except SourceError as error:
            raise Failure(f"fmt printed what does not parse: {error}") from None
        require(shape(after) == shape(before), "fmt printed another program")
        twice = self.run(["fmt", "-"], once)
        require(twice.stdout == once, "formatting twice differs from formatting once")
        self.same_verdict(row, once)

    def same_verdict(self, row, text):
        command, path, *target = self.question(row)
        if row.get("kind") == "concurrent" or row["target"] == "none":
            return
        require(self.verdict([command, path, *target]) ==
                self.verdict([command, "-", *target], text), "the formatted program differs")


def main():
    parser = argparse.ArgumentParser(description="Compare bp with known verdicts.")
    parser.add_argument("--bp", required=True)
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--probes", type=Path)
    parser.add_argument("--timeout", type=float, default=120)
    arguments = parser.parse_args()
    folders = [folder for folder in (arguments.corpus, arguments.probes)
               if folder and (folder / "INDEX.tsv").exists()]
    if not folders:
        print("skipped: there is no folder with an INDEX.tsv")
        return SKIPPED
    passed = failed = 0
    for folder in folders:
        for name, check in Corpus(os.path.abspath(arguments.bp), folder.resolve(),
                                  arguments.timeout).checks():
            try:
                check()
                passed += 1
            except Failure as failure:
                failed += 1
                print(f"{name}: {failure}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
