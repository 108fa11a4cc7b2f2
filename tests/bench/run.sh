#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Measures: run.sh FOLDER contestants.so... Real URLs, attacks, lengths, odd shapes. What comes
# out lies in FOLDER as well: homepages.md, .csv and .svg, attacks.md, lengths.md, shapes.md.
set -eu
folder=$1
shift
command -v apt-cache >/dev/null || { echo 'this needs Debian and its apt-cache' >&2; exit 2; }
[ -s "$folder/homepages" ] ||
	apt-cache dumpavail | sed -n 's/^Homepage: //p' | LC_ALL=C sort -u >"$folder/homepages"
# what the findings of the catalogue are about, one file each
find corpus/findings -name fires -type f | LC_ALL=C sort | while read -r file; do
	cat "$file"
	printf '\0'
done >"$folder/attacks"

head() { printf '\n## %s\n\n' "$1"; }
ours="$folder/urivet.so $folder/urivet-sse2.so $folder/urivet-no.so"
head 'The homepages of all packages that apt knows'
"$folder/bench" --csv="$folder/homepages.csv" --svg="$folder/homepages.svg" \
	"$folder/homepages" "$@" | tee "$folder/homepages.md"
head 'The attacks that the catalogue tells of'
"$folder/bench" --null --csv="$folder/attacks.csv" "$folder/attacks" "$@" | tee "$folder/attacks.md"
head 'One long path'
# shellcheck disable=SC2086 # names without blanks
"$folder/bench" --lengths $ours "$folder/floors.so" | tee "$folder/lengths.md"
head 'Odd shapes'
"$folder/bench" --shapes=8000 "$folder/urivet.so" "$folder/urivet-no.so" | tee "$folder/shapes.md"
