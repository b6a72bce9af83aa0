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

UNDECIDED = "undecided"
GRACE = 3  # seconds between asking a process to end and ending it


@dataclasses.dataclass
class Run:
    """A process that ended."""

    status: int
    wall: float
    user: float
    cpu: float
    rss: int  # bytes; not below what the runner itself uses, see floor()
    late: bool
    out: str
    err: str


def run(command, timeout, memory=None, output=None):
    """Runs the command, for at most `timeout` seconds and in at most `memory` bytes of address space.

    Its output goes to the file `output`, or is kept.
    """
    with open(output, "wb") if output else tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        late = threading.Event()
        start = time.monotonic()
        process = subprocess.Popen(
            [str(word) for word in command],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
        )
        if memory:
            resource.prlimit(process.pid, resource.RLIMIT_AS, (memory, memory))

        def stop():  # bp says how far it came when it is asked to end
            late.set()
            os.kill(process.pid, signal.SIGTERM)

        timers = [
            threading.Timer(timeout, stop),
            threading.Timer(timeout + GRACE, os.kill, (process.pid, signal.SIGKILL)),
        ]
        for timer in timers:
            timer.start()
        try:
            _, status, usage = os.wait4(process.pid, 0)
            wall = time.monotonic() - start
        except BaseException:
            process.kill()
            raise
        finally:
            for timer in timers:
                timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        texts = []
        for file in (None if output else out, err):
            if file:
                file.seek(0)
            texts.append(file.read().decode("utf-8", "replace") if file else "")
        cpu = usage.ru_utime + usage.ru_stime
        return Run(process.returncode, wall, usage.ru_utime, cpu, usage.ru_maxrss * 1024, late.is_set(), *texts)


def floor():
    """The peak memory that is reported for a process that uses hardly any, in bytes.

    It is the runner's own: the kernel counts what a process was before it became another program.
    """
    return run(["true"], 10).rss


class WrongAnswer(Exception):
    """A verdict that cannot be, or an error where there should be a verdict."""


def bp_command(bp, case, path, options):
    command = [bp, case.command, *options]
    if case.entry:
        command += ["--entry", case.entry]
    if not case.reads:
        return [*command, "--json", "--no-trace", path, case.target]
    return [*command, "--stats", path]


def once(bp, case, path, options, timeout, memory):
    """One run of bp: a row, whose `verdict` may also be timeout or undecided."""
    done = run(bp_command(bp, case, path, options), timeout, memory, os.devnull if case.reads else None)
    row = {"family": case.family, "verdict": "read", "wall_seconds": done.wall, "user_seconds": done.user}
    row.update(cpu_seconds=done.cpu, peak_rss=done.rss)
    if done.late:
        stats = json.loads(done.out)["stats"] if done.out.endswith("}\n") else {}
        return {**row, "verdict": "timeout", "timeout": timeout, **stats}
    if case.reads:
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
    elif (row["verdict"] in ("reachable", "violated")) != (done.status == 1):
        raise WrongAnswer(f"{row['verdict']}, but exit status {done.status}")
    if case.expected and not row["verdict"].startswith(UNDECIDED) and row["verdict"] != case.expected:
        raise WrongAnswer(f"{row['verdict']}, but it is {case.expected}")
    return {**row, **document["stats"]}


def solved(row):
    """Whether there is an answer."""
    return row["verdict"] != "timeout" and not row["verdict"].startswith(UNDECIDED)


def merge(best, row):
    """The smaller of each measurement."""
    if best is None or not solved(best):
        return row
    if not solved(row):
        return best
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
