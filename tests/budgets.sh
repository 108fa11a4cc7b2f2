#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prints the lines of each part and the words of all pages, and fails if a part has more than its limit. What a change adds to a part it
# finds elsewhere in it: a limit only goes down, until it is the aim. `budgets.sh` counts files of git.
cd "$(dirname "$0")/.." || exit 2
status=0
[ -n "$(git ls-files src 2>/dev/null)" ] || { echo 'budgets: no history, nothing to count'; exit 0; }
part() { # limit, aim, folders and patterns of git
	limit=$1 aim=$2
	shift 2
	lines=$(git ls-files -- "$@" | grep -E '\.(c|h|py|js|mjs|cjs|ts|cpp|sh|mk|sql|go)$|^Makefile$' | tr '\n' '\0' | xargs -0 cat | wc -l)
	printf '%7d of %7d, aim %7d: %s\n' "$lines" "$limit" "$aim" "$*"
	[ "$lines" -le "$limit" ] || status=1
}
part 23400 23400 src/cli
part 9200 9200 src/policyfile src/common
part 62000 62000 tests
part 14900 14900 fuzz ':!fuzz/lab'
part 5176 4300 src/gateway
part 10000 10000 src/bindings ':!src/bindings/go'
part 1200 1200 src/bindings/go
part 227 227 Makefile
words=$(git ls-files -- '*.md' '*.[1-8]' ':!include/urivet/FINDINGS.md' ':!src/spec' | tr '\n' '\0' | xargs -0 cat | wc -w)
printf '%7d of %7d: words of pages and manuals, without the catalogue and the text of the consensus URL\n' "$words" 58000
[ "$words" -le 58000 ] || status=1
words=$(git ls-files -- 'src/spec/*.md' | tr '\n' '\0' | xargs -0 cat | wc -w)
printf '%7d of %7d: words of the consensus URL\n' "$words" 7000
[ "$words" -le 7000 ] || status=1
exit $status
