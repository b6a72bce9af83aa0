#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the command bp on data-driven cases and reports in TAP.

usage: run_cases.py BP SCHEMA CASES [NAME...]

CASES is a folder. A case NAME is

    NAME.args     the arguments, quoted as in a shell; a last `< FILE` feeds standard input
    NAME.expect   `exit N`, then standard output to the letter
    NAME.json     instead of the output in NAME.expect: a document whose keys and values the output
                  must have; it may have more keys in objects
    NAME.has      instead of it: lines that must occur in this order
    NAME.err      lines that must occur on standard error in this order, as parts of lines; without
                  it, standard error must be empty unless the status is 2

bp runs in CASES. What --json prints is checked against SCHEMA too. Cases of reach, check, ltl and configs are run
once more with --kernel=buddy, unless they are refused (exit 2) or choose what does not go with it.
"""

import json
import os
import pathlib
import shlex
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import schema as schemas

TIMEOUT = 120


def subset(expected, got, at="$"):
    """Complaints where `got` lacks what `expected` has."""
    if isinstance(expected, dict) and isinstance(got, dict):
        for key, value in expected.items():
            if key not in got:
                yield f"{at}: no {key}"
            else:
                # states are whole: a value too many is a wrong one
                if key == "state" and value != got[key]:
                    yield f"{at}.state: {got[key]} instead of {value}"
                yield from subset(value, got[key], f"{at}.{key}")
    elif isinstance(expected, list) and isinstance(got, list):
        if len(expected) != len(got):
            yield f"{at}: {len(got)} items instead of {len(expected)}"
        for i, (e, g) in enumerate(zip(expected, got)):
            yield from subset(e, g, f"{at}[{i}]")
    elif not schemas.same(expected, got):
        yield f"{at}: {got!r} instead of {expected!r}"


def in_order(parts, text):
    """Complaints about parts that do not occur in lines of text, each behind the one before."""
    lines = iter(text.splitlines())
    for part in parts:
        if not any(part in line for line in lines):
            yield f"no line (here) with: {part}"


def documents(text, schema):
    try:
        document = json.loads(text)
    except ValueError as error:
        return None, [f"not JSON: {error}"]
    problems = schemas.Validator(schema).errors(document)
    try:
        import jsonschema
        jsonschema.Draft7Validator(schema).validate(document)
    except ImportError:
        pass
    except jsonschema.ValidationError as error:
        problems.append(f"jsonschema: {error.message}")
    return document, problems


class Case:
    def __init__(self, folder, name, more=()):
        self.folder, self.name, self.more = folder, name, list(more)

    def again(self):
        """The same case on BuDDy, or None."""
        words, _ = self.arguments()
        if words[:1] not in (["reach"], ["check"], ["ltl"], ["configs"]) or self.read("expect").startswith("exit 2"):
            return None
        if any(each.startswith(("--kernel", "--jobs", "-j", "--sift")) for each in words):
            return None
        return Case(self.folder, self.name, ["--kernel=buddy"])

    def title(self):
        return " ".join([self.name, *self.more])

    def read(self, kind):
        path = self.folder / f"{self.name}.{kind}"
        return path.read_text() if path.exists() else None

    def arguments(self):
        words = shlex.split(self.read("args"))
        words[1:1] = self.more
        if len(words) > 1 and words[-2] == "<":
            return words[:-2], words[-1]
        return words, None

    def run(self, bp):
        words, source = self.arguments()
        stdin = open(self.folder / source, "rb") if source else subprocess.DEVNULL
        environment = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
        return subprocess.run([bp, *words], stdin=stdin, capture_output=True, cwd=self.folder,
                              timeout=TIMEOUT, env=environment)

    def problems(self, bp, schema):
        done = self.run(bp)
        out, err = done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")
        first, _, expected = self.read("expect").partition("\n")
        status = int(first.removeprefix("exit "))
        if done.returncode != status:
            yield f"exit {done.returncode} instead of {status}"
        yield from self.output_problems(out, expected, schema)
        yield from self.error_problems(err, status)
        if done.returncode != status and err:
            yield "standard error was:\n" + err

    def output_problems(self, out, expected, schema):
        has, shape = self.read("has"), self.read("json")
        if shape is not None:
            document, problems = documents(out, schema)
            yield from problems
            yield from subset(json.loads(shape), document)
        elif has is not None:
            yield from in_order(has.splitlines(), out)
        elif out != expected:
            yield f"standard output is\n{out}instead of\n{expected}"

    def error_problems(self, err, status):
        parts = self.read("err")
        if parts is not None:
            yield from in_order(parts.splitlines(), err)
        elif status == 2 and not err:
            yield "nothing on standard error"
        elif status != 2 and err:
            yield f"on standard error:\n{err}"


def main():
    if sys.argv[1:2] in (["-h"], ["--help"]):
        print(__doc__)
        return 0
    bp, schema_path, folder = sys.argv[1:4]
    folder = pathlib.Path(folder).resolve()
    names = sys.argv[4:] or sorted(p.stem for p in folder.glob("*.args"))
    cases = [Case(folder, name) for name in names]
    cases += filter(None, [case.again() for case in cases])
    schema = json.loads(pathlib.Path(schema_path).read_text())
    print(f"1..{len(cases)}")
    failed = 0
    for number, case in enumerate(cases, 1):
        try:
            problems = list(case.problems(os.path.abspath(bp), schema))
        except (OSError, ValueError, AttributeError, subprocess.TimeoutExpired) as error:
            problems = [repr(error)]
        print(f"{'not ok' if problems else 'ok'} {number} - {case.title()}")
        for problem in problems:
            print("\n".join("# " + line for line in problem.splitlines()))
        failed += bool(problems)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
