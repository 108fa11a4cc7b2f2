#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs each harness under libFuzzer for TIME seconds, with the sanitizers.
# What breaks is kept below build/fuzz/found, with the command that replays it.
cd "$(dirname "$0")/.." || exit 2
seconds=${1:-60}
clang=${CLANG:-clang-19}
command -v "$clang" >/dev/null || { echo "fuzzing needs the Debian packages clang-19 libclang-rt-19-dev" >&2; exit 2; }
found=build/fuzz/found
mkdir -p $found build/fuzz/seeds
/usr/bin/python3 -B tests/model/generate.py 2000 1 any | /usr/bin/python3 -c '
import sys
for number, record in enumerate(sys.stdin.buffer.read().split(b"\0")):
    with open("build/fuzz/seeds/generated-%d" % number, "wb") as file:
        file.write(record)'
status=0
for harness in fuzz/fuzz_*.c; do
	name=$(basename "$harness" .c)
	"$clang" -g -O1 -std=c11 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -Iinclude \
		"$harness" src/*.c -o "build/fuzz/$name" || exit 2
	mkdir -p "build/fuzz/corpus/$name"
	if "build/fuzz/$name" -max_total_time="$seconds" -max_len=512 -print_final_stats=1 -artifact_prefix=$found/ \
		"build/fuzz/corpus/$name" build/fuzz/seeds corpus >"build/fuzz/$name.log" 2>&1; then
		echo "$name: $(sed -n 's/^stat::number_of_executed_units: *//p' "build/fuzz/$name.log") executions, nothing found"
	else
		echo "$name: FOUND, see build/fuzz/$name.log; replay: build/fuzz/$name $(ls -t $found/* | head -n 1)"
		status=1
	fi
done
exit $status
