#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""C files are as clang-format leaves them.  usage: format.py SOURCE_ROOT CLANG_FORMAT"""

import pathlib
import subprocess
import sys

from check import finds, report

FOLDERS = ["include", "lib", "bindings", "tests", "docs/examples"]


def check(root, tool, style="file"):
    files = sorted(str(p) for f in FOLDERS for s in ("*.c", "*.h", "*.cpp") for p in (root / f).rglob(s))
    if not files:
        yield "no files"
        return
    command = [tool, f"--style={style}", "--dry-run", "-Werror", "--ferror-limit=3", *files]
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        yield done.stderr


root, tool = sys.argv[1:]
report(
    check(pathlib.Path(root), tool),
    {
        "a bad file": finds(check, {"lib/a.c": "int   x ;\n"}, tool, "LLVM"),
        "no files": finds(check, {}, tool, "LLVM"),
        "what is right": not finds(check, {"lib/a.c": "int x;\n"}, tool, "LLVM"),
    },
)
