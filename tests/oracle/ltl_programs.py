#!/usr/bin/env python3
"""Random programs and formulas about them: all ways to decide agree, and counterexamples replay.

    ltl_programs.py --many PATH --seeds 1..100 [--formulas 6] [--size 7] [--save FOLDER]
"""

import argparse
import pathlib
import random
import subprocess
import sys
import tempfile

from boolprog import Options, parse, statements
from generate import generate
from ltl_diff import formula


def plain(name):
    """The name as a formula can say it anywhere."""
    quoted = name.isdigit() or set(name) <= set("FGX") or name in ("U", "R", "W", "M")
    return f'"{name}"' if quoted else name


def expression(rng, program, proc):
    """An atom in quotes over globals and the locals of one procedure, now and then of another."""
    names = list(program.globals)
    for name in [proc.name] + rng.sample(sorted(program.procs), 1) * (rng.random() < 0.1):
        names += [f"{name}.{local}" for local in program.procs[name].formals + program.procs[name].locals]
    if not names:
        return '"1 = 0"'
    one, other = rng.choice(names), rng.choice(names)
    op = rng.choice(("&", "|", "=", "!=", "=>", "^"))
    return f'"{rng.choice(("", "!"))}{one} {op} {other}"'


def atoms(rng, program):
    """What can be said of the program, a few of each kind."""
    found = ["terminated", "failed"]
    labels, locals_ = set(), set()
    for proc in program.procs.values():
        own = {label for stmt in statements(proc.body) for label in stmt.labels}
        labels |= {plain(label) for label in own} | {f"{proc.name}.{label}" for label in own}
        locals_ |= {f"{proc.name}.{name}" for name in proc.formals + proc.locals}
        found += [f"{kind}({proc.name})" for kind in ("in", "enter", "exit") if rng.random() < 0.5]
        if rng.random() < 0.7:
            found.append(expression(rng, program, proc))
    names = {plain(name) for name in program.globals}
    for group in (labels, locals_, names):
        found += rng.sample(sorted(group), min(len(group), 4))
    return rng.sample(found, min(len(found), rng.randint(1, 4)))


def usual(rng, atom):
    """Formulas that people write."""
    a, b = atom(), atom()
    return rng.choice(
        (
            "F terminated",
            f"G {a}",
            f"G !{a}",
            f"F {a}",
            f"G ({a} -> F {b})",
            f"G F {a}",
            f"F G {a}",
            f"G F {a} -> G F {b}",
            f"!{a} W {b}",
            f"G ({a} -> X {b})",
            f"{a} U {b}",
            f"G F {a} -> F terminated",
        )
    )


def questions(seed, count, size):
    text = generate(seed)
    program = parse(text, Options())
    rng = random.Random(f"{seed}/formulas")
    lines = []
    for _ in range(count):
        some = atoms(rng, program)
        if rng.random() < 0.5:
            lines.append(usual(rng, lambda: rng.choice(some)))
        else:
            lines.append(formula(rng, rng.randint(1, size), some))
    return text, lines


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--many", required=True, help="ltl_program")
    parser.add_argument("--seeds", default="1..100")
    parser.add_argument("--formulas", type=int, default=6)
    parser.add_argument("--size", type=int, default=7)
    parser.add_argument("--save", help="keep programs and formulas in this folder")
    args = parser.parse_args()
    first, last = map(int, args.seeds.split(".."))
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(args.save or temporary)
        folder.mkdir(parents=True, exist_ok=True)
        files = []
        for seed in range(first, last + 1):
            text, lines = questions(seed, args.formulas, args.size)
            pair = folder / f"seed-{seed}.bp", folder / f"seed-{seed}.ltl"
            pair[0].write_text(text, encoding="utf-8")
            pair[1].write_text("\n".join(lines) + "\n", encoding="utf-8")
            files.append(pair)
        failed = False
        for i in range(0, len(files), 20):
            names = [name for pair in files[i : i + 20] for name in pair]
            failed |= subprocess.run([args.many, *names]).returncode != 0
    return failed


if __name__ == "__main__":
    sys.exit(main())
