#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tests/support/failing_malloc.c starts and fails as told, beside sanitizers too.

usage: failing_malloc.py SUPPORT_FOLDER

With each of gcc and clang that is there, optimised or not, alone and with AddressSanitizer. A
compiler without the sanitizer's library is passed over.
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile

from check import report

USER = """
#include "failing_malloc.h"
#include <stdlib.h>
int main(void)
{
  char *volatile keep = malloc(10);
  malloc_fail_at(2, 0);
  char *volatile one = malloc(100), *volatile two = malloc(100), *volatile three = calloc(5, 20);
  const long calls = malloc_calls(), failures = malloc_failures();
  malloc_fail_at(0, 0);
  keep = realloc(keep, 1000);
  const int right = keep && one && !two && three && calls == 3 && failures == 1;
  free(keep);
  free(one);
  free(three);
  return right ? 0 : 1;
}
"""
NOTHING = "int main(void)\n{\n  return 0;\n}\n"
FLAGS = [[level, *asan] for level in ("-O0", "-O2") for asan in ([], ["-fsanitize=address"])]


def build(folder, compiler, flags, name, text, *more):
    (folder / f"{name}.c").write_text(text, encoding="utf-8")
    command = [compiler, "-std=c11", *flags, "-o", folder / name, folder / f"{name}.c", *more]
    return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


def attempt(folder, compiler, flags, support, user):
    if not build(folder, compiler, flags, "nothing", NOTHING):
        return None
    if not build(folder, compiler, flags, "user", user, f"-I{support}", support / "failing_malloc.c"):
        return "does not build"
    done = subprocess.run([folder / "user"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
    return f"status {done.returncode} {done.stdout.strip()}" if done.returncode else None


def check(support, user=USER):
    with tempfile.TemporaryDirectory(prefix="libbp-malloc-") as name:
        for compiler in filter(shutil.which, ("gcc", "clang")):
            for flags in FLAGS:
                problem = attempt(pathlib.Path(name), compiler, flags, support, user)
                if problem:
                    yield f"{compiler} {' '.join(flags)}: {problem}"


folder = pathlib.Path(sys.argv[1])
report(check(folder), {"a call too few": any(check(folder, USER.replace("calls == 3", "calls == 2")))})
