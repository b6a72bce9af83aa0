# SPDX-License-Identifier: MIT
"""The benchmark families: which programs, which question, and the answer where it is known.

A case is of one of three efforts. `tiny` cases are for the generators' own test, `quick` ones for
everyday comparison, and `full` ones are the rest.
"""

import csv
import dataclasses
import functools
import pathlib
import typing

import gen_calls
import gen_counters
import gen_driver
import gen_mix
import gen_odd
import gen_quicksort
import gen_t
import gen_text

VERDICTS = REACHABLE, UNREACHABLE, HOLDS, VIOLATED = "reachable", "unreachable", "holds", "violated"


@dataclasses.dataclass(frozen=True)
class Case:
    """One program and one question about it."""

    family: str
    name: str
    effort: str
    text: typing.Callable = None  # gives the pieces of the program, or there is a `path`
    path: pathlib.Path = None
    target: str = None  # a label, with `command` ltl a formula, with info or fmt none
    expected: str = None  # a verdict, None where it is not known
    entry: str = None
    command: str = "reach"  # or ltl; info and fmt read only
    suffix: str = ".bp"
    statements: int = None  # where that is measured
    peer: bool = False  # whether it is moderate enough for another tool


    @property
    def reads(self):
        """Whether the program is only read."""
        return self.command in ("info", "fmt")


def graded(tiny=(), quick=(), full=()):
    """(effort, size) of all these sizes."""
    for effort, sizes in (("tiny", tiny), ("quick", quick), ("full", full)):
        for size in sizes:
            yield effort, size


def known(safe):
    return UNREACHABLE if safe else REACHABLE


def t():
    for effort, n in graded((2,), (10, 100, 1000, 10000), (5000, 20000, 100000)):
        for safe in (False, True):
            name, text = f"T{'-safe' if safe else ''}({n})", functools.partial(gen_t.program, n, safe)
            yield Case("t", name, effort, text, target="reach", expected=known(safe), peer=n <= 1000)


def calls():
    for effort, n in graded((2, 3), (100, 1000, 10001), (100000,)):
        yield Case("calls", f"chain({n})", effort, functools.partial(gen_calls.chain, n), target="BAD",
                   expected=known(n % 2 == 0), peer=n <= 1000)  # fmt: skip
    for effort, (sites, procedures) in graded(((7, 2),), ((100, 1), (1000, 1), (10000, 1), (100, 100)), ((100000, 1),)):
        for safe in (True, False):
            name = f"sites{'' if safe else '-unsafe'}({sites}x{procedures})"
            text = functools.partial(gen_calls.sites, sites, procedures, safe)
            yield Case("calls", name, effort, text, target="BAD", expected=known(safe), peer=sites <= 1000)
    for effort, bits in graded((3,), (6, 12), (10, 16)):
        for safe in (True, False):
            name = f"parity{'' if safe else '-unsafe'}({bits})"
            text = functools.partial(gen_calls.parity, bits, safe)
            yield Case("calls", name, effort, text, target="BAD", expected=known(safe), peer=True)
    for effort, n in graded((4,), (10, 100, 2000), (1000, 20000)):
        for safe in (True, False):
            name = f"ring{'' if safe else '-unsafe'}({n})"
            text = functools.partial(gen_calls.ring, n, 1, safe)
            yield Case("calls", name, effort, text, target="BAD", expected=known(safe), peer=n <= 1000)


def counters():
    def cases(name, make, tiny, quick, full):
        for effort, size in graded(tiny, quick, full):
            for stuck in (False, True):
                if stuck and effort != "tiny" and size not in (12, 24):
                    continue
                text = functools.partial(make, size, stuck=stuck)
                yield Case("counters", f"{name}{'-stuck' if stuck else ''}({size})", effort, text, target="DONE",
                           expected=known(stuck), peer=True)  # fmt: skip

    for style in gen_counters.STYLES:
        make = functools.partial(gen_counters.counter, style=style)
        yield from cases(f"count-{style}", make, (3,), (8, 12, 24, 60), (16, 32, 48, 64))
    for place in ("globals", "locals"):
        make = functools.partial(gen_counters.in_callee, style="cascade", place=place)
        yield from cases(f"count-in-callee-{place}", make, (3,), (8, 12, 32), (16, 24, 48, 64))
    for place in ("globals", "results"):
        make = functools.partial(gen_counters.by_callee, style="ripple", place=place)
        yield from cases(f"count-by-callee-{place}", make, (3,), (8, 12, 32), (16, 24, 48, 64))
    for depth, with_calls in ((2, False), (2, True), (3, False), (3, True)):
        make = functools.partial(gen_counters.nested, style="cascade", depth=depth, calls=with_calls)
        name = f"nested{depth}{'-calls' if with_calls else ''}"
        yield from cases(name, make, (2,), (4, 16) if depth == 2 else (4,), (8, 12, 24))


