#!/bin/sh -eu
# SPDX-License-Identifier: Apache-2.0
# Builds every harness as ClusterFuzzLite and OSS-Fuzz require: with their CC, CFLAGS, CXX and
# LIB_FUZZING_ENGINE, into $OUT, with seeds and a dictionary next to it. Everything that is linked is
# instrumented, because the memory sanitizer reports false errors otherwise.
cd "$(dirname "$0")/.." 2>/dev/null && [ -f include/urivet.h ] || cd "$SRC/urivet"
objects=$WORK/objects
rm -rf "$objects" && mkdir -p "$objects"

# Compiles on all cores: the core, the policy files and the command without optional dependencies, the
# gateway, and the harnesses. Each harness takes what it needs from one archive.
sources="$(make -s core) $(echo src/policyfile/*.c src/common/*.c src/common/text/*.c src/cli/*/*.c src/gateway/*.c src/gateway/serve/*.c)"
export CC CFLAGS objects
# shellcheck disable=SC2016
echo "$sources" fuzz/*.c | tr ' ' '\n' | xargs -P "$(nproc)" -I{} sh -euc '
	$CC $CFLAGS -std=c11 -Iinclude -Isrc/core -Isrc -Ifuzz/oracles -DWITHOUT_LIBRARIES=1 -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE -c {} \
		-o "$objects/$(echo {} | tr / _).o"'
# shellcheck disable=SC2046
ar rcs "$objects/liball.a" $(echo "$sources" | tr ' ' '\n' | sed "s|/|_|g; s|.*|$objects/&.o|")

# Prints the seed folders of a harness. A flat archive loses the folders of shared seeds.
folders_of() { # harness
	case $1 in
	fuzz_requests) echo corpus/request corpus/uri corpus/regress ;;
	fuzz_gate) echo corpus/question corpus/uri corpus/regress ;;
	fuzz_command) echo corpus/command corpus/uri corpus/regress ;;
	fuzz_compiled) echo corpus/compiled corpus/uri ;;
	fuzz_resolve | fuzz_compare) echo corpus/pair corpus/uri corpus/cover ;;
	fuzz_tables) echo corpus/table ;;
	fuzz_markup) echo corpus/markup corpus/text ;;
	fuzz_scan) echo corpus/text corpus/uri corpus/cover corpus/regress ;;
	fuzz_address) echo corpus/address corpus/findings corpus/uri ;;
	*) echo corpus/uri corpus/gate corpus/findings corpus/regress corpus/cover ;;
	esac
}
flat() { # folder to fill, folders
	to=$1
	shift
	find "$@" -type f -size -8k ! -name '*.md' ! -name '*.tsv' | while read -r file; do
		cp "$file" "$to/$(echo "$file" | tr / _)"
	done
}
# Keeps the fewest seeds that reach the same edges, if the harness can compute that.
seeds_of() { # harness
	rm -rf "$WORK/seeds" "$WORK/cover" "$WORK/seeds.zip"
	mkdir -p "$WORK/seeds" "$WORK/cover"
	# shellcheck disable=SC2046
	flat "$WORK/seeds" $(folders_of "$1")
	if [ "${FUZZING_ENGINE:-libfuzzer}" = libfuzzer ] && [ "${SANITIZER:-}" = address ] &&
		"$OUT/$1" -set_cover_merge=1 -max_len=1024 "$WORK/cover" "$WORK/seeds" >/dev/null 2>&1 &&
		[ -n "$(ls "$WORK/cover")" ]; then
		rm -rf "$WORK/seeds" && mv "$WORK/cover" "$WORK/seeds"
	fi
	(cd "$WORK/seeds" && if command -v zip >/dev/null; then zip -q ../seeds.zip ./*; else python3 -m zipfile -c ../seeds.zip ./*; fi)
	mv "$WORK/seeds.zip" "$OUT/$1_seed_corpus.zip"
}

for source in fuzz/fuzz_*.c; do
	name=$(basename "$source" .c)
	case $name in
	fuzz_actions | fuzz_policy | fuzz_mail) continue ;; # libyaml and GMime are not instrumented
	esac
	set -- "$objects/fuzz_$name.c.o"
	# Without an engine, links the runner that replays files.
	case ${FUZZING_ENGINE:-} in
	none) set -- "$@" "$objects/fuzz_replay.c.o" ;;
	*) set -- "$@" "$objects/fuzz_mutator.c.o" ;;
	esac
	$CXX $CXXFLAGS -pthread "$@" "$objects/liball.a" ${LIB_FUZZING_ENGINE:-} -o "$OUT/$name"
	seeds_of "$name"
	cp fuzz/uri.dict "$OUT/$name.dict"
	longest=1024
	[ "$name" != fuzz_reports ] || longest=9000 # beyond the longest URL
	printf '[libfuzzer]\nmax_len = %s\ntimeout = 10\n' $longest >"$OUT/$name.options"
done
