#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random formulas and random words: what libbp makes of a formula must agree with ltl.py.

usage: ltl_diff.py --many build/tests/oracle/ltl_many [--seeds 1..1000] [--words 12] [--size 12] [--crowds | --shapes]

For each seed a formula; on each of its words u v^w the formula as ltl.py reads it must agree with the
printed formula, its normal form, its simplified form, with the automata (reduced, raw, with one
acceptance set, printed and read back), and be the opposite of the negation and of its automaton. The
automata of a formula and its negation must have nothing in common. With --crowds the formulas have six parts
and more of a kind, G F and F G among them, as fairness premises and conditions have. With --shapes they are what the
rules of simplification are about, with small operands that often imply each other. Ends with status 1 when something
differs; a failure names its seed.
"""

import argparse
import random
import subprocess
import sys

import ltl

UNARY, BINARY = "X F G !".split(), "U R W M && || -> <->".split()


def formula(rng, size, atoms):
    """Text with parentheses everywhere."""
    if size <= 1:
        return rng.choice(atoms) if rng.random() < 0.93 else rng.choice(["true", "false"])
    if size == 2 or rng.random() < 0.4:
        return f"({rng.choice(UNARY)} {formula(rng, size - 1, atoms)})"
    op = rng.choice(BINARY if rng.random() < 0.4 else BINARY[:6])
    left = rng.randint(1, size - 2)
    return f"({formula(rng, left, atoms)} {op} {formula(rng, size - 1 - left, atoms)})"


def crowd(rng, size, atoms):
    """Text of many parts of a kind, with another formula or another crowd beside them."""

    def part(shape):
        return "(" + "".join(formula(rng, rng.choice([1, 1, 1, 1, 3]), plain) if c == "_" else c for c in shape) + ")"

    plain = atoms + [f"!{a}" for a in atoms] + [f"({a} && {b})" for a in atoms for b in atoms if a < b]
    shapes = ["G F _", "F G _", "F (_ && G _)", "G (_ || F _)", "G _", "F _", "_ U _"]
    main = rng.choices(shapes, [6, 4, 2, 1, 1, 1, 1])[0]
    parts = [part(main if rng.random() < 0.8 else rng.choice(shapes)) for _ in range(rng.randint(6, 9))]
    text = "(" + rng.choice([" && ", " || "]).join(parts) + ")"
    if rng.random() < 0.7:
        other = crowd if rng.random() < 0.3 else formula
        text = f"({text} {rng.choice(['->', '&&', '||', 'U'])} {other(rng, min(size, 6), atoms)})"
    return f"!{text}" if rng.random() < 0.4 else text


# What rules match, A to D any operands; their duals come by negation.
SHAPES = """
X A;G X A;G (A R B);G (A W B);G (A M B);G (A && G B);G (A || G F B);G F (A && F B);G (A && F B);F G (A || G B);A R G B
(A && B) R A;(A && B) R B;!A R A;X A R X B;(A R B) R B;(A M B) R B;A R (A R B);A R (B R C);A R ((A && B) R C)
(A && B) R (A R C);A R (B && G C);A R (B || G F C);A R (B && F A);A R (B && F (A || C));A R (B && F (A && C));A R F A
A R (B && C && F A);A M (B && F A);A M (B && F (A || C));A M (B && C);A R (B && C);A W (A || B);!A W (A || B);G A W B
X A W X B;(A || B) W B;(A W B) W B;(A U B) W B;A W (A W B);A W ((A || B) W C);(A || B) W (A W C);A W (B || G A);A W (B || C)
A W (B || G (A && C));A U (B || G A);A U (B || G (A && C));A U (B || C || G A);(A && C) U (B || G A)
X A && X B;G A && G B;A U C && B U C;A W C && B W C;C R A && C R B;C M A && C M B;G (A || G B) && F !A;A W B && F B
G (A || G B || F G C) && F !A;A R B && F A;A W C && B U C;A R B && A M C;X G A && A;F G A && F G B
X A U B || !X (A U (A && B));X A W B || !X (A W (A && B));X A U B || !(A U (A && B));X (A U B) -> C U D;X (A W B) -> C W D
(F A && G F B) || (F C && G F D);G F A || (F B && F G C);(F A && F G B) || F C;(F A && G F B) || F G C || G F D
(F A && G F B && F G C) || (F G D && F G A);G ((F A && G F B) || (F G C && F G D))
"""


def operand(rng, atoms):
    a, b = rng.choice(atoms), rng.choice(atoms)
    form = rng.choice(["a", "a", "a", "!a", "a && b", "a || b", "X a", "X X a", "F a", "G a", "G F a", "F G a", "a U b", "a R b", "X (a || b)"])
    return "(" + form.replace("b", "\0").replace("a", a).replace("\0", b) + ")"


def shaped(rng, size, atoms):
    """An instance of a shape, or two formulas with operators of which one may imply the other."""
    shape = rng.choice([s for s in SHAPES.replace("\n", ";").split(";") if s])
    if rng.random() < 0.4:
        shape = f"(A {rng.choice('URWM')} B) {rng.choice(['->', '&&', '||'])} (C {rng.choice('URWM')} D)"
    filled = {hole: operand(rng, atoms) for hole in "ABCD"}
    if rng.random() < 0.5:
        filled["C"], filled["D"] = f"({filled['A']} || {filled['C']})", f"({filled['B']} || {filled['D']})"
    text = "(" + "".join(filled.get(c, c) for c in shape) + ")"
    if rng.random() < 0.2:
        text = f"({text} {rng.choice(BINARY[:6])} {formula(rng, min(size, 4), atoms)})"
    return f"!{text}" if rng.random() < 0.5 else text


def word(rng, atoms):
    def letters(count):
        return [{a for a in atoms if rng.random() < 0.5} for _ in range(count)]

    return letters(rng.randint(0, 5)), letters(rng.randint(1, 5))


def question(seed, most, make=formula):
    rng = random.Random(seed)
    atoms = list("abcdefg")[: rng.randint(4, 7) if make is crowd else rng.randint(1, 4)]
    return rng, atoms, make(rng, rng.randint(1, most), atoms)


def parts(lines):
    """The parts of the next answer as {name: text}."""
    found, name = {}, None
    for line in lines:
        if line.startswith("== "):
            name = line[3:].strip()
            if name == "end":
                return found
            found[name] = ""
        else:
            found[name] += line
    raise SystemExit("ltl_many stopped early")


def judge(seed, args, answer):
    """Yields what is wrong."""
    rng, atoms, text = question(seed, args.size, args.make)
    if "error" in answer:
        yield f"error {answer['error'].strip()}"
        return
    want = ltl.parse(text)
    formulas = {name: ltl.parse(answer[name]) for name in ("formula", "nnf", "simplified", "negation")}
    automata = {name: ltl.Automaton(answer[name]) for name in ("tgba", "raw", "one", "again", "negated")}
    if answer["common"] != "empty\n":
        yield "the automata of the formula and its negation have a common word"
    if automata["one"].sets > 1:
        yield "more than one acceptance set"
    for _ in range(args.words):
        w = word(rng, atoms)
        truth = ltl.holds(want, w)
        said = {name: ltl.holds(f, w) for name, f in formulas.items()}
        said.update({name: a.accepts(w) for name, a in automata.items()})
        for name, value in said.items():
            if value != (truth != (name in ("negation", "negated"))):
                yield f"{name} says {value} of {w}, the formula says {truth}"


def span(text):
    first, _, last = text.partition("..")
    return range(int(first), int(last or first) + 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--many", required=True)
    parser.add_argument("--seeds", type=span, default=span("1..1000"))
    parser.add_argument("--words", type=int, default=12)
    parser.add_argument("--size", type=int, default=12)
    parser.add_argument("--crowds", dest="make", action="store_const", const=crowd, default=formula, help="formulas with many parts")
    parser.add_argument("--shapes", dest="make", action="store_const", const=shaped, help="formulas that rules are about")
    args = parser.parse_args()
    print(f"seeds {args.seeds[0]}..{args.seeds[-1]}, {args.words} words, size {args.size}")
    texts = "".join(question(seed, args.size, args.make)[2] + "\n" for seed in args.seeds)
    done = subprocess.run([args.many], input=texts, stdout=subprocess.PIPE, text=True)
    lines, wrong = iter(done.stdout.splitlines(keepends=True)), 0
    if done.returncode:
        print(f"ltl_many ended with status {done.returncode}")
        wrong += 1
    for seed in args.seeds:
        for complaint in judge(seed, args, parts(lines)):
            print(f"seed {seed}: {question(seed, args.size, args.make)[2]}: {complaint}")
            wrong += 1
            break
    print(f"{len(args.seeds)} formulas, {wrong} wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
