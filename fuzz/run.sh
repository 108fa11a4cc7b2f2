#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# fuzz/run.sh libfuzzer|afl SECONDS [HARNESS...]
# fuzz/run.sh campaign HOURS [HARNESS...]
# Runs each harness (default: all) for that long under an engine, starting from the corpus; a campaign
# runs all of them by libFuzzer in turns, as long as HOURS in all, and sums up what every campaign did.
# Inputs that fail are kept below build/fuzz/found, with the command that replays each.
# SEED=N makes a run of libFuzzer repeatable; RUNS=N ends it after so many executions, whatever the
# time; MAX_LEN is the longest input in octets. Runs one harness on each core, or JOBS=N at once; AFL++
# has two processes for each harness.
cd "$(dirname "$0")/.." || exit 2
engine=${1:?engine} seconds=${2:?seconds}
shift 2
make=${MAKE:-make}
cores=$(nproc 2>/dev/null || echo 1)
found=build/fuzz/found
work=build/fuzz/work
status=0
begun=$(date +%s)

needs() { # program, packages
	command -v "$1" >/dev/null && return
	echo "fuzz: nothing was fuzzed: $1 is missing; it is in the Debian packages $2" >&2
	exit 2
}

harnesses() { # names, with or without fuzz_
	asked=$#
	[ $asked -gt 0 ] || set -- $(ls fuzz/fuzz_*.c)
	for name in "$@"; do
		name=$(basename "$name" .c)
		name=fuzz_${name#fuzz_}
		if [ ! -x "$tree/$name" ]; then
			echo "fuzz: $name was not built: its library is missing" >&2
			[ $asked = 0 ] || exit 2
			continue
		fi
		echo "$name"
	done
}

only= # builds only what is requested
for name in "$@"; do
	name=$(basename "$name" .c)
	only="$only ${name#fuzz_}"
	[ -f "fuzz/fuzz_${name#fuzz_}.c" ] || {
		echo "fuzz: no harness '$name': there are $(ls fuzz/fuzz_*.c | sed 's|fuzz/fuzz_||; s|\.c||' | xargs)" >&2
		exit 2
	}
done

# Prints one kept input: its path, the failure, the command to replay it.
report() { # harness, file, log
	status=1
	echo "$1: FOUND $(grep -hE 'oracle broken|ERROR: |runtime error' "$3" | head -n 1)"
	echo "    replay: $tree/$1 $2"
}

libfuzzer() { # harness
	mkdir -p "$work/$1"
	log=build/fuzz/$1.log
	case $1 in
	fuzz_policy) dictionary=policy longest=4096 seeds='corpus/policy src/examples/policies' ;;
	fuzz_mail) dictionary=mail longest=4096 seeds= ;;
	fuzz_compiled)
		dictionary=uri longest=4096 seeds=corpus
		for policy in src/examples/policies/*.yaml strict gateway; do
			"${URIVET:-build/urivet}" policy compile "$policy" -o "$work/$1/$(basename "$policy")" 2>/dev/null
		done
		;;
	fuzz_scan | fuzz_tables | fuzz_markup | fuzz_records) dictionary=uri longest=70000 seeds=corpus ;;
	*) dictionary=uri longest=600 seeds=corpus ;;
	esac
	# what is freed in an execution is still detected; the defaults are a sixth of the time of harnesses that allocate much
	ASAN_OPTIONS=quarantine_size_mb=8:malloc_context_size=4${ASAN_OPTIONS:+:$ASAN_OPTIONS}
	export ASAN_OPTIONS
	# counts of an edge add little for a parser, and cost half the speed
	# shellcheck disable=SC2086
	"$tree/$1" $limit -max_len="${MAX_LEN:-$longest}" -use_counters=0 \
		-dict=fuzz/$dictionary.dict -seed="${SEED:-0}" -timeout=60 -rss_limit_mb=4096 \
		-print_final_stats=1 -artifact_prefix="$found/$1-" "$work/$1" $seeds >"$log" 2>&1 ||
		report "$1" "$(ls -t "$found/$1"-* 2>/dev/null | head -n 1)" "$log"
	echo "$1: $(awk '/stat::number_of_executed_units/ { n = $2 } /stat::average_exec_per_sec/ { s = $2 }
		/ cov: / { for (i = 1; i < NF; i++) if ($i == "cov:") c = $(i + 1) }
		END { printf "%d executions, %d a second, %d edges", n, s, c }' "$log")"
}

afl() { # harness
	out=build/fuzz/afl/$1
	log=build/fuzz/$1.afl.log
	rm -rf "$out" && mkdir -p "$out/seeds"
	find corpus -type f -size -8k ! -name '*.tsv' ! -name '*.md' | while read -r file; do
		cp "$file" "$out/seeds/$(echo "$file" | tr / _)"
	done
	# the second process logs comparisons; both mutate by component
	AFL_CUSTOM_MUTATOR_LIBRARY=$PWD/build/fuzz/libmutator.so
	export AFL_CUSTOM_MUTATOR_LIBRARY
	timeout $((seconds + 60)) afl-fuzz -V "$seconds" -S compare -i "$out/seeds" -o "$out" -x fuzz/uri.dict \
		-c "build/cmplog/$1" -- "$tree/$1" >"$log.compare" 2>&1 &
	timeout $((seconds + 60)) afl-fuzz -V "$seconds" -M main -i "$out/seeds" -o "$out" -x fuzz/uri.dict -- "$tree/$1" >"$log" 2>&1
	wait
	crash=$(find "$out" -path '*crashes/id*' -o -path '*hangs/id*' | head -n 1)
	if [ -n "$crash" ]; then
		cp "$crash" "$found/$1-afl" && "$tree/$1" "$found/$1-afl" >>"$log" 2>&1
		report "$1" "$found/$1-afl" "$log"
	fi
	[ -f "$out/main/fuzzer_stats" ] || { echo "$1: afl-fuzz did not run, see $log" >&2; tail -n 5 "$log" >&2; status=2; return; }
	echo "$1: $(awk -F' *: *' '$1 == "execs_done" { n += $2 } $1 == "execs_per_sec" { s += $2 } $1 == "edges_found" && $2 > e { e = $2 }
		END { printf "%d executions, %d a second, %d edges", n, s, e }' "$out"/*/fuzzer_stats)"
}

