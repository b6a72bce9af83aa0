#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a program and compares what it prints.  usage: run.py EXPECTED PROGRAM ARGS..."""

import difflib
import pathlib
import subprocess
import sys

if sys.argv[1:2] in (["-h"], ["--help"]):
    sys.exit(print(__doc__))
expected, *command = sys.argv[1:]
done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60)
want = pathlib.Path(expected).read_text(encoding="utf-8")
sys.stdout.writelines(difflib.unified_diff(want.splitlines(True), done.stdout.splitlines(True), "expected", "printed"))
print(done.stderr, end="")
sys.exit(done.returncode or done.stdout != want or done.stderr != "")
