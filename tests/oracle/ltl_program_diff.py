#!/usr/bin/env python3
"""Compares `bp ltl` with the oracle on random programs and formulas.

ltl_program_diff.py --bp PATH --seeds A..B [--jobs N] [--switches all|random|none] [--save DIR]

Every seed gives a program, formulas about it and ways to ask; verdicts must be those of ltl_program.py, and
an execution along each lasso must violate its formula. Disagreements are printed with the seed, and program
and formula, made small, are saved. Exit status 1 if there are any.
"""

import json
import os
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from random import Random

import ltl
import ltl_lasso
from boolprog import parse
from explicit import TooBig
from judge import Mismatch, Plan, run
from lexer import SourceError
from ltl_automaton import write_hoa
from ltl_generate import Question
from ltl_program import FRAME, Checker, atoms_of
from minimize import minimize, predicate
from seeds import read_arguments, try_all
from traces import Bad

# Ways to ask that must not change the verdict.
SEARCHES = ("--search=closure", "--search=emerson-lei", "--search=xie-beerel")
SWITCHES = (*((search, "--ltl-off=safety") for search in SEARCHES), ("--ltl-off=monotone,safety",),
            ("--search=emerson-lei",), ("--kernel=buddy",), ("--kernel=buddy", "--ltl-off=safety"),
            ("--engine-off=live,modref,cone",), ("--engine-off=cone", "--ltl-off=safety"),
            ("--engine-off=delta,early,chain,loop", "--ltl-off=safety"),
            ("--engine-off=order,context,localize",), ("--shortest",), ("--engine-off=post", "--ltl-off=safety"),
            *((search, "--engine-off=post,share", "--ltl-off=safety") for search in SEARCHES),
            ("--engine-off=post,cone,live,loop", "--ltl-off=monotone,safety"))
MOST_ATOMS = 4


@dataclass
class Way:
    """How a formula is asked: switches, as text, or by an automaton that accepts its violations."""

    flags: tuple = ()
    text: bool = False
    hoa: bool = False


def make_ways(random, atoms, mode):
    ways = [Way()]
    if len(atoms) <= MOST_ATOMS and random.random() < 0.4:
        ways.append(Way(hoa=True))
    if random.random() < 0.15:
        ways.append(Way(text=True))
    switches = SWITCHES if mode == "all" else random.sample(SWITCHES, min(2, len(SWITCHES)))
    if mode != "none":
        ways += [Way(flags, hoa=len(atoms) <= MOST_ATOMS and random.random() < 0.15) for flags in switches]
    return ways


