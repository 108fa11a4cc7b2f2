#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The core can be put into one file: all its sources in one translation unit, floor by floor,
# where no static function, table, type or macro of one file gets in the way of another's.
# Both compilers take it with the project's warnings as errors, with vectors and without, and
# the tests of the library pass when they are linked with it instead of the library.
set -u
cd "$(dirname "$0")/.." || exit 2
make=${MAKE:-make}
out=build/one_file
mkdir -p "$out"

for floor in $(sed -n 's/^FLOORS *:= //p' Makefile); do
	for source in src/"$floor"/*.c; do
		echo "#include \"${source#src/}\""
	done
done >"$out/core.c"
files=$(grep -c include "$out/core.c")

# How make would compile it: the Makefile keeps the warnings.
compile() { # compiler, VECTORS=
	printf 'include Makefile\none-file-compile:\n\t@echo $(filter-out -MMD -MP,$(COMPILE))\n' |
		"$make" -s -f - one-file-compile CC="$1" VECTORS="$2" CFLAGS=-Werror
}

for vectors in yes no; do
	variant=vectors-$vectors
	"$make" -s VARIANT="$variant" VECTORS="$vectors" "$variant"_CFLAGS='-O2 -Werror' "build/$variant/standalone" || exit 1
	for compiler in gcc clang-19; do
		command -v "$compiler" >/dev/null || { echo "skipped: $compiler is missing"; continue; }
		$(compile "$compiler" "$vectors") -c -o "$out/core.o" "$out/core.c" || {
			echo "$compiler, VECTORS=$vectors: the core does not compile as one file"
			exit 1
		}
		"$compiler" -o "$out/standalone" "build/$variant"/alone/*.o "$out/core.o" || exit 1
		STANDALONE_SLOW=20 "$out/standalone" >"$out/log" || {
			cat "$out/log"
			echo "$compiler, VECTORS=$vectors: tests fail with the core as one file"
			exit 1
		}
	done
done
echo "one_file: $files files are one translation unit; $(tail -n 1 "$out/log")"
