#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# fuzz/lab/yours/yours.sh SECONDS FILE.c...: fuzzes your reader, given as the C function of yours.h, with
# libFuzzer, the mutator, the dictionary and the corpus. Then compares it with all other readers, on inputs
# that reached new code and on those that it did not read as written. FLAGS compiles your files, LIBS links
# them; ABORT=1 stops at the first difference. Exit status: 0 no difference, 1 differences or crashes, 2
# the build failed or there is no fuzzer.
set -u
seconds=${1:?seconds}
shift
[ $# -gt 0 ] || { echo 'yours: name your files: make yours YOURS="mine.c"' >&2; exit 2; }
top=$(cd "$(dirname "$0")/../../.." && pwd) || exit 2
out=$top/build/yours
python=${PYTHON:-/usr/bin/python3}
flags=${FLAGS:-}
libs=${LIBS:-}
command -v clang-19 >/dev/null && ls /usr/lib/llvm-19/lib/clang/19/lib/linux/libclang_rt.fuzzer* >/dev/null 2>&1 || {
	echo 'yours: nothing was fuzzed: the Debian packages clang-19 libclang-rt-19-dev are missing' >&2
	exit 2
}
rm -rf "$out/found" "$out/crash" "$out/new"
mkdir -p "$out/found" "$out/crash" "$out/new" "$out/work"
"${MAKE:-make}" -s -C "$top" build/liburivet.a build/urivet || exit 2

# Links your files with the engine. Only your code is instrumented for coverage, not the library.
see="-I$top/fuzz/lab/zoo -I$top/fuzz/lab/yours -I$top/include"
common='-g -O1 -std=gnu11 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all'
objects=
for file in "$@"; do
	object=$out/$(basename "$file" .c).o
	# shellcheck disable=SC2086
	clang-19 $common -fsanitize=fuzzer-no-link -DURIVET_YOURS $see $flags -c -o "$object" "$file" || exit 2
	objects="$objects $object"
done
# shellcheck disable=SC2086
clang-19 $common $see ${ABORT:+-DABORT} $flags -c -o "$out/fuzz_yours.o" "$top/fuzz/lab/yours/fuzz_yours.c" &&
	clang-19 $common $see -c -o "$out/mutator.o" "$top/fuzz/mutator.c" &&
	clang-19 -fsanitize=fuzzer,address,undefined -o "$out/fuzz" $objects "$out/fuzz_yours.o" "$out/mutator.o" \
		"$top/build/liburivet.a" $libs || exit 2
# Builds it as a program as well, for the comparison.
# shellcheck disable=SC2086
clang-19 -g -O1 -std=gnu11 $see $flags -o "$out/program" "$@" $libs || exit 2

# Continues after a crash, a hang or excessive memory use, unless ABORT=1 stops it at the first difference.
on='-fork=1 -ignore_crashes=1 -ignore_timeouts=1 -ignore_ooms=1'
YOURS_FOUND=$out/found "$out/fuzz" ${ABORT:+-print_funcs=0} $([ -n "${ABORT:-}" ] || echo "$on") \
	-max_total_time="$seconds" -max_len="${MAX_LEN:-600}" -timeout=5 -rss_limit_mb=2048 -seed="${SEED:-1}" \
	-dict="$top/fuzz/uri.dict" -artifact_prefix="$out/crash/" "$out/work" "$top/corpus/uri" "$top/corpus/findings" \
	"$top/corpus/regress" >"$out/log" 2>&1
fuzzed=$?
status=0
crashes=$(ls "$out/crash" | wc -l)
if [ "$crashes" -gt 0 ]; then
	status=1
	echo "yours: it BROKE on $crashes inputs; how, the most frequent first (numbers left out):"
	grep -hE 'ERROR: |runtime error' "$out/log" | sed -E 's/^==[0-9]+==//; s/0x[0-9a-f]+/N/g; s/ -?[0-9]+( |$)/ N\1/g; s/ \(.*//' |
		sort | uniq -c | sort -rn | head -n 5
	smallest=$out/crash/$(ls -S "$out/crash" | tail -n 1)
	"$python" -c 'import sys
octets = open(sys.argv[1], "rb").read()
print("    input   " + ("".join(chr(o) if 0x20 < o < 0x7F and o != 0x5C else f"\\x{o:02X}" for o in octets[:300]) or "(empty)"))' "$smallest"
	echo "    again   $out/fuzz $smallest"
elif [ "$fuzzed" != 0 ] && [ -z "${ABORT:-}" ]; then
	echo "yours: the fuzzer ended with status $fuzzed, see $out/log" >&2
	tail -n 5 "$out/log" >&2
	exit 2
fi
echo "yours: $(ls "$out/work" | wc -l) inputs reach something new, $(ls "$out/found" | wc -l) kinds are read otherwise than written"
[ -z "${ABORT:-}" ] || exit $status

"$python" -B "$top/fuzz/lab/yours/versus.py" "$out/program" --count=2000 --time=0 \
	${AGAINST:+--against="$AGAINST"} ${BLIND:+--blind="$BLIND"} \
	-o "$out/report.html" -o "$out/report.tsv" --files "$out/found" "$out/work" "$top/corpus"
judged=$?
[ $judged = 0 ] && exit $status
exit $judged
