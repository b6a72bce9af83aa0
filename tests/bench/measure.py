# SPDX-License-Identifier: MIT
"""Runs a command and measures it: time, memory, what it printed."""

import dataclasses
import json
import os
import resource
import signal
import subprocess
import tempfile
import threading
import time

TIMES = ("wall_seconds", "user_seconds", "parse_seconds", "build_seconds", "engine_seconds")
UNDECIDED = "undecided"


@dataclasses.dataclass
class Run:
    """A process that ended."""

    status: int
    wall: float
    user: float
    rss: int  # bytes; not below what the runner itself uses, see floor()
    late: bool
    out: str
    err: str


def run(command, timeout, memory=None, keep_output=True):
    """Runs the command, for at most `timeout` seconds and in at most `memory` bytes of address space."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        late = threading.Event()
        start = time.monotonic()
        process = subprocess.Popen(
            [str(word) for word in command],
            stdin=subprocess.DEVNULL,
            stdout=out if keep_output else subprocess.DEVNULL,
            stderr=err,
        )
        if memory:
            resource.prlimit(process.pid, resource.RLIMIT_AS, (memory, memory))

        def stop():
            late.set()
            os.kill(process.pid, signal.SIGKILL)

        timer = threading.Timer(timeout, stop)
        timer.start()
        try:
            _, status, usage = os.wait4(process.pid, 0)
            wall = time.monotonic() - start
        except BaseException:
            process.kill()
            raise
        finally:
            timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode("utf-8", "replace"))
        return Run(process.returncode, wall, usage.ru_utime, usage.ru_maxrss * 1024, late.is_set(), *texts)


def floor():
    """The peak memory that is reported for a process that uses hardly any, in bytes."""
    return run(["true"], 10).rss


class WrongAnswer(Exception):
    """A verdict that cannot be, or an error where there should be a verdict."""


def bp_command(bp, case, path, options):
    command = [bp, case.command, *options]
    if case.entry:
        command += ["--entry", case.entry]
    if case.command == "reach":
        return [*command, "--json", "--no-trace", path, case.target]
    return [*command, "--stats", path]


def once(bp, case, path, options, timeout, memory):
    """One run of bp: a row, whose `verdict` may also be timeout or undecided."""
    done = run(bp_command(bp, case, path, options), timeout, memory, case.command == "reach")
    row = {"family": case.family, "verdict": "timeout", "timeout": timeout}
    if done.late:
        return row
    row = {"family": case.family, "verdict": "read", "wall_seconds": done.wall, "user_seconds": done.user}
    row["peak_rss"] = done.rss
    if case.command != "reach":
        if done.status != 0:
            raise WrongAnswer(f"exit status {done.status}: {done.err.strip()[-300:]}")
        parse = [line.split()[1] for line in done.err.splitlines() if line.startswith("parse_seconds:")]
        return {**row, "parse_seconds": float(parse[0])} if parse else row
    if done.status not in (0, 1, 3):
        raise WrongAnswer(f"exit status {done.status}: {done.err.strip()[-300:]}")
    document = json.loads(done.out)
    result = document["results"][0]
    row["verdict"] = result["verdict"]
    if row["verdict"] == UNDECIDED:
        row["verdict"] = f"{UNDECIDED}: {result.get('reason', '?')}"
    elif (row["verdict"] == "reachable") != (done.status == 1):
        raise WrongAnswer(f"{row['verdict']}, but exit status {done.status}")
    if case.expected and not row["verdict"].startswith(UNDECIDED) and row["verdict"] != case.expected:
        raise WrongAnswer(f"{row['verdict']}, but it is {case.expected}")
    return {**row, **document["stats"]}


def solved(row):
    """Whether there is an answer."""
    return row["verdict"] != "timeout" and not row["verdict"].startswith(UNDECIDED)


def merge(best, row):
    """The smaller of each measurement."""
    if best is None or not solved(row):
        return row
    return {k: min(best[k], v) if isinstance(v, (int, float)) and k in best else v for k, v in row.items()}


def finish(row, size, statements):
    """Adds what follows from the measurements."""
    if row.get("cfg_edges"):
        row["ns_per_edge"] = 1e9 * row["engine_seconds"] / row["cfg_edges"]
    if row["verdict"] == "read":
        row["text_bytes"], row["statements"] = size, statements
        row["mb_per_second"] = size / 1e6 / row.get("parse_seconds", row["wall_seconds"])
        row["bytes_per_statement"] = row["peak_rss"] / statements
        row["text_per_statement"] = size / statements
    return row
