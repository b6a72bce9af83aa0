#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares two results of bench.py as ratios, second by first: below 1 the second is better.
usage: compare.py OLD.json NEW.json [--fail-above RATIO]

With --fail-above, exits 1 when a wall or engine time grew by more than that.
"""

import argparse
import json
import math
import pathlib
import sys

COLUMNS = ["wall_seconds", "engine_seconds", "peak_nodes", "images"]


def ratio(old, new):
    return new / old if old else (1.0 if not new else math.inf)


arguments = argparse.ArgumentParser()
arguments.add_argument("old", type=pathlib.Path)
arguments.add_argument("new", type=pathlib.Path)
arguments.add_argument("--fail-above", type=float, default=math.inf)
options = arguments.parse_args()
old, new = (json.loads(p.read_text(encoding="ascii")) for p in (options.old, options.new))

worst = 0.0
print(f"{'':12}" + "".join(f"{c:>16}" for c in COLUMNS))
for name in [n for n in old if n in new]:
    ratios = {c: ratio(old[name][c], new[name][c]) for c in COLUMNS}
    worst = max(worst, ratios["wall_seconds"], ratios["engine_seconds"])
    print(f"{name:12}" + "".join(f"{ratios[c]:>16.3f}" for c in COLUMNS))
for name in sorted(set(old) ^ set(new)):
    print(f"{name:12}  only in the {'old' if name in old else 'new'} result")
if not worst:
    sys.exit("nothing to compare")
sys.exit(1 if worst > options.fail_above else 0)
