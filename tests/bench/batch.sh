#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Measures whole runs of the command over many lines: batch.sh URIVET [LINES [RUNS]]. The lines are
# the homepages of all packages that apt knows, again and again, from the page cache. Beside it:
# wc, which finds the line ends, and grep, which does what an expression can, both in the locale C.
set -eu
urivet=$1
lines=${2:-10000000}
runs=${3:-5}
cd "$(dirname "$0")/../.."
command -v apt-cache >/dev/null || { echo 'this needs Debian and its apt-cache' >&2; exit 2; }
LC_ALL=C
export LC_ALL
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT

apt-cache dumpavail | sed -n 's/^Homepage: //p' | sort -u >"$tmp/urls"
[ -s "$tmp/urls" ] || { echo 'apt knows no homepages: run apt-get update' >&2; exit 2; }
while cat "$tmp/urls"; do :; done 2>/dev/null | head -n "$lines" >"$tmp/lines"

# the expression of the other contestants, out of its C strings
printf '#include "expression.h"\nURL_EXPRESSION\n' | ${CC:-cc} -E -P -Itests/bench - | tr -d '\n' |
	sed 's/" *"//g; s/^ *"//; s/" *$//; s/\\\\/\\/g' >"$tmp/url"
echo >>"$tmp/url"

${PYTHON:-/usr/bin/python3} -B tests/bench/batch.py --lines="$lines" --runs="$runs" --input="$tmp/lines" \
	'cat' \
	'wc -l' \
	"$urivet filter" \
	"$urivet filter --jobs=2" \
	"$urivet check --format=tsv" \
	"$urivet check --format=tsv --jobs=2" \
	"grep -cE -f $tmp/url"