# Fuzzes in turns until the time is used: each a tenth of a harness's share, a minute at least.
campaign() { # hours
	ends=$(($(date +%s) + $(awk -v h="$1" 'BEGIN { print int(h * 3600) }')))
	shift
	count=$(harnesses "$@" | wc -l)
	share=$(((ends - $(date +%s)) * ${JOBS:-$cores} / (10 * count)))
	[ $share -ge 60 ] || share=60
	while [ "$(date +%s)" -lt $ends ]; do
		sh fuzz/run.sh libfuzzer $share "$@" >build/fuzz/turn.log || status=1
		cat build/fuzz/turn.log
		grep -q ' executions, ' build/fuzz/turn.log || return
		awk -v OFS='\t' -v s=$share '/ executions, / { print substr($1, 1, length($1) - 1), s, $2, $7 }' build/fuzz/turn.log >>build/fuzz/campaign.tsv
	done
	echo '| harness | million executions | hours | edges |'
	echo '|---|--:|--:|--:|'
	awk '{ s[$1] += $2; n[$1] += $3; if ($4 > e[$1]) e[$1] = $4 }
		END { for (h in n) printf "| `%s` | %.1f | %.2f | %d |\n", substr(h, 6), n[h] / 1e6, s[h] / 3600, e[h] }' build/fuzz/campaign.tsv | sort
}

case $engine in
campaign)
	case $seconds in
	*[!0-9.]* | '' | .) echo "fuzz: no number of hours: '$seconds'" >&2; exit 2 ;;
	esac
	mkdir -p build/fuzz
	tree=build/fuzz
	"$make" -s -j"$cores" VARIANT=fuzz HARNESS="$only" harnesses || exit 2
	campaign "$seconds" "$@"
	exit $status
	;;
libfuzzer)
	case ${RUNS:-0}$seconds in
	*[!0-9]*) echo "fuzz: no number of seconds or executions: '$seconds' '${RUNS:-}'" >&2; exit 2 ;;
	esac
	limit=${RUNS:+-runs=$RUNS}
	limit=${limit:--max_total_time=$seconds}
	needs clang-19 'clang-19 libclang-rt-19-dev'
	tree=build/fuzz
	[ -n "${FUZZ_PART:-}" ] || "$make" -s -j"$cores" VARIANT=fuzz HARNESS="$only" harnesses || exit 2
	;;
afl)
	needs afl-fuzz 'afl++ clang-14 lld-14 llvm-14'
	needs afl-clang-lto 'afl++ clang-14 lld-14 llvm-14'
	export AFL_QUIET=1 AFL_NO_UI=1 AFL_SKIP_CPUFREQ=1 AFL_TRY_AFFINITY=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1
	tree=build/afl
	"$make" -s -j"$cores" VARIANT=afl HARNESS="$only" harnesses &&
		"$make" -s -j"$cores" VARIANT=cmplog HARNESS="$only" harnesses &&
		"$make" -s VARIANT=fuzz build/fuzz/libmutator.so || exit 2
	;;
*)
	echo "fuzz: no engine '$engine': libfuzzer, afl or campaign" >&2
	exit 2
	;;
esac
mkdir -p $found $work
[ -n "${FUZZ_PART:-}" ] || echo "fuzz: built in $(($(date +%s) - begun)) s; from corpus/, new inputs go to $work, what breaks to $found"
chosen=$(harnesses "$@") || exit 2
[ -n "$chosen" ] || { echo 'fuzz: no harness was built' >&2; exit 2; }
if [ "$engine" = libfuzzer ] && [ "$(echo "$chosen" | wc -l)" -gt 1 ]; then
	echo "$chosen" | FUZZ_PART=1 xargs -n 1 -P "${JOBS:-$cores}" sh fuzz/run.sh libfuzzer "$seconds" || status=1
else
	for name in $chosen; do
		"$engine" "$name"
	done
fi
[ -n "${FUZZ_PART:-}" ] || case $status in
0) echo "fuzz: nothing broke in ${RUNS:-$seconds s}${RUNS:+ executions} of $(echo "$chosen" | wc -l) harness(es); new inputs are in $work" ;;
*) echo "fuzz: something broke, see above; the inputs are in $found, the logs are build/fuzz/*.log" ;;
esac
exit $status
