#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The library never ends its host, never prints, never looks at the environment or the locale.
usage: quiet.py SHARED STATIC release|debug [NM]

Looks at what the libraries call: none of the functions below, in neither library; standard streams
are not named; fwrite() is called by sink.c alone, pthread_sigmask(), about the library's own threads,
by run_all.c alone; assertions are compiled out of release builds.
"""

import re
import sys

from check import output, report

NEVER = set(
    # ends or disturbs the host
    "abort _Exit _exit exit quick_exit at_quick_exit atexit raise kill killpg pthread_kill pthread_exit "
    "signal bsd_signal sysv_signal sigaction sigprocmask alarm setitimer fork vfork "
    "system popen execl execv execve execvp longjmp_chk "
    # prints
    "printf fprintf vprintf vfprintf dprintf vdprintf puts fputs putchar putchar_unlocked putc fputc "
    "putc_unlocked fputc_unlocked fwrite_unlocked fputs_unlocked perror psignal write writev syslog "
    "vsyslog warn warnx err errx error stdout stderr stdin fopen freopen open creat bdd_printall "
    "bdd_printdot bdd_fprintdot bdd_printset bdd_fprintset bdd_printtable bdd_fprinttable bdd_printstat "
    "bdd_fprintstat bdd_printorder bdd_fprintorder bdd_save bdd_fnprintdot bdd_fnsave bdd_load "
    "bdd_fnload "
    # reads or changes what belongs to the process
    "getenv secure_getenv setenv putenv unsetenv setlocale uselocale newlocale localeconv srand rand "
    "srandom random chdir umask strtok "
    # answers by the host's locale
    "strcasecmp strncasecmp tolower toupper strtod strtof strtold atof strcoll strxfrm strftime "
    "ctype_b_loc ctype_tolower_loc ctype_toupper_loc".split()
)
RELEASE = {"assert_fail", "assert_perror_fail", "assert"}


def plain(symbol):
    """A symbol without version and without the clothes of fortified and checked variants."""
    name = symbol.split("@")[0]
    name = re.sub(r"^__isoc\d+_", "", name)
    name = re.sub(r"^__(?=\w)", "", name)
    return re.sub(r"_chk$", "", name)


def noises(where, symbols, release):
    never = NEVER | RELEASE if release else NEVER
    return [f"{where} calls {s}" for s in sorted(symbols) if plain(s) in never or s.split("@")[0] in never]


ONLY = {"fwrite": "sink.c", "pthread_sigmask": "run_all.c"}


def elsewhere(members):
    return [f"{member} calls {symbol}; only {owner} may" for member, symbols in sorted(members.items())
            for symbol, owner in ONLY.items()
            if symbol in map(plain, symbols) and owner not in member]  # fmt: skip


def undefined(listing):
    """The undefined symbols of an nm listing."""
    rows = (line.split() for line in listing.splitlines())
    return {row[-1] for row in rows if len(row) >= 2 and row[-2] in ("U", "w", "v")}


def members(listing):
    """{member: undefined symbols} of what nm prints about an archive."""
    found, member = {}, ""
    for line in listing.splitlines():
        if line.endswith(":"):
            member = line[:-1]
        found.setdefault(member, set()).update(undefined(line))
    return found


def check(shared, static, kind, nm="nm"):
    release = kind == "release"
    yield from noises("the shared library", undefined(output(nm, "-D", "--undefined-only", shared)), release)
    archive = members(output(nm, "--undefined-only", static))
    for member, symbols in sorted(archive.items()):
        yield from noises(member, symbols, release)
    yield from elsewhere(archive)
    if not any("fwrite" in map(plain, symbols) for symbols in archive.values()):
        yield "nobody calls fwrite: is this the right archive?"


LISTING = "\nlibbp.a.p/base_sink.c.o:\n                 U fwrite\n\nx.c.o:\n                 U free\n"
report(
    check(*sys.argv[1:]),
    {
        "abort": noises("x", {"abort@GLIBC_2.2.5", "free"}, False) != [],
        "a fortified printf": noises("x", {"__fprintf_chk@GLIBC_2.3.4"}, False) != [],
        "standard output": noises("x", {"stdout"}, False) != [],
        "rand": noises("x", {"rand"}, False) != [],
        "a locale": noises("x", {"__ctype_b_loc"}, False) != [],
        "_exit": noises("x", {"_exit"}, False) != [] and noises("x", {"_Exit"}, False) != [],
        "an assertion in a release": noises("x", {"__assert_fail"}, True) != [],
        "a second writer": elsewhere({"base_sink.c.o": {"fwrite"}, "answer_dot.c.o": {"fwrite"}}) != [],
        "signals blocked elsewhere": elsewhere({"engine_query.c.o": {"pthread_sigmask"}}) != [],
        "members": members(LISTING)["libbp.a.p/base_sink.c.o"] == {"fwrite"},
        "what is allowed": not noises("x", {"malloc", "__vsnprintf_chk", "bdd_init"}, True),
    },
)
