#!/usr/bin/env python3
"""Compares `bp` with the explicit checker on random Remopla programs.

remopla_diff.py --bp BP_MANY --seeds A..B [--jobs N] [--save DIR]

For each seed: which labels are reachable, with which shortest lengths, hierarchical and expanded; the
values of each trace's last step; the same verdicts for the boolean program that --boolean prints; what fmt
prints is a fixed point; what can overflow. Exit status 1 if anything differs.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from multiprocessing import Pool
from random import Random

from remopla import Parser
from remopla_check import Checker, TooBig
from remopla_generate import generate

ENGINE = ("live", "modref", "cone", "delta", "early", "chain", "order", "loop", "context", "localize",
          "share", "post", "recursion", "narrow", "backward", "execute")


class Many:
    """bp_many: one process for many calls."""

    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL)

    def ask(self, *args):
        self.process.stdin.write(("".join(a + "\n" for a in args) + "\n").encode())
        self.process.stdin.flush()
        out = bytearray()
        while b"\x1e" not in out:
            more = self.process.stdout.readline()
            if not more:
                raise RuntimeError(f"bp ended: {args}")
            out += more
        text, _, status = bytes(out).decode().partition("\x1e")
        return text, int(status)


def expect(holds, message):
    if not holds:
        raise AssertionError(message)


def shown_state_exists(step, program, module, states):
    """Whether one of the reachable states has all values that the last step shows."""
    own = program.modules[module].formals + program.modules[module].locals
    names = [v.name for v in own]

    def agrees(state):
        values = dict(zip([v.name for v in program.globals], state[0]))
        values.update(zip(names, state[1]))
        for name, shown in step["state"].items():
            known = {v.name: v for v in program.globals} | {v.name: v for v in own}
            constants, value = known[name].constants, values[name]
            if constants:
                value = tuple(constants[v] for v in value) if isinstance(value, tuple) else constants[value]
            if isinstance(shown, list):
                if any(s is not None and s != v for s, v in zip(shown, value)):
                    return False
            elif value != shown:
                return False
        return True
    return any(agrees(state) for state in states)


def compare(many, text, path, random):
    program = Parser(text).program()
    zero = random.random() < 0.25
    flags = ["--locals", "zero"] if zero else []
    checker = Checker(program, zero)
    nearest, _ = checker.labels(False)
    fewest, _ = checker.labels(True)
    engine = ["--engine-off=" + ",".join(random.sample(ENGINE, random.randint(1, 4)))] \
        if random.random() < 0.4 else []
    targets = [f"{m.name}:{label}" for m in program.modules.values() for label in m.labels]
    for expanded, found in ((False, nearest), (True, fewest)):
        if not targets:
            break
        extra = ["--shortest"] if expanded else []
        out, status = many.ask("reach", path, *targets, "--json", "--quiet", *flags, *engine, *extra)
        expect(status in (0, 1), f"status {status}")
        for target, result in zip(targets, json.loads(out)["results"]):
            module, label = target.split(":")
            want = found.get((module, label))
            expect((result["verdict"] == "reachable") == (want is not None),
                   f"{target}: {result['verdict']}, wanted {want and want[0]}")
            if want is None:
                continue
            trace = result["trace"]
            length = trace["length"] if expanded else trace["hierarchical_length"]
            expect(length == want[0] or (trace.get("shallow") and length > want[0]), f"{target} {extra}: length {length}, wanted {want[0]}")
            expect(len(trace["steps"]) == trace["hierarchical_length"], f"{target}: steps")
            expect(shown_state_exists(trace["steps"][-1], program, module, want[1]),
                   f"{target}: {trace['steps'][-1]['state']}")
    printed(many, text, path, targets, flags, nearest)
    overflow(many, path, flags, program, zero)


def printed(many, text, path, targets, flags, nearest):
    again, boolean = path + ".again.rem", path + ".bp"
    for source, wanted in ((path, None), (again, None)):
        out, status = many.ask("fmt", source, "--quiet")
        expect(status == 0, f"fmt: status {status}")
        if source == again:
            with open(again) as file:
                expect(file.read() == out, "fmt prints something else the second time")
        with open(again, "w") as file:
            file.write(out)
    for source in (again, boolean):
        if not targets:
            break
        if source == boolean:
            out, status = many.ask("fmt", path, "--boolean", "--quiet", *flags)
            if status == 2 and any(op in text for op in "*/"):
                break  # too large without sharing
            expect(status == 0, f"fmt --boolean: status {status}")
            with open(boolean, "w") as file:
                file.write(out)
        own = flags if source == again else []
        out, status = many.ask("reach", source, *targets, "--no-trace", "--quiet", *own)
        lines = out.splitlines()
        expect(status in (0, 1) and len(lines) == len(targets), f"{source}: status {status}")
        for target, line in zip(targets, lines):
            reachable = tuple(target.split(":")) in nearest
            expect(line.endswith(" reachable") == reachable, f"{source}: {line}")


def overflow(many, path, flags, program, zero):
    _, failing = Checker(program, zero, True).labels(False)
    out, status = many.ask("check", path, "--overflow", "error", "--quiet", *flags)
    expect(status == int(failing), f"check --overflow error: status {status}, wanted {int(failing)}: {out}")


def try_seed(task):
    seed, bp, save = task
    global MANY
    if "MANY" not in globals():
        MANY = Many(bp)
    text = generate(seed)
    path = os.path.join(tempfile.gettempdir(), f"remopla-{os.getpid()}.rem")
    with open(path, "w") as file:
        file.write(text)
    try:
        compare(MANY, text, path, Random(seed))
    except TooBig:
        return "big", seed, None
    except Exception as problem:  # any trouble is a finding
        os.makedirs(save, exist_ok=True)
        with open(os.path.join(save, f"seed{seed}.rem"), "w") as file:
            file.write(text)
        if isinstance(problem, RuntimeError):
            del MANY
        return "failed", seed, f"seed {seed}: {type(problem).__name__}: {problem}"
    return "passed", seed, None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bp", required=True)
    parser.add_argument("--seeds", default="1..200")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--save", default="remopla-failures")
    arguments = parser.parse_args()
    first, _, last = arguments.seeds.partition("..")
    counts = {"passed": 0, "failed": 0, "big": 0}
    tasks = [(seed, os.path.abspath(arguments.bp), arguments.save)
             for seed in range(int(first), int(last or first) + 1)]
    with Pool(arguments.jobs) as pool:
        for verdict, _, message in pool.imap_unordered(try_seed, tasks, chunksize=1):
            counts[verdict] += 1
            if message:
                print(message, flush=True)
    print(f"seeds {arguments.seeds}: {counts['passed']} passed, {counts['failed']} failed, "
          f"{counts['big']} too big")
    return 1 if counts["failed"] or not counts["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
