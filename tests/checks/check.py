# SPDX-License-Identifier: MIT
"""What every check shares: the report, and the rule that a check must be able to fail.

A check is a function that yields complaints. Before it looks at the project it is given bad
examples of its own; one that it accepts is a failure too.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

if sys.argv[1:2] in (["-h"], ["--help"]):
    sys.exit(print(sys.modules["__main__"].__doc__))

C11 = set(
    "assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign "
    "stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar "
    "wchar wctype".split()
)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.MULTILINE)


def includes(path):
    """The includes of a file as ('<' or '"', name)."""
    return INCLUDE.findall(path.read_text(encoding="utf-8", errors="replace"))


def is_c11(name):
    return name.endswith(".h") and name[:-2] in C11


def without_comments(text):
    return re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def tree(root, files):
    """Writes {path: text} under root, for examples."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def finds(check, files, *more):
    """Whether the check complains about a tree of these files."""
    with tempfile.TemporaryDirectory() as folder:
        return any(True for _ in check(tree(pathlib.Path(folder), files), *more))


def report(complaints, selftests):
    """Prints and exits: selftests is {name: whether the check complained as it must}."""
    blind = [name for name, ok in selftests.items() if not ok]
    for name in blind:
        print(f"self-test: does not see {name}")
    complaints = list(complaints)
    for complaint in complaints:
        print(complaint)
    print(f"{len(complaints)} complaints, {len(selftests) - len(blind)} of {len(selftests)} self-tests")
    sys.exit(1 if complaints or blind else 0)
