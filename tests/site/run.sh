#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The site: what it computes in Node, and its pages in headless Chromium. SITE_RECORD=1 records how the pages look.
set -u
cd "$(dirname "$0")/../.." || exit 2
make=${MAKE:-make}
TMPDIR=$(mktemp -d) && export TMPDIR # browsers leave files in it
trap 'rm -rf "$TMPDIR"' EXIT
"$make" -s site || exit 1
work=build/site-work
cmp -s tests/site/package-lock.json $work/package-lock.json && [ -d $work/node_modules ] || {
	cp tests/site/package.json tests/site/package-lock.json $work &&
		(cd $work && npm ci --ignore-scripts --no-audit --no-fund --silent --omit-lockfile-registry-resolved) ||
		{ rm -f $work/package-lock.json; echo 'npm could not install what tests/site/package.json names'; exit 1; }
}
/usr/bin/python3 -B src/site/picture.py | cmp - src/site/picture.svg || { echo "the picture is old: src/site/picture.py > src/site/picture.svg"; exit 1; }
passed=0
for suite in logic pages; do
	timeout 500 node --test "tests/site/$suite.mjs" >"$work/$suite.log" 2>&1 || { tail -n 80 "$work/$suite.log"; exit 1; }
	passed=$((passed + $(sed -n 's/^# pass //p' "$work/$suite.log")))
done
grep '^# site: ' "$work/pages.log" | sed 's/^# //'
echo "site: $passed passed, 0 failed"
echo "site: Node $(node --version)"
