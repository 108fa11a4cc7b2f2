#!/bin/sh -eu
# SPDX-License-Identifier: Apache-2.0
# Builds every harness the way that ClusterFuzzLite and OSS-Fuzz ask for it: with their CC,
# CFLAGS, CXX and LIB_FUZZING_ENGINE, into $OUT, with seeds and dictionary beside it.
# Nothing is linked that they did not instrument, so that the memory sanitizer tells the truth.
cd "$(dirname "$0")/.." 2>/dev/null && [ -f include/urivet.h ] || cd "$SRC/urivet"
objects=$WORK/objects
rm -rf "$objects" && mkdir -p "$objects"

# the libraries, the command without the wings that need libraries, the harnesses and what they
# are linked with: all cores at once
core=$(make -s core)
loader=$(echo src/loader/*.c)
names="$core $loader $(echo src/cli/*/*.c src/gateway/*.c src/gateway/serve/*.c fuzz/*.c)"
export CC CFLAGS objects
# shellcheck disable=SC2016
echo "$names" | tr ' ' '\n' | xargs -P "$(nproc)" -I{} sh -euc '
	$CC $CFLAGS -std=c11 -Iinclude -Isrc -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE -c {} \
		-o "$objects/$(echo {} | tr / _).o"'

# seeds: names of folders are lost in a flat archive
seeds=$WORK/seeds
rm -rf "$seeds" && mkdir -p "$seeds"
find corpus -type f -size -8k ! -name '*.md' ! -name '*.tsv' | while read -r file; do
	cp "$file" "$seeds/$(echo "$file" | tr / _)"
done
(cd "$seeds" && if command -v zip >/dev/null; then zip -q ../seeds.zip ./*; else python3 -m zipfile -c ../seeds.zip ./*; fi)

for source in fuzz/fuzz_*.c; do
	name=$(basename "$source" .c)
	[ "$name" != fuzz_policy ] || continue # needs libyaml, which is not instrumented
	[ "$name" != fuzz_mail ] || continue   # ... and GMime
	set -- "$objects/fuzz_$name.c.o"
	case $name in
	fuzz_command | fuzz_records) set -- "$@" "$objects"/src_cli_*.o "$objects"/src_gateway_*.o ;;
	fuzz_gate) set -- "$@" "$objects"/src_gateway_gate.c.o "$objects"/src_gateway_short_way.c.o ;;
	fuzz_fronts)
		set -- "$@" "$objects"/src_gateway_gate.c.o "$objects"/src_gateway_short_way.c.o
		for part in fronts lines rules; do
			set -- "$@" "$objects/src_gateway_serve_$part.c.o"
		done
		;;
	esac
	# without an engine, the runner that replays files
	case ${FUZZING_ENGINE:-} in
	none) set -- "$@" "$objects/fuzz_replay.c.o" ;;
	*) set -- "$@" "$objects/fuzz_mutator.c.o" ;;
	esac
	for source in $loader $core; do
		set -- "$@" "$objects/$(echo "$source" | tr / _).o"
	done
	$CXX $CXXFLAGS -pthread "$@" ${LIB_FUZZING_ENGINE:-} -o "$OUT/$name"
	cp "$WORK/seeds.zip" "$OUT/${name}_seed_corpus.zip"
	cp fuzz/uri.dict "$OUT/$name.dict"
	printf '[libfuzzer]\nmax_len = 1024\ntimeout = 10\n' >"$OUT/$name.options"
done
