#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# stranger.sh [LOG]: README's two commands, each in a root (tests/root.py) that holds only what README names for it. The logs
# are in the folder LOG (build/log). No test may be skipped for want of a package that README names.
set -eu
cd "$(dirname "$0")/.."
log=${1:-build/log}
list=$(sh tests/deps.sh --list test)
root() { /usr/bin/python3 -B tests/root.py "$@"; }

mkdir -p "$log"
root -- true || { echo 'skipped: roots cannot be made here'; exit 77; }
echo '-- make demo, with gcc, libc6-dev and make alone'
root gcc libc6-dev make -- make demo
echo '-- make test, with what README names'
# shellcheck disable=SC2086
root $list -- make test LOG="$log" >"$log/stranger.out" 2>&1 || { cat "$log/stranger.out"; exit 1; }
cat "$log/stranger.out"
for package in $list; do
	! sed -n 's/^to run these tests: //p' "$log/stranger.out" | tr ' ' '\n' | grep -qx "$package" ||
		{ echo "stranger.sh: tests are skipped, although $package is installed"; exit 1; }
done
echo '-- make test, with gcc, libc6-dev, make and python3 alone: another user, no git, a tree that is read-only'
root --user=daemon gcc libc6-dev make python3 -- make O=/run/urivet test
