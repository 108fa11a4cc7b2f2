#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Guards against getting slower, by counts of instructions, which no other load changes:
# guard.sh check|record. A count may be five percent above the one on record; more fails, and
# so does one that is ten percent below, for then the record is out of date.
set -u
cd "$(dirname "$0")/../.." || exit 2
record=tests/bench/instructions.tsv
command -v valgrind >/dev/null || { echo 'this needs the Debian package valgrind' >&2; exit 2; }
log=build/log
mkdir -p "$log"
make=${MAKE:-make}
"$make" -s build/instructions || exit 2
"$make" -s VARIANT=vectors-no VECTORS=no vectors-no_CFLAGS='-O2' build/vectors-no/instructions || exit 2

collect() { # program, what, URL
	valgrind --tool=callgrind --callgrind-out-file=/dev/null "$1" "$2" "$3" 2>"$log/callgrind" ||
		{ cat "$log/callgrind" >&2; exit 2; }
	sed -n 's/.*Collected : //p' "$log/callgrind"
}

# program, what, URL: instructions of one call
each() {
	with=$(collect "$1" "$2" "$3") && without=$(collect "$1" none "$3") &&
		[ -n "$with" ] && [ -n "$without" ] && echo $(((with - without) / 1000))
}

rows() {
	while read -r what url; do
		for program in build/instructions build/vectors-no/instructions; do
			printf '%s\t%s\t%s\t%s\n' "$(each $program "$what" "$url")" $program "$what" "$url"
		done
	done <<'END'
ok https://www.example.org/
ok https://www.example.org/packages/some-thing/index.html
ok http://user@example.org/
ok http://example.org/a b
ok http://example.org/~user/page.html?q=1&x=y#part
check https://www.example.org/
check https://www.example.org/packages/some-thing/index.html
check http://example.org
check http://example.org/~user/page.html?q=1&x=y#part
check http://www.example-2.org/a/very/long/path/that/does/not/fit/into/a/window/of/sixty-four/octets.html
check http://user@example.org/%2e%2e/
check http://0x7f.1/
public https://www.example.org/packages/some-thing/index.html
public https://www.example.com/
public http://169.254.169.254/latest/meta-data/
parse https://www.example.org/packages/some-thing/index.html
END
}

compiler=$(${CC:-cc} --version | sed 1q)
case ${1:-check} in
record)
	{ echo "# $compiler"; rows; } >"$record.new"
	grep -qv '^[#0-9]' "$record.new" && { rm "$record.new"; echo 'bench-guard: a count is missing' >&2; exit 2; }
	mv "$record.new" "$record" && cat "$record"
	exit
	;;
esac
grep -q avx2 /proc/cpuinfo || { echo 'bench-guard: this machine has no AVX2, and what is on record has' >&2; exit 2; }
[ "$(sed -n '1s/^# //p' "$record")" = "$compiler" ] ||
	{ echo "bench-guard: on record is what $(sed -n '1s/^# //p' "$record") makes, not $compiler" >&2; exit 2; }
rows >"$log/instructions"
awk -F '\t' '
	/^#/ { next }
	NR == FNR { on_record[$2 FS $3 FS $4] = $1; next }
	{
		key = $2 FS $3 FS $4
		if (!(key in on_record) || $1 == "") { print "not on record: " $0; bad++; next }
		if ($1 > on_record[key] * 1.05 + 2) { print "slower: " $1 " instead of " on_record[key] ": " key; bad++ }
		if ($1 < on_record[key] * 0.90 - 2) { print "quicker, record it: " $1 " instead of " on_record[key] ": " key; bad++ }
		n++
	}
	END { print "bench-guard: " n " counts of instructions, " bad + 0 " off the record"; exit bad > 0 || n == 0 }
' "$record" "$log/instructions"
