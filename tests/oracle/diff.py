#!/usr/bin/env python3
"""Compares `bp` with the oracle on random programs.

diff.py --bp PATH --seeds A..B [--jobs N] [--engine-switches all|random|none] [--save DIR]

Every seed gives one program and one plan of questions; disagreements are printed with the seed, and
the program, made small, is saved. Exit status 1 if there are any.
"""

import os
import sys
from random import Random

from boolprog import Options, parse
from explicit import TooBig
from generate import Generator, Size, generate_checked, is_special
from judge import Judge, Mismatch, Plan, Round
from minimize import minimize, predicate
from seeds import read_arguments, try_all
from show import Style, show_expr

ENGINE = ("live", "modref", "cone", "delta", "early", "chain", "order", "loop", "context", "localize",
          "share", "post", "recursion", "narrow", "backward", "execute")
BETWEEN = ("localize", "recursion", "narrow", "backward", "execute")
KERNELS = ((), ("--kernel=buddy",))
VARIANTS = (("--expand",), ("--shortest",), ("--shortest", "--expand"), ("--expand=1",),
            ("--shortest", "--expand=2"), ("--any-trace", "--expand"), ("--any-trace", "--expand=1"))


def make_plan(seed, program, engine_switches):
    """The questions about the program of a seed."""
    random = Random(f"plan {seed}")
    options = Options(
        precedence="satabs" if random.random() < 0.15 else "getafix",
        dead="ignore" if random.random() < 0.25 else "havoc",
        fall_off="block" if random.random() < 0.25 else "any")
    special = is_special(seed, Size())
    if random.random() < (0.5 if special else 0.15):
        options.entry = random.choice(sorted(program.procs))
    plan = Plan(options)
    entry = program.procs[options.entry or "main"]
    if random.random() < (0.5 if special else 0.2):
        hidden = set(entry.locals)
        plan.init = condition(random, entry, program, lambda name: name not in hidden)
    plan.rounds = [Round("reach"), Round("reach", random.choice(VARIANTS)), Round("check"),
                   Round("check", random.choice(VARIANTS)), Round("fmt"), *when_rounds(
                       random, program)]
    if random.random() < 0.3:
        plan.rounds.append(Round("text", random.choice(((),) + VARIANTS)))
    add_engine_switches(plan, random, engine_switches)
    return plan


def condition(random, proc, program, allowed=lambda name: True):
    """The text of a random condition on variables in scope of proc; may be empty."""
    generator = Generator(random.random(), Size())
    generator.scope = sorted(name for name in set(proc.frame()) | set(program.globals)
                             if allowed(name))
    return show_expr(generator.expr(2), Style()) if generator.scope else ""


def when_rounds(random, program):
    labelled = [(proc, label) for proc in program.procs.values() for label in proc.labels
                if not label.isdigit()]
    for proc, label in random.sample(labelled, min(2, len(labelled))):
        when = condition(random, proc, program)
        yield Round("reach", random.choice(((),) + VARIANTS), (f"{proc.name}:{label}",), when)


def add_engine_switches(plan, random, mode):
    """Ask again with parts of the engine off: two random combinations in a random round each, or
    these, each part alone, all of them, and all that is tried in between but one in a random round of reach and one of
    check. A random half
    of all that, and once more with everything on, is asked of the other BDD kernel."""
    if mode == "none":
        return
    asked = [each for each in plan.rounds if each.command in ("reach", "check")]
    combinations = [random.sample(ENGINE, random.randint(1, len(ENGINE))) for _ in range(2)]
    kinds = [asked]
    if mode == "all":
        combinations += [[name] for name in ENGINE] + [list(ENGINE)]
        combinations += [[other for other in BETWEEN if other != name] for name in BETWEEN]
        kinds = [[each for each in asked if each.command == name] for name in ("reach", "check")]
    for names in combinations:
        for kind in kinds:
            ask_again(plan, random.choice(kind), ("--engine-off=" + ",".join(names),)
                      + random.choice(KERNELS))
    for kind in kinds:
        ask_again(plan, random.choice(kind), KERNELS[1])


def ask_again(plan, each, flags):
    plan.rounds.append(Round(each.command, each.flags + flags, each.targets, each.when))


def try_seed(task):
    """What was counted, and None or the report of a disagreement."""
    seed, arguments = task
    text, program, _ = generate_checked(seed)
    plan = make_plan(seed, program, arguments.engine_switches)
    problem = None
    try:
        judge = Judge(arguments.bp, text, plan)
    except TooBig:
        return {"traces verified": 0}, None
    try:
        judge.all()
    except Mismatch as mismatch:
        problem = report(seed, text, plan, mismatch, arguments)
    except (KeyError, ValueError) as error:  # an answer of another shape
        problem = f"seed {seed}: {error!r}"
    return {"traces verified": judge.traces}, problem


def report(seed, text, plan, mismatch, arguments):
    """Save the program of a disagreement, whole and made small; say what is wrong."""
    os.makedirs(arguments.save, exist_ok=True)
    path = os.path.join(arguments.save, f"seed{seed}.bp")
    save(path, text)
    message = f"seed {seed}: {mismatch}\n  switches: {' '.join(plan.switches()) or 'none'}" \
        f"\n  saved: {path}"
    if not arguments.minimize:
        return message
    plan.rounds = failing_round(arguments.bp, text, plan) or plan.rounds

    def judge_text(candidate):
        Judge(arguments.bp, candidate, plan).all()
    small = minimize(text, parse(text, plan.options),
                     predicate(judge_text, mismatch.category), arguments.minimize)
    save(path.replace(".bp", "-small.bp"), small)
    try:
        judge_text(small)
    except Mismatch as left:
        return f"{message}, made small: {left}\n{small}"
    return message


def save(path, text):
    with open(path, "w") as file:
        file.write(text)


def failing_round(bp, text, plan):
    """The first round that fails alone, as a list."""
    for each in plan.rounds:
        try:
            Judge(bp, text, Plan(plan.options, plan.init, [each])).all()
        except Mismatch:
            return [each]
    return None


def main():
    description = "Compare bp with the oracle on random programs."
    return try_all(try_seed, read_arguments(description, "--engine-switches", 60))


if __name__ == "__main__":
    sys.exit(main())
