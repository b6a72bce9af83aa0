#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs bp on T(N) and prints a table.  usage: bench.py BP [--sizes N,...] [--repeat R] [--json FILE]

Of R runs the fastest counts. The JSON result is what compare.py reads.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import gen_t

COLUMNS = ["wall_seconds", "parse_seconds", "build_seconds", "engine_seconds", "ns_per_edge", "peak_nodes", "images"]


def measure(bp, path, repeat):
    best = None
    for _ in range(repeat):
        start = time.monotonic()
        done = subprocess.run([bp, "reach", "--json", "--no-trace", path, "reach"], stdout=subprocess.PIPE, text=True)
        wall = time.monotonic() - start
        document = json.loads(done.stdout)
        verdict = document["results"][0]["verdict"]
        if done.returncode != 1 or verdict != "reachable":
            sys.exit(f"{path}: {verdict}, exit status {done.returncode}; T(N) is reachable")
        stats = document["stats"]
        row = {"wall_seconds": wall, **stats, "ns_per_edge": 1e9 * stats["engine_seconds"] / stats["cfg_edges"]}
        if best is None or row["wall_seconds"] < best["wall_seconds"]:
            best = row
    return best


def cell(value):
    return f"{value:.4f}" if isinstance(value, float) and value < 10 else f"{value:.0f}"


arguments = argparse.ArgumentParser()
arguments.add_argument("bp")
arguments.add_argument("--sizes", default="100,1000,5000,20000")
arguments.add_argument("--repeat", type=int, default=3)
arguments.add_argument("--json", type=pathlib.Path)
options = arguments.parse_args()

result = {}
print(f"{'':12}" + "".join(f"{c:>16}" for c in COLUMNS))
with tempfile.TemporaryDirectory() as folder:
    for n in map(int, options.sizes.split(",")):
        path = pathlib.Path(folder) / f"t{n}.bp"
        with path.open("w", encoding="ascii") as out:
            out.writelines(gen_t.program(n))
        row = result[f"T({n})"] = measure(options.bp, path, options.repeat)
        print(f"{f'T({n})':12}" + "".join(f"{cell(row[c]):>16}" for c in COLUMNS), flush=True)
if options.json:
    options.json.write_text(json.dumps(result, indent=1) + "\n", encoding="ascii")
