#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Checks that two builds that differ in folder, time, locale, umask and number of jobs give the same octets.
# The negative control: a build that embeds its folder differs.
cd "$(dirname "$0")/../.." || exit 2
make=${MAKE:-make}
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
files='liburivet.a liburivet.so urivet urivet.1 urivet-check.1 urivet-findings.7 urivet-policy-examples.5'
build() { # folder, -j
	folder=$tmp/$1 jobs=$2
	mkdir -p "$folder" && cp -r Makefile include src "$folder" &&
		(cd "$folder" && env -u MAKEFLAGS "$make" -s "$jobs" all docs)
}
same() { # folder, folder: names what differs
	for file in $files; do
		cmp -s "$tmp/$1/build/$file" "$tmp/$2/build/$file" || echo "$file"
	done
}

(umask 022 && export LC_ALL=C TZ=UTC && build one -j2) || exit 1
sleep 1.1
mkdir -p "$tmp/elsewhere/deeper"
(umask 077 && export LC_ALL=C.UTF-8 TZ=Asia/Tokyo HOME=/nonexistent && build elsewhere/deeper/two -j3) || exit 1
differs=$(same one elsewhere/deeper/two)
[ -z "$differs" ] || { echo "differs:" $differs; exit 1; }

# a check that notices the folder notices anything else that gets into the octets
object=build/release/src/core/check/check.o
mkdir -p "$tmp/three" && cp -r Makefile include src "$tmp/three" &&
	(cd "$tmp/three" && env -u MAKEFLAGS "$make" -s $object CFLAGS=-ffile-prefix-map="$tmp/three=$tmp/three") || exit 1
cmp -s "$tmp/one/$object" "$tmp/three/$object" && { echo 'control: an object with its folder inside is the same'; exit 1; }
strings -a "$tmp/one/build/liburivet.so" | grep -q "$tmp" && { echo 'the folder is in liburivet.so'; exit 1; }
set -- $files
echo "reproducible: $# files of two builds are the same octets, control seen"
