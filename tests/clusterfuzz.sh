#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds with the settings of ClusterFuzzLite and OSS-Fuzz, and runs each result briefly:
# clusterfuzz.sh [SANITIZER:ENGINE...], by default all combinations that they use. Their images are not used;
# the script emulates the contract of build.sh.
cd "$(dirname "$0")/.." || exit 2
command -v clang-19 >/dev/null || { echo 'clusterfuzz: skipped, clang-19 is missing'; exit 0; }
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
built=0 cores=$(nproc 2>/dev/null || echo 1)
[ $# -gt 0 ] || set -- address:libfuzzer undefined:libfuzzer memory:libfuzzer address:afl address:none
pairs=$*
fail() { # log, what is wrong
	shown=$(tail -n 20 "$1")
	printf '%s\n%s\n' "$pair: $2" "$shown"
	touch "$tmp/failed"
}
try() { # harness
	name=$(basename "$1")
	log=$tmp/$name.log
	case $engine in
	none) set -- "$1" corpus ;;
	afl) set -- "$1" corpus/uri/* ;;
	*) set -- "$1" -runs=1000 -max_len=512 -dict="$1.dict" "$tmp/kept" corpus/uri ;;
	esac
	"$@" >"$log" 2>&1 || fail "$log" "$name fails"
	[ -f "${1}_seed_corpus.zip" ] || fail "$log" "$name has no seeds"
}
for pair in $pairs; do
	sanitizer=${pair%:*} engine=${pair#*:}
	export SRC=$tmp/src OUT=$tmp/out-$sanitizer-$engine WORK=$tmp/work SANITIZER=$sanitizer FUZZING_ENGINE=$engine ARCHITECTURE=x86_64
	mkdir -p "$SRC" "$OUT" "$WORK" "$tmp/kept"
	export CC=clang-19 CXX=clang++-19 LIB_FUZZING_ENGINE=
	flags="-O1 -fno-omit-frame-pointer -gline-tables-only -fsanitize=$sanitizer"
	[ "$sanitizer" != undefined ] || flags="$flags -fno-sanitize-recover=undefined"
	case $engine in
	libfuzzer)
		flags="$flags -fsanitize=fuzzer-no-link"
		LIB_FUZZING_ENGINE=-fsanitize=fuzzer
		;;
	afl)
		command -v afl-clang-fast >/dev/null || { echo 'without AFL++: afl-clang-fast is missing'; continue; }
		export AFL_QUIET=1
		CC=afl-clang-fast CXX=afl-clang-fast++ LIB_FUZZING_ENGINE=-fsanitize=fuzzer
		;;
	esac
	export CFLAGS="$flags" CXXFLAGS="$flags"
	sh -eu .clusterfuzzlite/build.sh >"$tmp/log" 2>&1 || { echo "$pair does not build"; tail -n 20 "$tmp/log"; exit 1; }
	for harness in "$OUT"/fuzz_*; do
		[ -x "$harness" ] || continue
		built=$((built + 1))
		try "$harness" &
		[ $((built % cores)) != 0 ] || wait
	done
	wait
done
[ ! -e "$tmp/failed" ] || exit 1
echo "clusterfuzz: $built harnesses built and run: $pairs"
