#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Uses libbp as an outsider does.  usage: consumer.py SOURCE_ROOT MESON PART

PART  installed   installs into a temporary prefix; then, through pkg-config alone, command lines in
                  C and C++, and the project user/ with the examples: shared, with the static
                  library, and linked entirely statically; the command bp, also in a moved prefix
      subproject  the project user/ again, with the sources of libbp as its subproject

Compilers are those of CC and CXX, else cc and c++.
"""

import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

if sys.argv[1:2] in (["-h"], ["--help"]):
    sys.exit(print(__doc__))
source, meson, part = pathlib.Path(sys.argv[1]), shlex.split(sys.argv[2]), sys.argv[3]
here = pathlib.Path(__file__).resolve().parent
CC, CXX = shlex.split(os.environ.get("CC", "cc")), shlex.split(os.environ.get("CXX", "c++"))
PLAIN = ["--buildtype=debug", "-Dtests=false"]


def run(*command, env=None, quiet=True):
    done = subprocess.run(
        [str(c) for c in command], env={**os.environ, **(env or {})}, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    if done.returncode or not quiet:
        print("$", shlex.join(str(c) for c in command), done.stdout, sep="\n", flush=True)
    if done.returncode:
        sys.exit(f"exit status {done.returncode}")
    return done.stdout


def flags(env, *args):
    return shlex.split(run("pkg-config", *args, "libbp", env=env))


def project(folder, name, env, *options):
    """Configures, builds and tests the project user/."""
    examples = sorted(p.name for p in (source / "docs" / "examples").glob("*.c"))
    assert examples, "no examples"
    build = folder / name
    run(
        *meson, "setup", build, folder / "user", "--buildtype=debug", f"-Dfolder={source / 'docs' / 'examples'}",
        f"-Dexamples={','.join(examples)}", f"-Dexpected={here / 'expected'}", *options, env=env,
    )  # fmt: skip
    run(*meson, "compile", "-C", build, "-j1", env=env)
    print(run(*meson, "test", "-C", build, "--print-errorlogs", env=env), flush=True)


def command_lines(folder, env, library_path):
    """As a Makefile would: C and C++, shared, static libbp, and entirely static."""
    for compiler, program in ((CC, "outsider.c"), (CXX, "outsider.cpp")):
        for kind, args in (
            ("shared", flags(env, "--cflags", "--libs")),
            ("static", [f.replace("-lbp", "-l:libbp.a") for f in flags(env, "--cflags", "--static", "--libs")]),
            ("entirely static", ["-static", *flags(env, "--cflags", "--static", "--libs")]),
        ):
            out = folder / f"{program}-{kind.replace(' ', '-')}"
            run(*compiler, "-D_POSIX_C_SOURCE=200809L", "-o", out, here / "user" / program, *args, quiet=False)
            runtime = {"LD_LIBRARY_PATH": library_path} if kind == "shared" else {}
            run(sys.executable, here / "user" / "run.py", here / "expected" / f"{program}.txt", out, env=runtime)


def dynamic(bp):
    """What the loader of bp is told."""
    return run("readelf", "-d", bp)


def command(folder, prefix):
    """An installed bp runs without help, also where the prefix was moved to: it carries its library, or, built with the
    shared one alone, finds it; installed into /usr it looks nowhere else."""
    build = folder / "libbp"
    for library in ("both", "shared"):
        place = folder / library
        run(*meson, "configure", build, f"--prefix={place}", f"-Ddefault_library={library}")
        run(*meson, "compile", "-C", build, "-j1")
        run(*meson, "install", "-C", build, "--no-rebuild")
        moved = place.rename(folder / f"{library}-moved") / "bin" / "bp"
        run(moved, "info", source / "docs" / "examples" / "lock.bp", env={"LD_LIBRARY_PATH": ""}, quiet=False)
        for word in ("$ORIGIN", "libbp.so"):
            assert (word in dynamic(moved)) == (library == "shared"), (moved, word)
    run(*meson, "configure", build, "--prefix=/usr")
    run(*meson, "compile", "-C", build, "-j1")
    run(*meson, "install", "-C", build, "--no-rebuild", env={"DESTDIR": str(folder / "system")})
    assert "$ORIGIN" not in dynamic(folder / "system" / "usr" / "bin" / "bp")
    run(prefix / "bin" / "bp", "--version", env={"LD_LIBRARY_PATH": ""})


def installed(folder):
    prefix = folder / "prefix"
    run(*meson, "setup", folder / "libbp", source, f"--prefix={prefix}", *PLAIN)
    run(*meson, "compile", "-C", folder / "libbp", "-j1")
    run(*meson, "install", "-C", folder / "libbp", "--no-rebuild")
    pc = next(prefix.rglob("libbp.pc"))
    print(pc.read_text(), flush=True)
    env = {"PKG_CONFIG_PATH": str(pc.parent)}
    command_lines(folder, env, str(pc.parent.parent))
    for name, *options in (["shared"], ["static", "-Dstatic=true"], ["entirely", "-Dstatic=true", "-Dentirely=true"]):
        project(folder, name, env, "--wrap-mode=nofallback", *options)
    command(folder, prefix)


def subproject(folder):
    (folder / "user" / "subprojects").mkdir()
    (folder / "user" / "subprojects" / "libbp").symlink_to(source)
    project(folder, "subproject", {}, "--wrap-mode=forcefallback")


with tempfile.TemporaryDirectory(prefix="libbp-consumer-") as name:
    shutil.copytree(here / "user", pathlib.Path(name) / "user")
    {"installed": installed, "subproject": subproject}[part](pathlib.Path(name))
