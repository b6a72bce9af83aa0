#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The documents say what the code says.  usage: documents.py SOURCE_ROOT VERSION

The version is the same everywhere and NEWS.md has an entry for it; docs/errors.md lists exactly the
message numbers of lib/base/context.h; README.md shows docs/examples/01_reachable.c to the letter;
links between documents lead somewhere.
"""

import pathlib
import re
import sys

from check import finds, report


def read(root, name):
    path = root / name
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def version(root, number):
    header = read(root, "include/bp/version.h")
    parts = [re.search(rf"#define BP_VERSION_{p} (\d+)", header) for p in ("MAJOR", "MINOR", "PATCH")]
    told = ".".join(m[1] if m else "?" for m in parts)
    if told != number:
        yield f"include/bp/version.h says {told}, meson.build says {number}"
    if not re.search(rf"^## {re.escape(number)}\b", read(root, "NEWS.md"), re.MULTILINE):
        yield f"NEWS.md has no entry `## {number}`"
    series = ".".join(number.split(".")[:2])
    if f"LIBBP_{series} {{" not in read(root, "lib/libbp.map"):
        yield f"lib/libbp.map has no node LIBBP_{series}"


def messages(root):
    code = re.findall(r"\bBPI_MSG_\w+ = ([1-9]\d*)", read(root, "lib/base/context.h"))
    if len(code) != len(set(code)):
        yield "lib/base/context.h gives a message number twice"
    listed = re.findall(r"^(?:\|\s*|#+\s*|[-*]\s*)`?\**(\d{3})\b", read(root, "docs/errors.md"), re.MULTILINE)
    for number in sorted(set(code) - set(listed)):
        yield f"docs/errors.md does not list message {number}"
    for number in sorted(set(listed) - set(code)):
        yield f"docs/errors.md lists message {number}, which does not exist"


def example(root):
    shown = re.findall(r"^```c\n(.*?)^```", read(root, "README.md"), re.MULTILINE | re.DOTALL)
    real = re.sub(r"\A/\* SPDX.*?\*/\n", "", read(root, "docs/examples/01_reachable.c"), flags=re.DOTALL)
    if shown[:1] != [real]:
        yield "README.md does not show docs/examples/01_reachable.c as it is"


def links(root):
    for path in [*root.glob("*.md"), *root.glob("docs/**/*.md"), *root.glob("lib/*.md"), *root.glob("tests/*.md")]:
        for target in re.findall(r"\]\(([^)#\s]+)[^)\s]*\)", path.read_text(encoding="utf-8")):
            if "://" not in target and not (path.parent / target).exists():
                yield f"{path.relative_to(root)}: {target} does not exist"


def check(root, number):
    yield from version(root, number)
    yield from messages(root)
    yield from example(root)
    yield from links(root)


GOOD = {
    "include/bp/version.h": "#define BP_VERSION_MAJOR 1\n#define BP_VERSION_MINOR 2\n#define BP_VERSION_PATCH 3\n",
    "NEWS.md": "# News\n\n## 1.2.3\n",
    "lib/libbp.map": "LIBBP_1.2 {\n",
    "lib/base/context.h": "BPI_MSG_NONE = 0,\nBPI_MSG_A = 101,\nBPI_MSG_B = 102\n",
    "docs/errors.md": "| 101 | a |\n| `102` | b |\n",
    "docs/examples/01_reachable.c": "/* SPDX-License-Identifier: MIT */\nint x;\n",
    "README.md": "```c\nint x;\n```\n[news](NEWS.md)\n",
}


def sees(name, old, new):
    return finds(check, {**GOOD, name: GOOD[name].replace(old, new)}, "1.2.3")


report(
    check(pathlib.Path(sys.argv[1]), sys.argv[2]),
    {
        "a version that differs": sees("include/bp/version.h", "MINOR 2", "MINOR 1"),
        "a missing NEWS entry": sees("NEWS.md", "1.2.3", "1.2.2"),
        "an old version node": sees("lib/libbp.map", "1.2", "1.1"),
        "an unlisted message": sees("docs/errors.md", "`102`", "`103`"),
        "a number used twice": sees("lib/base/context.h", "102", "101"),
        "an example that differs": sees("README.md", "int x", "int y"),
        "a dead link": sees("README.md", "(NEWS.md)", "(OLD.md)"),
        "what is right": not finds(check, GOOD, "1.2.3"),
    },
)
