#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The searches for cycles against each other, on programs whose answers are known.

    ltl_search.py BP [--timeout SECONDS] [--runs N]      the table of docs/ltl.md
    ltl_search.py BP --print 'count(12)'                 the program of a case

CPU time of the whole command, the fastest of the runs; `-`: none within the timeout.
"""

import argparse
import resource
import subprocess
import sys
import tempfile

import families

SEARCHES = ("", "emerson-lei", "closure", "xie-beerel")


def step(bits):
    """A binary counter one up, in one assignment."""
    values = [f"{bit} != ({' & '.join(bits[:i]) or 1})" for i, bit in enumerate(bits)]
    return f"{', '.join(bits)} := {', '.join(values)};"


def zero(bits):
    return f"{', '.join(bits)} := {', '.join('0' for _ in bits)};"


def full(bits):
    return " & ".join(bits)


def names(letter, count):
    return [f"{letter}{i}" for i in range(count)]


def count(n):
    """Counts up once."""
    b = names("b", n)
    return f"decl {', '.join(b)};\nvoid main() begin\n{zero(b)}\nwhile (!({full(b)})) do {step(b)} od\nend\n"


def wrap(n):
    """Counts for ever; T each time when all bits are set."""
    b = names("b", n)
    return (f"decl {', '.join(b)};\nvoid main() begin\n{zero(b)}\n"
            f"while (1) do {step(b)} if ({full(b)}) then T: skip; fi od\nend\n")  # fmt: skip


def nested(n):
    """A loop that counts in a loop that counts."""
    b, c = names("b", n), names("c", n)
    return (f"decl {', '.join(b + c)};\nvoid main() begin\n{zero(b)}\nwhile (!({full(b)})) do\n{zero(c)}\n"
            f"while (!({full(c)})) do {step(c)} od\n{step(b)}\nod\nend\n")  # fmt: skip


def recursion(n):
    """Calls itself until the counter is full."""
    b = names("b", n)
    return (f"decl {', '.join(b)};\nvoid down() begin if (!({full(b)})) then {step(b)} down(); fi end\n"
            f"void main() begin\n{zero(b)}\ndown();\nend\n")  # fmt: skip


def stuck(n):
    """Counts up, then stays."""
    b = names("b", n)
    return (f"decl s, {', '.join(b)};\nvoid main() begin\n{zero(b)}\nwhile (!({full(b)})) do {step(b)} od\n"
            f"while (1) do E: s := !s; od\nend\n")  # fmt: skip


OWN = {f.__name__: f for f in (count, wrap, nested, recursion, stuck)}

CASES = [
    ("count(8)", "F terminated", "holds"),
    ("count(12)", "F terminated", "holds"),
    ("count(16)", "F terminated", "holds"),
    ("wrap(8)", "G F T", "holds"),
    ("wrap(12)", "G F T", "holds"),
    ("wrap(12)", "F G !T", "VIOLATED"),
    ("nested(4)", "F terminated", "holds"),
    ("nested(8)", "F terminated", "holds"),
    ("recursion(8)", "F terminated", "holds"),
    ("recursion(12)", "F terminated", "holds"),
    ("stuck(16)", "G (E -> F terminated)", "VIOLATED"),
    ("T(10000)", "F terminated", "holds"),
    ("parity(12)", "F terminated", "holds"),
    ("ring(2000)", "F terminated", "VIOLATED"),
    ("count-ripple(24)", "F terminated", "holds"),
    ("count-in-callee-globals(32)", "F terminated", "holds"),
    ("wide4-main-loop-far(24)", "F terminated", "VIOLATED"),
    ("wide4-main-loop(60)", "F terminated", "VIOLATED"),
    ("wide4-callee-loop(60)", "F terminated", "VIOLATED"),
]


def program(name):
    kind, rest = name.split("(", 1)
    if kind in OWN:
        return OWN[kind](int(rest[:-1]))
    for case in families.cases(families.FAMILIES, ("quick", "full")):
        if case.name == name:
            return "".join(case.text())
    raise SystemExit(f"no case {name}")


def measure(bp, path, formula, expected, search, timeout):
    words = [bp, "ltl", path, formula, "--no-trace", "--timeout", str(timeout)]
    if search:
        words += ["--search", search]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    got = subprocess.run(words, capture_output=True, text=True).stdout.strip()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if got == "ltl: undecided (time)":
        return None
    if got != f"ltl: {expected}":
        raise SystemExit(f"{words}: {got}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bp")
    parser.add_argument("--timeout", type=float, default=30)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--print", dest="show", metavar="CASE")
    args = parser.parse_args()
    if args.show:
        sys.stdout.write(program(args.show))
        return
    print("| program | formula | default | emerson-lei | closure | xie-beerel |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name, formula, expected in CASES:
        cells = []
        with tempfile.NamedTemporaryFile("w", suffix=".bp") as file:
            file.write(program(name))
            file.flush()
            for search in SEARCHES:
                best = None
                for _ in range(args.runs):
                    best_now = measure(args.bp, file.name, formula, expected, search, args.timeout)
                    if best_now is None:
                        break
                    best = best_now if best is None else min(best, best_now)
                cells.append("-" if best is None else f"{best:.2f}" if best >= 0.1 else f"{best:.3f}")
        print(f"| {name} | `{formula}` | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
