#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs those of the given Debian packages that are missing; does nothing when all are there.
# usage: need.sh PACKAGE...
set -eu
missing=
for package; do
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
  echo "need.sh: please install as root:$missing" >&2
  exit 1
fi
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }
export DEBIAN_FRONTEND=noninteractive
as_root apt-get update
# shellcheck disable=SC2086
as_root apt-get install -y --no-install-recommends $missing
