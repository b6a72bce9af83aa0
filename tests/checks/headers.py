#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every public header compiles alone, without a warning, and bp.h pulls in all of them.
usage: headers.py SOURCE_FILE INCLUDE_DIR STANDARD COMPILER...
"""

import pathlib
import subprocess
import sys

from check import finds, includes, report

WARNINGS = "-Wall -Wextra -Werror -pedantic-errors -Wshadow -Wundef".split()


def check(include, source, standard, compiler):
    headers = sorted((include / "bp").glob("*.h"))
    if not headers:
        yield f"no headers in {include}"
    for path in headers:
        command = [*compiler, f"-std={standard}", *WARNINGS, "-fsyntax-only", f"-I{include}"]
        command += [f"-DHEADER=<bp/{path.name}>", source]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            yield f"bp/{path.name} does not compile alone as {standard}:\n{done.stdout}"
    umbrella = include / "bp" / "bp.h"
    pulled = {name for _, name in includes(umbrella)} if umbrella.exists() else set()
    for path in headers:
        if path != umbrella and f"bp/{path.name}" not in pulled:
            yield f"bp.h does not include <bp/{path.name}>"


source, include, standard, *compiler = sys.argv[1:]
tools = (source, standard, compiler)
GUARD = "#ifndef BP_X_H\n#define BP_X_H\n%s\n#endif\n"
report(
    check(pathlib.Path(include), *tools),
    {
        "a missing include": finds(check, {"bp/bp.h": GUARD % "uint32_t bp_x(void);"}, *tools),
        "a missing guard": finds(check, {"bp/bp.h": "typedef struct bp_x { int y; } bp_x;\n"}, *tools),
        "a header that bp.h forgets": finds(check, {"bp/bp.h": GUARD % "", "bp/a.h": ""}, *tools),
        "an empty folder": finds(check, {}, *tools),
        "what is right": not finds(check, {"bp/bp.h": GUARD % "int bp_x(int y);"}, *tools),
    },
)