def mix():
    everything = [(n, loops, place, 1) for n in (20, 30, 40, 60) for loops in (False, True)
                  for place in ("main", "callee", "sites")]  # fmt: skip
    everything += [(n, True, place, seed) for n in (30, 60) for place in ("main", "callee") for seed in (2, 3)]
    quick = [(20, True, "main", 1), (40, False, "main", 1), (40, True, "main", 1), (60, True, "main", 1),
             (20, False, "callee", 1), (20, True, "callee", 1), (30, True, "callee", 1), (60, True, "callee", 1),
             (20, True, "sites", 1)]  # fmt: skip
    tiny = [(8, loops, place, 1) for loops in (False, True) for place in ("main", "callee", "sites")]
    for effort, (n, loops, place, seed) in graded(tiny, quick, [c for c in everything if c not in quick]):
        for safe in (True, False) if effort == "tiny" or (n in (30, 60) and loops) else (True,):
            for near in (3, 0) if effort != "quick" else (3,):
                count = 40 if effort == "tiny" else 200
                name = f"mix-{place}{'-loops' if loops else ''}{'' if near else '-far'}{'' if safe else '-unsafe'}"
                text = functools.partial(gen_mix.mix, n, seed, loops, place, count, near, safe)
                yield Case("mix", f"{name}({n},{seed})", effort, text, target="BAD", expected=known(safe), peer=n <= 60)
    for effort, (n, seed) in graded([], [(n, seed) for n in (12, 20) for seed in (1, 2, 3)],
                                    [(n, seed) for n in (24, 30) for seed in (1, 2, 3, 14)]):  # fmt: skip
        text = functools.partial(gen_mix.recursive, n, seed)
        yield Case("mix", f"mix-recursive({n},{seed})", effort, text, target="BAD", peer=True)
        text = functools.partial(gen_mix.recursive, n, seed, contradicts=True)
        yield Case("mix", f"mix-contradicts({n},{seed})", effort, text, target="BAD", expected=known(True), peer=True)
    cubes = [(n, place, seed) for seed in (1, 2, 3) for n in (20, 28, 40, 60) for place in ("main", "callee")]
    for effort, (n, place, seed) in graded([], cubes[:8], cubes[8:]):
        text = functools.partial(gen_mix.cube, n, seed, place)
        yield Case("mix", f"mix-cube-{place}({n},{seed})", effort, text, target="BAD", peer=True)
    shorts = [(n, recursive, seed) for seed in (1, 2, 3) for n in (20, 30, 40, 50) for recursive in (False, True)]
    for effort, (n, recursive, seed) in graded([], shorts[:8], shorts[8:]):
        text = functools.partial(gen_mix.short, n, seed, recursive)
        name = f"mix-short{'-recursive' if recursive else ''}({n},{seed})"
        yield Case("mix", name, effort, text, target="BAD", peer=True)


def wide():
    every = [(n, count, loops, place, near) for n in (24, 32, 40, 60)
             for count, loops in ((8, False), (1, True), (4, True)) for place in ("main", "callee") for near in (3, 0)
             if (count, near) != (1, 3)]  # fmt: skip
    quick = [(40, 8, False, "main", 0), (60, 8, False, "main", 0), (40, 8, False, "callee", 0),
             (24, 4, True, "main", 0), (40, 4, True, "main", 3), (40, 4, True, "main", 0), (60, 4, True, "main", 3),
             (60, 1, True, "main", 0), (60, 4, True, "main", 0), (24, 4, True, "callee", 0),
             (60, 4, True, "callee", 3), (40, 4, True, "callee", 0)]  # fmt: skip
    tiny = [(6, 2, loops, place, near) for loops in (False, True) for place in ("main", "callee") for near in (3, 0)]
    for effort, (n, count, loops, place, near) in graded(tiny, quick, [c for c in every if c not in quick]):
        for safe in (True, False) if effort == "tiny" or (n, loops, near) == (40, True, 3) else (True,):
            name = f"wide{count}-{place}{'-loop' if loops else ''}{'' if near else '-far'}{'' if safe else '-unsafe'}"
            text = functools.partial(gen_mix.wide, n, 1, count, loops, place, near, safe)
            yield Case("wide", f"{name}({n})", effort, text, target="BAD", expected=known(safe), peer=n <= 60)


