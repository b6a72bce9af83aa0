#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every script of tests/ says what it is when asked with --help.  usage: scripts.py SOURCE_ROOT

Scripts are the Python files that begin with #!. The help must come on standard output, name the
script or its usage, and end with status 0.
"""

import pathlib
import subprocess
import sys

from check import finds, report


def help_of(path):
    done = subprocess.run(
        [sys.executable, path, "--help"], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60
    )
    if done.returncode:
        return f"ends with status {done.returncode}: {done.stderr.strip().splitlines()[-1:]}"
    return None if "usage:" in done.stdout else "does not tell its usage"


def check(root):
    for path in sorted((root / "tests").rglob("*.py")):
        if path.read_bytes().startswith(b"#!"):
            problem = help_of(path)
            if problem:
                yield f"{path.relative_to(root)} --help {problem}"


report(
    check(pathlib.Path(sys.argv[1])),
    {
        "a traceback": finds(check, {"tests/a.py": "#!python3\nimport sys\nprint('usage:', int(sys.argv[1]))\n"}),
        "silence": finds(check, {"tests/a/b.py": "#!python3\n"}),
        "what is right": not finds(
            check,
            {
                "tests/a.py": "#!python3\nimport argparse\nargparse.ArgumentParser().parse_args()\n",
                "tests/b.py": "no script\n",
            },
        ),
    },
)
