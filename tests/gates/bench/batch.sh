#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Measures whole runs of the command over many lines: batch.sh URIVET FOLDER [LINES [RUNS]]. The lines
# are those of two sets of urls.py in FOLDER, mixed and homepages, again and again, from the page cache.
# Beside it: wc, which finds the line ends, and grep, which does what an expression can, both in the
# locale C. What comes out lies in FOLDER as well: lines-SET.md and lines-SET.csv.
set -eu
urivet=$1
folder=$2
lines=${3:-10000000}
runs=${4:-5}
LC_ALL=C
export LC_ALL
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT

# the expression of the other contestants, out of its C strings
printf '#include "expression.h"\nURL_EXPRESSION\n' | ${CC:-cc} -E -P -Itests/gates/bench - | tr -d '\n' |
	sed 's/" *"//g; s/^ *"//; s/" *$//; s/\\\\/\\/g' >"$tmp/url"
echo >>"$tmp/url"

for set in mixed homepages; do
	tr '\0' '\n' <"$folder/$set" >"$tmp/urls"
	while cat "$tmp/urls"; do :; done 2>/dev/null | head -n "$lines" >"$tmp/lines"
	printf '\n## %s\n\n' "$set"
	${PYTHON:-/usr/bin/python3} -B tests/gates/bench/batch.py --lines="$lines" --runs="$runs" --input="$tmp/lines" \
		--csv="$folder/lines-$set.csv" \
		'cat' \
		'wc -l' \
		"$urivet filter" \
		"$urivet filter --jobs=2" \
		"$urivet check --format=tsv" \
		"$urivet check --format=tsv --jobs=2" \
		"$urivet check --format=json" \
		"$urivet scan --format=tsv" \
		"grep -cE -f $tmp/url" >"$folder/lines-$set.md"
	cat "$folder/lines-$set.md"
done
