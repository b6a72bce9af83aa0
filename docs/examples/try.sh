#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs what is missing (Debian), builds libbp and asks whether lock.bp can fail an assertion.
# It can: bp shows how, and its exit status 1 says so. Anything else is a failure of this script.
set -eu
cd "$(dirname "$0")/../.."
sh tests/need.sh gcc libbdd-dev libc6-dev meson ninja-build pkg-config python3 re2c
[ -f build/build.ninja ] || meson setup build -Dtests=false
meson compile -C build
build/bindings/cli/bp check docs/examples/lock.bp || [ $? = 1 ]