def driver():
    tiny = [(9, 8, 10)]
    quick, full = [(50, 24, 30), (100, 24, 30), (200, 36, 30)], [(100, 24, 100), (400, 48, 30), (1000, 60, 60)]
    for effort, (procedures, flags, statements) in graded(tiny, quick, full):
        for safe in (True, False):
            name = f"driver{'' if safe else '-unsafe'}({procedures},{flags},{statements})"
            text = functools.partial(gen_driver.driver, procedures, flags, statements, 1, safe)
            yield Case("driver", name, effort, text, target="ERROR", expected=known(safe), peer=procedures <= 50)
    for effort, (n, statements) in graded([(8, 30)], [(16, 10000)], [(24, 100000)]):
        for safe in (True, False):
            name = f"straight{'' if safe else '-unsafe'}({n},{statements})"
            text = functools.partial(gen_mix.straight, n, 1, statements, safe)
            yield Case("driver", name, effort, text, target="BAD", expected=known(safe))


def odd():
    for effort, seed in graded([], range(1, 25), range(25, 241)):
        yield Case("odd", f"odd({seed})", effort, functools.partial(gen_odd.odd, seed), target="BAD", peer=True)


def quicksort():
    for effort, n in graded((2,), (3, 5, 8), (6, 7, 9, 12)):
        for corrected in (False, True):
            name = f"terminates{'-corrected' if corrected else ''}({n})"
            text = functools.partial(gen_quicksort.termination, n, corrected)
            yield Case("quicksort", name, effort, text, target="F terminated", command="ltl", suffix=".rem",
                       expected=HOLDS if corrected else VIOLATED)  # fmt: skip
    sizes = graded(((2, 3),), ((3, 4), (3, 5), (4, 4), (4, 5)), ((3, 6), (4, 6), (4, 7)))
    for effort, (n, m) in sizes:
        for corrected in (False, True):
            for pivot in (False, True):
                name = f"sorts{'-corrected' if corrected else ''}{'-random' if pivot else ''}({n},{m})"
                text = functools.partial(gen_quicksort.sortedness, n, m, corrected, pivot)
                yield Case("quicksort", name, effort, text, target="UNSORTED", suffix=".rem", expected=UNREACHABLE)
    for effort, count in graded((2,), (200, 5000), (1000, 3000)):
        text = functools.partial(gen_quicksort.t, count)
        yield Case("quicksort", f"T-number({count})", effort, text, target="R", suffix=".rem", expected=REACHABLE)


def parse():
    for effort, statements in graded((300,), (100000, 1000000)):
        for command in ("info", "fmt"):
            text = functools.partial(gen_text.text, statements)
            yield Case("parse", f"{command}({statements})", effort, text, command=command,
                       statements=gen_text.size(statements))  # fmt: skip


FAMILIES = {f.__name__: f for f in (t, calls, counters, mix, wide, driver, odd, quicksort, parse)}
REAL = "real"


def real(corpus):
    """The larger files of a folder with an INDEX.tsv and a DERIVED.tsv. Of the latter each thread is an entry."""

    def rows(name):
        if (corpus / name).exists():
            with open(corpus / name, newline="", encoding="utf-8") as file:
                yield from csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)

    def verdict(text):
        return text if text in (REACHABLE, UNREACHABLE) else None

    for row in rows("INDEX.tsv"):
        if row["kind"] == "sequential" and row["target"].startswith("label:") and int(row["bytes"]) > 15000:
            path = corpus / row["file"]
            yield Case(REAL, path.stem, "quick", path=path, target=row["target"][6:],
                       expected=verdict(row["computed"]), peer=True)  # fmt: skip
    for row in rows("DERIVED.tsv"):
        path = corpus / row["file"]
        if not row["entry"].startswith("thread") or path.stat().st_size < 10000:
            continue
        name = f"{path.stem}:{row['entry']}" + ("" if row["target"] == "SLIC_ERROR" else f":{row['target']}")
        effort = "quick" if row["entry"] == "thread0" else "full"
        yield Case(REAL, name, effort, path=path, target=row["target"], entry=row["entry"],
                   expected=verdict(row["computed"]), peer=True)  # fmt: skip


def cases(names, efforts, corpus=None):
    """The cases of these families and efforts."""
    for name in names:
        found = (real(corpus) if corpus else ()) if name == REAL else FAMILIES[name]()
        yield from (case for case in found if case.effort in efforts)
