#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What `make spec` writes: run.sh URIVET. Readers agree on the valid vectors; a file of vectors that is cut off, of another version or
# with a wrong component is an error; the regular expressions say what the library says.
set -u
cd "$(dirname "$0")/../../build/spec" || exit 2
python=${PYTHON:-/usr/bin/python3} status=0
wrong() {
	echo "spec: $*"
	status=1
}
head -c 20000 vectors.json >bad-cut.json
sed 's/"version": 1/"version": 2/' vectors.json >bad-version.json
sed 's/"numberOfTests": /&1/' vectors.json >bad-count.json
sed 's/"path": "\/a\/b"/"path": "\/a\/c"/' vectors.json >bad-component.json
for runner in "$python -B run.py" "node run.mjs" "go run run.go"; do
	command -v "${runner%% *}" >/dev/null || { echo "skipped: ${runner%% *} is missing"; continue; }
	$runner vectors.json || wrong "$runner: differences"
	for bad in bad-*.json; do
		$runner "$bad" >/dev/null 2>&1 && wrong "$runner takes $bad"
	done
done
if pkg-config --exists libcurl libpcre2-8 2>/dev/null; then
	# shellcheck disable=SC2046 # flags
	{ ${CC:-cc} -Wall -Wextra -Werror run.c $(pkg-config --cflags --libs libcurl) -o bad-c && ./bad-c; } || wrong 'libcurl differs'
	mkdir -p bad-header && cp run.c bad-header
	for edit in '100,999d' 's/VECTORS 1/VECTORS 2/'; do
		sed "$edit" vectors.h >bad-header/vectors.h
		${CC:-cc} -c bad-header/run.c -o bad-o 2>/dev/null && wrong "C takes vectors.h after $edit"
	done
	${CC:-cc} -O2 -Wall -Wextra -Werror match.c -lpcre2-8 -o match || wrong 'match.c'
fi
! command -v go >/dev/null || go build -o match-go match.go || wrong 'match.go'
"$python" -B ../../tests/spec/expressions.py "$1" || wrong 'regular expressions and library differ'
[ ! -f consensus-url.txt ] || "$python" -B ../../src/spec/evidence.py . || wrong 'the text shows what is not so'
rm -rf bad-*
exit $status
