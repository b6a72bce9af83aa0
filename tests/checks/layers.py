#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Who may include whom.  usage: layers.py SOURCE_ROOT

A stage of lib/ includes itself and earlier stages, public headers of itself and earlier stages, C11
headers and <pthread.h>, lib/base also <sys/mman.h>. Only lib/bdd includes BuDDy. The command bp includes its own headers, public
ones and the C library. Public headers include public ones and C11.
"""

import pathlib
import sys

from check import finds, includes, is_c11, report

STAGES = ["base", "program", "remopla", "text", "cfg", "bdd", "engine", "answer", "pushdown", "temporal", "product"]
# The stage that a public header speaks for; bp.h pulls in everything and is for users only.
PUBLIC = {
    "version": "base", "status": "base", "context": "base",
    "program": "program", "builder": "program",
    "cfg": "cfg", "manager": "bdd", "query": "engine", "answer": "engine",
    "trace": "answer", "reachable": "answer",
    "pushdown": "pushdown", "stacks": "pushdown",
    "formula": "temporal", "automaton": "temporal",
    "ltl": "product",
}  # fmt: skip
BUDDY = {"bdd.h", "bvec.h", "fdd.h"}
POSIX = {
    "fcntl.h", "poll.h", "pthread.h", "sys/mman.h", "sys/resource.h", "sys/stat.h", "sys/types.h", "unistd.h",
}  # fmt: skip
SUFFIXES = {".c", ".h", ".re", ".cpp", ".hpp"}


def sources(folder):
    return sorted(p for p in folder.rglob("*") if p.suffix in SUFFIXES) if folder.is_dir() else []


def stage_may(stage, kind, name):
    """What is wrong with an include in a stage, or None."""
    rank = STAGES.index(stage)
    if kind == '"':
        other = name.split("/")[0] if "/" in name else stage
        if other not in STAGES:
            return "is no stage"
        return None if STAGES.index(other) <= rank else f"{other} comes after {stage}"
    if name in BUDDY:
        return None if stage == "bdd" else "only lib/bdd includes BuDDy"
    if name.startswith("bp/"):
        other = PUBLIC.get(name[3:-2])
        if other is None:
            return "is for users of the library"
        return None if STAGES.index(other) <= rank else f"belongs to {other}, after {stage}"
    if name == "sys/mman.h" and stage == "base":
        return None
    return None if is_c11(name) or name == "pthread.h" else "is not in C11"


def check(root):
    for path in sources(root / "lib"):
        stage = path.relative_to(root / "lib").parts[0]
        for kind, name in includes(path):
            wrong = stage_may(stage, kind, name) if stage in STAGES else "its folder is no stage"
            if wrong:
                yield f"{path.relative_to(root)}: {name}: {wrong}"
    for path in sources(root / "bindings" / "cli"):
        for kind, name in includes(path):
            own = kind == '"' and "/" not in name
            if not own and not (kind == "<" and (name.startswith("bp/") or is_c11(name) or name in POSIX)):
                yield f"{path.relative_to(root)}: {name}: bp uses public headers and the C library only"
    for path in sources(root / "include"):
        for kind, name in includes(path):
            if kind != "<" or not (name.startswith("bp/") or is_c11(name)):
                yield f"{path.relative_to(root)}: {name}: public headers include <bp/...> and C11 only"


report(
    check(pathlib.Path(sys.argv[1])),
    {
        "a later stage": finds(check, {"lib/cfg/a.c": '#include "engine/engine.h"\n'}),
        "a later public header": finds(check, {"lib/cfg/a.c": "#include <bp/query.h>\n"}),
        "BuDDy outside lib/bdd": finds(check, {"lib/engine/a.h": "# include <bdd.h>\n"}),
        "an unknown stage": finds(check, {"lib/misc/a.c": "#include <stdio.h>\n"}),
        "POSIX in the library": finds(check, {"lib/base/a.c": "#include <unistd.h>\n"}),
        "an inner header in bp": finds(check, {"bindings/cli/a.c": '#include "base/vec.h"\n'}),
        "BuDDy in bp": finds(check, {"bindings/cli/a.c": "#include <bdd.h>\n"}),
        "an inner header in a public one": finds(check, {"include/bp/a.h": '#include "base/vec.h"\n'}),
        "what is allowed": not finds(
            check,
            {
                "lib/bdd/a.c": '#include "bdd/bdd.h"\n#include <bdd.h>\n#include <bp/manager.h>\n',
                "bindings/cli/a.c": '#include "cmd.h"\n#include <bp/bp.h>\n#include <signal.h>\n',
                "include/bp/a.h": "#include <bp/status.h>\n#include <stdint.h>\n",
            },
        ),
    },
)
