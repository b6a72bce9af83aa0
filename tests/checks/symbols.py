#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The ABI is a text file.  usage: symbols.py SHARED STATIC MAP INCLUDE_DIR [NM]

The shared library exports exactly the functions of the map, in its version node; they are exactly
the BP_API functions of the headers; the map is sorted. In the static library, where nothing can be
hidden, every external symbol begins with bp_ or bpi_.
"""

import pathlib
import re
import sys

from check import output, report, without_comments

# What compilers add for sanitizers and coverage.
INSTRUMENTS = re.compile(r"__(odr_asan|asan|ubsan|sancov|llvm|gcov|start_|stop_)")


def declared(text):
    """The BP_API functions of a header."""
    text = without_comments(text)
    text = re.sub(r"^[ \t]*#.*(\\\n.*)*$", "", text, flags=re.MULTILINE)
    return set(re.findall(r"\bBP_API\b[^;{]*?\b(\w+)\s*\(", text))


def mapped(text):
    """The version node and the names of a map file, and complaints about its form."""
    text = without_comments(text)
    match = re.fullmatch(r"\s*(\w[\w.]*)\s*\{\s*global:(.*)local:\s*\*;\s*\};\s*", text, re.DOTALL)
    if not match:
        return "", [], ["the map is not NODE { global: names; local: *; };"]
    names = [n.strip() for n in match[2].split(";") if n.strip()]
    complaints = [f"the map has a pattern: {n}" for n in names if not re.fullmatch(r"\w+", n)]
    if names != sorted(set(names)):
        complaints.append("the map is not sorted, or names something twice")
    return match[1], names, complaints


def compare(headers, node, names, exported):
    for name in sorted(headers - set(names)):
        yield f"{name} is in the headers, not in the map"
    for name in sorted(set(names) - headers):
        yield f"{name} is in the map, not in the headers"
    versions = {f"{name}@@{node}" for name in names}
    exported = exported - {f"{node}@@{node}", node}
    for name in sorted(versions - exported):
        yield f"{name} is in the map, not exported"
    for name in sorted(exported - versions):
        yield f"{name} is exported, not in the map"


def leaks(symbols):
    return [f"{name} has no prefix" for name in sorted(symbols)
            if not re.match(r"bpi?_", name) and not INSTRUMENTS.match(name)]  # fmt: skip


def defined(nm, *args):
    """The names that nm lists as defined."""
    rows = (line.split() for line in output(nm, "--defined-only", *args).splitlines())
    return {row[2] for row in rows if len(row) == 3}


def check(shared, static, map_file, include, nm="nm"):
    node, names, complaints = mapped(pathlib.Path(map_file).read_text(encoding="utf-8"))
    yield from complaints
    headers = set()
    for path in pathlib.Path(include).rglob("*.h"):
        headers |= declared(path.read_text(encoding="utf-8"))
    exported = {n for n in defined(nm, "-D", "--with-symbol-versions", shared) if not INSTRUMENTS.match(n)}
    yield from compare(headers, node, names, exported)
    yield from leaks(defined(nm, "-g", static))


MAP = "N_1 {\nglobal:\n  %s;\nlocal:\n  *;\n};\n"
HEADER = """#define BP_API __attribute__((visibility("default")))
/** BP_API not_me(void). */
BP_API bp_status bp_a(bp_x **out,
                      const char *name);
typedef int (*bp_fn)(int);
BP_API void bp_b(bp_fn fn);
"""
report(
    check(*sys.argv[1:]),
    {
        "functions of a header": declared(HEADER) == {"bp_a", "bp_b"},
        "a wild map": mapped(MAP % "bp_*")[2] != [],
        "an unsorted map": mapped(MAP % "bp_b; bp_a")[2] != [],
        "a map of another form": mapped("{ global: bp_a; };")[2] != [],
        "a name missing in the map": any(compare({"bp_a", "bp_b"}, "N", ["bp_a"], {"bp_a@@N"})),
        "a name too many in the map": any(compare(set(), "N", ["bp_a"], {"bp_a@@N"})),
        "a name not exported": any(compare({"bp_a"}, "N", ["bp_a"], set())),
        "a name of another version": any(compare({"bp_a"}, "N", ["bp_a"], {"bp_a@@M"})),
        "a leak": leaks({"bp_a", "bpi_b", "vec_grow"}) == ["vec_grow has no prefix"],
        "what is right": not any(compare({"bp_a"}, "N", ["bp_a"], {"bp_a@@N", "N@@N"})),
    },
)
