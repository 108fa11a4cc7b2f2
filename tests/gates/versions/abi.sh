#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# abi.sh check|record: what the shared library shows to programs, against what is on record. Whatever
# differs has to be looked at: a structure that grows at its end, a function or a constant more are
# recorded; anything else asks for another name of the library (SONAME), that is a new major version.
# The control: a member in the middle of a structure is seen.
cd "$(dirname "$0")/../../.." || exit 2
make=${MAKE:-make}
record=tests/gates/versions/abi.xml
command -v abidw >/dev/null || { echo 'abi needs the Debian package abigail-tools' >&2; exit 2; }
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT

dump() { # root of the source, output
	abidw --headers-dir "$1/include" --no-corpus-path --no-comp-dir-path --no-show-locs --drop-private-types \
		--no-elf-needed --no-parameter-names "$1/build/liburivet.so" >"$2"
}

"$make" -s build/liburivet.so || exit 2
dump . "$tmp/now" || exit 2
if [ "${1:-check}" = record ]; then
	mv "$tmp/now" "$record"
	exit
fi
abidiff "$record" "$tmp/now" >"$tmp/diff"
status=$?
if [ $status != 0 ]; then
	cat "$tmp/diff"
	echo 'abi: differs from what is on record; where it may, make abi-record'
	exit 1
fi

mkdir "$tmp/other"
cp -r Makefile include src "$tmp/other"
sed -i 's|^	uint32_t present;.*|	uint32_t between;\n&|' "$tmp/other/include/urivet.h"
(cd "$tmp/other" && "$make" -s build/liburivet.so CFLAGS=-w >/dev/null 2>&1) || { echo 'abi: the control does not build'; exit 1; }
dump "$tmp/other" "$tmp/planted"
abidiff "$record" "$tmp/planted" >/dev/null && { echo 'abi: control: a member in the middle is not seen'; exit 1; }
echo "abi: $(grep -c "type='func-type'" "$record") functions as on record, control 1 / 1"
