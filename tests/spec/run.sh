#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The vectors of `make spec` by their runners: readers agree on the valid ones, and a file that is cut off, of another
# version or with a wrong component is an error.
set -u
cd "$(dirname "$0")/../../build/spec" || exit 2
status=0
wrong() {
	echo "spec: $*"
	status=1
}
runs() { # name, and the command that a file of vectors is given to
	name=$1
	shift
	command -v "$1" >/dev/null || { echo "skipped: $name is missing"; return; }
	"$@" vectors.json || wrong "$name differs"
	for bad in cut version count component; do
		"$@" bad-$bad.json >/dev/null 2>&1 && wrong "$name takes bad-$bad.json"
	done
}
head -c 20000 vectors.json >bad-cut.json
sed 's/"version": 1/"version": 2/' vectors.json >bad-version.json
sed 's/"numberOfTests": /&1/' vectors.json >bad-count.json
sed 's/"path": "\/a\/b"/"path": "\/a\/c"/' vectors.json >bad-component.json
runs Python "${PYTHON:-/usr/bin/python3}" -B run.py
runs Node node run.mjs
runs Go go run run.go
if pkg-config --exists libcurl 2>/dev/null; then
	# shellcheck disable=SC2046 # flags
	{ ${CC:-cc} -Wall -Wextra -Werror run.c $(pkg-config --cflags --libs libcurl) -o bad-c && ./bad-c; } || wrong 'libcurl differs'
	mkdir bad-header && cp run.c bad-header
	for edit in '100,$d' 's/VECTORS 1/VECTORS 2/'; do
		sed "$edit" vectors.h >bad-header/vectors.h
		${CC:-cc} -c bad-header/run.c -o bad-o 2>/dev/null && wrong "C takes vectors.h after $edit"
	done
else
	echo 'skipped: libcurl is missing'
fi
rm -rf bad-*
exit $status
