#!/bin/sh -eu
# SPDX-License-Identifier: Apache-2.0
# Builds every harness the way that ClusterFuzzLite and OSS-Fuzz ask for it: with their CC,
# CFLAGS, CXX and LIB_FUZZING_ENGINE, into $OUT, with seeds and dictionary beside it.
# Nothing is linked that they did not instrument, so that the memory sanitizer tells the truth.
cd "$(dirname "$0")/.." 2>/dev/null && [ -f include/urivet.h ] || cd "$SRC/urivet"
objects=$WORK/objects
rm -rf "$objects" && mkdir -p "$objects/cli"

compile() { # source, object, flags...
	source=$1 object=$2
	shift 2
	$CC $CFLAGS -std=c11 -Iinclude -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE "$@" -c "$source" -o "$object"
}

for source in src/*.c; do
	compile "$source" "$objects/$(basename "$source" .c).o"
done
# what the harness of records looks at; the rest of the command needs libraries
for name in output json tsv is_utf8 readings; do
	compile "src/cli/$name.c" "$objects/cli/$name.o"
done
compile fuzz/mutator.c "$objects/cli/mutator.o"

# seeds: names of folders are lost in a flat archive
seeds=$WORK/seeds
rm -rf "$seeds" && mkdir -p "$seeds"
find corpus -type f -size -8k ! -name '*.md' ! -name '*.tsv' | while read -r file; do
	cp "$file" "$seeds/$(echo "$file" | tr / _)"
done
(cd "$seeds" && if command -v zip >/dev/null; then zip -q ../seeds.zip ./*; else python3 -m zipfile -c ../seeds.zip ./*; fi)

for source in fuzz/fuzz_*.c; do
	name=$(basename "$source" .c)
	[ "$name" != fuzz_policy ] || continue # needs libconfig, which is not instrumented
	compile "$source" "$objects/cli/$name.main.o"
	main=
	# without an engine, the runner that replays files
	if [ "${FUZZING_ENGINE:-}" = none ]; then
		compile fuzz/replay.c "$objects/cli/replay.o"
		main=$objects/cli/replay.o
	fi
	set -- "$objects"/*.o
	case $name in fuzz_records) set -- "$@" "$objects/cli/output.o" "$objects/cli/json.o" "$objects/cli/tsv.o" \
		"$objects/cli/is_utf8.o" ;; esac
	[ -n "$main" ] || set -- "$@" "$objects/cli/mutator.o"
	$CXX $CXXFLAGS "$objects/cli/$name.main.o" "$@" $main ${LIB_FUZZING_ENGINE:-} -o "$OUT/$name"
	cp "$WORK/seeds.zip" "$OUT/${name}_seed_corpus.zip"
	cp fuzz/uri.dict "$OUT/$name.dict"
	printf '[libfuzzer]\nmax_len = 1024\ntimeout = 10\n' >"$OUT/$name.options"
done
