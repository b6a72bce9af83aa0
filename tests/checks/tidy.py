#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Files of the project: at most 500 lines, a licence line on top of C, nothing put off until later.
usage: tidy.py SOURCE_ROOT
"""

import pathlib
import re
import sys

from check import finds, report

FOLDERS = ["include", "lib", "bindings", "tests", "docs/examples", ".ci"]
SUFFIXES = {".c", ".h", ".re", ".cpp", ".py", ".sh"}
MOST = 500
LATER = re.compile(r"\b(" + "|".join(["TO" + "DO", "FIX" + "ME", "X" + "XX", "HA" + "CK"]) + r")\b")


def check(root):
    for path in sorted(p for f in FOLDERS for p in (root / f).rglob("*") if p.suffix in SUFFIXES):
        name = path.relative_to(root)
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
        if len(lines) > MOST:
            yield f"{name}: {len(lines)} lines, more than {MOST}"
        if path.suffix != ".py" and not any("SPDX-License-Identifier: MIT" in line for line in lines[:2]):
            yield f"{name}: no licence line on top"
        for number, line in enumerate(lines, 1):
            if LATER.search(line):
                yield f"{name}:{number}: {LATER.search(line)[1]}"
            if line != line.rstrip() or ("\t" in line and path.suffix in {".c", ".h"}):
                yield f"{name}:{number}: a tab, or a blank at the end"


TOP = "/* SPDX-License-Identifier: MIT */\n"
report(
    check(pathlib.Path(sys.argv[1])),
    {
        "a long file": finds(check, {"lib/base/a.c": TOP + "\n" * 500}),
        "a missing licence": finds(check, {"tests/unit/a.c": "int x;\n"}),
        "work put off": finds(check, {"lib/base/a.h": TOP + "/* TO" + "DO */\n"}),
        "a blank at the end": finds(check, {"bindings/cli/a.c": TOP + "int x; \n"}),
        "what is right": not finds(check, {"lib/base/a.c": TOP + "int x;\n" * 499}),
    },
)
