#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs what is missing (Debian), builds libbp with the compiler of CC and runs all tests.
# usage: run.sh [BUILD_FOLDER [OPTION OF MESON TEST]...]        BUILD_FOLDER: build
set -eu
cd "$(dirname "$0")/.."
build=${1:-build}
[ $# = 0 ] || shift
sh tests/need.sh binutils clang-format g++ gcc libbdd-dev libc6-dev libcmocka-dev meson ninja-build pkg-config python3 re2c
[ -f "$build/build.ninja" ] || meson setup "$build"
meson configure "$build" -Dtests=true # docs/examples/try.sh leaves them out
meson compile -C "$build"
meson test -C "$build" --no-rebuild --print-errorlogs "$@"
