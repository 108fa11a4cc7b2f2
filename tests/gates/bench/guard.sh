#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Guards against slower code, by counts of instructions, which do not depend on other load:
# guard.sh check|record. A count of one input may be five percent above the one on record, that of a
# class of the mixed set (classes.tsv) ten; more fails, and so does one that is ten percent below, for
# then the record is out of date. The control counts the classes judged an eighth oftener: all must fail.
set -u
cd "$(dirname "$0")/../../.." || exit 2
record=tests/gates/bench/instructions.tsv
command -v valgrind >/dev/null || { echo 'this needs the Debian package valgrind' >&2; exit 2; }
log=build/log
mkdir -p "$log"
make=${MAKE:-make}
"$make" -s build/instructions || exit 2
"$make" -s VARIANT=vectors-no VECTORS=no build/vectors-no/instructions || exit 2

# what is judged: name, what, URL; the name of a single input is its URL
single() {
	while read -r what url; do
		printf '%s\t%s\t%s\n' "$url" "$what" "$url"
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
check https://www.example.org/a%20list%20of/what%5Bthe%5D/paths%7Cof/real%22ones%22/hold%20more%20often%20than/others/do.html
check https://www.example.org/%E4%B8%AD%E6%96%87/%D0%BF%D1%83%D1%82%D1%8C/caf%C3%A9/%E6%97%A5%E6%9C%AC
check https://www.example.org/search?q=one+two&lang=en&page=2&sort=date%2Cname&from=caf%C3%A9&to=x&list=a%20b
check http://[2001:db8:85a3::8a2e:370:7334]/index.html
check http://[2001:DB8::1]:8080/a//b/..;/c%2fd?x=1&x=2
public https://www.example.org/packages/some-thing/index.html
public https://www.example.com/
public http://169.254.169.254/latest/meta-data/
parse https://www.example.org/packages/some-thing/index.html
END
}

classes() {
	for what in check ok parse; do
		sed -n "s/^\([^#	]*\)	/class \1	$what	/p" tests/gates/bench/classes.tsv
	done
}

# counts the instructions of one call for each line: count, program, what, name
count() { # lines, program, options
	valgrind --tool=callgrind --callgrind-out-file="$log/callgrind" --combine-dumps=yes --dump-after=mark \
		"$2" ${3+"$3"} <"$1" 2>"$log/valgrind" || { cat "$log/valgrind" >&2; exit 2; }
	# three a group: what went before, nothing judged, judged
	sed -n 's/^totals: //p' "$log/callgrind" >"$log/totals"
	cut -f 1,2 "$1" | uniq | awk -F '\t' -v OFS='\t' -v program="$2" -v totals="$log/totals" '
		{
			got = 0
			for (k = 0; k < 3; k++) {
				without = with
				got += (getline with <totals) > 0
			}
			print got == 3 ? int((with - without) / 1000) : "", program, $2, $1
		}'
}

rows() {
	single >"$log/single" && classes >"$log/classes"
	count "$log/single" build/instructions
	count "$log/single" build/vectors-no/instructions
	count "$log/classes" build/instructions
}

# lists deviations from the record, and the number of counts
compare() { # counts
	awk -F '\t' '
		/^#/ { next }
		NR == FNR { on_record[$2 FS $3 FS $4] = $1; next }
		{
			key = $2 FS $3 FS $4
			counted[key] = 1
			if (!(key in on_record) || $1 == "") { print "not on record: " $0; bad++; next }
			more = $4 ~ /^class / ? 1.10 : 1.05
			if ($1 > on_record[key] * more + 2) { print "slower: " $1 " instead of " on_record[key] ": " key; bad++ }
			if ($1 < on_record[key] * 0.90 - 2) { print "quicker, record it: " $1 " instead of " on_record[key] ": " key; bad++ }
			n++
		}
		END {
			for (key in on_record)
				if (!(key in counted)) { print "on record, but not counted: " key; bad++ }
			print "bench-guard: " n + 0 " counts of instructions, " bad + 0 " off the record"
			exit bad > 0 || n == 0
		}
	' "$record" "$1"
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
compare "$log/instructions" || exit 1

# each class is on record, and fails if it costs an eighth more
count "$log/classes" build/instructions --slower >"$log/instructions.slower"
compare "$log/instructions.slower" >"$log/control"
all=$(cut -f 1,2 "$log/classes" | uniq | wc -l)
noticed=$(grep -c '^slower: ' "$log/control")
if [ "$all" -eq 0 ] || [ "$noticed" -ne "$all" ]; then
	echo "bench-guard: $noticed of $all counts of classes fail when they are an eighth slower"
	exit 1
fi