class Judge:
    """One program and formula, asked in ways."""

    def __init__(self, bp, plan, text, formula, violated=None, checker=None):
        self.bp, self.plan, self.text, self.formula = bp, plan, text, formula
        self.checker = checker or Checker(parse(text, plan.options), plan.init)
        self.atoms = list(atoms_of(ltl.parse(formula)))
        if violated is None:
            violated = self.checker.violation(ltl.parse(formula)).violated
        self.violated, self.lassos = violated, set()

    def all(self, ways):
        with tempfile.TemporaryDirectory() as folder:
            self.folder = folder
            self.path = self.file("program.bp", self.text)
            for way in ways:
                self.ask_text(way) if way.text else self.ask(way)

    def file(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w") as file:
            file.write(text)
        return path

    def run(self, way, *flags):
        question = [self.formula]
        if way.hoa:
            hoa = write_hoa(("not", ltl.parse(self.formula)), self.atoms)
            question = ["--automaton", self.file("violations.hoa", hoa)]
        arguments = ["ltl", *flags, *way.flags, *self.plan.switches(), self.path, *question]
        result = run(self.bp, arguments)
        if result.returncode not in (0, 1):
            raise Mismatch("status", f"{result.returncode} from {result.args}\n{result.stderr}")
        if result.returncode != self.violated:
            raise Mismatch("verdict", f"exit status {result.returncode}, not {int(self.violated)}: {self.formula} {way}")
        return result

    def ask(self, way):
        opened = self.document(way, "--json", "--expand")
        if not self.violated:
            return
        trace = lasso_of(opened)
        seen = json.dumps(trace)
        if seen not in self.lassos:
            self.lassos.add(seen)
            self.check(way, lambda: ltl_lasso.check_lasso(self.checker, self.formula, trace), seen)
        closed = lasso_of(self.document(way, "--json"))
        self.check(way, lambda: ltl_lasso.check_closed(closed, trace), f"{json.dumps(closed)}\nopened: {seen}")

    def document(self, way, *flags):
        result = self.run(way, *flags)
        try:
            found = json.loads(result.stdout)["results"]
        except (ValueError, KeyError) as error:
            raise Mismatch("json", f"{error!r} in the output of {result.args}") from None
        verdict = "violated" if self.violated else "holds"
        if len(found) != 1 or found[0]["verdict"] != verdict:
            raise Mismatch("json", f"not the one verdict {verdict}: {result.stdout}")
        return found[0]

    def check(self, way, test, shown):
        try:
            test()
        except (Bad, KeyError) as error:
            raise Mismatch("lasso", f"{error} ({self.formula} {way})\n{shown}") from None

    def ask_text(self, way):
        lines = self.run(way, "--no-trace").stdout.splitlines()
        if lines != [f"ltl: {'VIOLATED' if self.violated else 'holds'}"]:
            raise Mismatch("text", f"{lines} for {self.formula}")
        more = self.run(way).stdout.splitlines()
        if more[:1] != lines or (len(more) > 1) != self.violated:
            raise Mismatch("text", f"{more} for {self.formula}")


def lasso_of(result):
    """The trace of a violated result, with loop_start wherever it stands."""
    trace = dict(result.get("trace") or {"steps": []})
    if "loop_start" in result:
        trace["loop_start"] = result["loop_start"]
    return trace


def try_seed(task):
    """(counts, None or the report of a disagreement) of a seed."""
    seed, arguments = task
    question, random = Question(seed), Random(f"ways {seed}")
    counts, plan = Counter(), Plan(question.options, question.init)
    for formula, search in question.asked:
        ways = make_ways(random, atoms_of(ltl.parse(formula)), arguments.switches)
        judge = Judge(arguments.bp, plan, question.text, formula, search.violated, question.checker)
        try:
            judge.all(ways)
        except Mismatch as mismatch:
            return counts, report(seed, judge, ways, mismatch, arguments)
        except TooBig:
            counts["too big"] += 1
        counts["formulas"] += 1
        counts["violated"] += search.violated
        counts["lassos"] += len(judge.lassos)
        counts["questions"] += len(ways)
    return counts, None


def report(seed, judge, ways, mismatch, arguments):
    """Save the program of a disagreement, whole and made small; say what is wrong."""
    os.makedirs(arguments.save, exist_ok=True)
    path = os.path.join(arguments.save, f"ltl{seed}.bp")
    save(path, judge)
    message = f"seed {seed}: {mismatch}\n  switches: {' '.join(judge.plan.switches()) or 'none'}\n  saved: {path}"
    if not arguments.minimize:
        return message
    ways = [way for way in ways if fails(judge, judge.text, judge.formula, [way])][:1] or ways
    small = shrink(judge, ways, mismatch.category, arguments.minimize)
    save(path.replace(".bp", "-small.bp"), small)
    try:
        small.all(ways)
    except Mismatch as left:
        return f"{message}, made small: {left}\n// {small.formula}\n{small.text}"
    return message


def save(path, judge):
    with open(path, "w") as file:
        file.write(f"// {judge.formula}\n// {' '.join(judge.plan.switches())}\n{judge.text}")


def fails(judge, text, formula, ways):
    """The mismatch of the same question about another program or formula, or None."""
    try:
        Judge(judge.bp, judge.plan, text, formula).all(ways)
    except Mismatch as mismatch:
        return mismatch
    except (SourceError, TooBig):
        return None
    return None


def shrink(judge, ways, category, seconds):
    """The question with formula and program made smaller, and the formula once more."""
    def still_bad(text, formula):
        found = fails(judge, text, formula, ways)
        return found is not None and found.category == category

    def judge_text(text):
        Judge(judge.bp, judge.plan, text, formula).all(ways)
    formula = shrink_formula(judge.formula, lambda each: still_bad(judge.text, each))
    text = minimize(judge.text, parse(judge.text, judge.plan.options), predicate(judge_text, category), seconds)
    formula = shrink_formula(formula, lambda each: still_bad(text, each))
    return Judge(judge.bp, judge.plan, text, formula)


def shrink_formula(formula, still_bad):
    smaller = True
    while smaller:
        smaller = next((text for tree in smaller_formulas(ltl.parse(formula))
                        if len(text := show_formula(tree)) < len(formula) and still_bad(text)), None)
        formula = smaller or formula
    return formula


def smaller_formulas(tree):
    if tree[0] == "atom":
        yield from (("true",), ("false",))
        return
    yield from tree[1:]
    for at in range(1, len(tree)):
        yield from (tree[:at] + (part,) + tree[at + 1:] for part in smaller_formulas(tree[at]))


SIGNS = {"and": "&&", "or": "||", "implies": "->", "iff": "<->", "not": "!"}


def show_formula(tree):
    if tree[0] == "atom":
        plain = FRAME.fullmatch(tree[1]) or tree[1] in ("terminated", "failed")
        return tree[1] if plain else f'"{tree[1]}"'
    sign = SIGNS.get(tree[0], tree[0])
    parts = [show_formula(part) if len(part) == 1 or part[0] == "atom" else f"({show_formula(part)})"
             for part in tree[1:]]
    return {0: sign, 1: f"{sign} {parts[0]}" if parts else "", 2: f" {sign} ".join(parts)}[len(parts)]


def main():
    description = "Compare bp ltl with the oracle on random programs."
    return try_all(try_seed, read_arguments(description, "--switches", 30))


if __name__ == "__main__":
    sys.exit(main())
