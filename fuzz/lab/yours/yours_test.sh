#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# yours_test.sh [full]: fuzzes C functions with a bug: each bug is found within seconds, and the function
# without a bug passes.
cd "$(dirname "$0")/../../.." || exit 2
status=0
log=build/log/yours
mkdir -p build/log
complain() {
	echo "$*"
	tail -n 5 "$log"
	status=1
}
fuzzed() { # exit status that is asked for, flags
	FLAGS=$2 ABORT=1 sh fuzz/lab/yours/yours.sh 3 fuzz/lab/yours/planted.c >"$log" 2>&1
	[ $? = "$1" ] || complain "yours: with ${2:-no bug}: the exit status is not $1"
}

fuzzed 0 ''
grep -q 'are missing' "$log" && {
	echo "skipped: $(cat "$log")"
	exit 0
}
grep -q ' 0 kinds are read otherwise' "$log" || complain 'yours: the reader without a bug reads something otherwise'
fuzzed 1 -DLAST_AT
grep -q 'deadly signal' "$log" || complain 'yours: LAST_AT is not found'
fuzzed 1 -DOVER_READ
grep -q 'heap-buffer-overflow' "$log" || complain 'yours: the over-read is not seen'

[ "${1:-}" = full ] || {
	[ $status = 0 ] && echo 'versus: bugs are named, bad readers caught, C functions fuzzed'
	exit $status
}
fuzzed 1 -DREFUSES
# Without ABORT, inputs read differently are kept and compared with all other readers.
FLAGS=-DLAST_AT AGAINST=urllib sh fuzz/lab/yours/yours.sh 3 fuzz/lab/yours/planted.c >"$log" 2>&1
[ $? = 1 ] && [ "$(ls build/yours/found | wc -l)" -gt 0 ] && grep -q 'host: @ in the path' "$log" ||
	complain 'yours: the report does not name LAST_AT'
# A crash is reported once, with its kind and the input.
FLAGS=-DOVER_READ AGAINST=urllib sh fuzz/lab/yours/yours.sh 3 fuzz/lab/yours/planted.c >"$log" 2>&1
[ $? = 1 ] && [ "$(grep -c 'heap-buffer-overflow' "$log")" = 1 ] && grep -q '^    input   .*:' "$log" ||
	complain 'yours: the over-read is not told with its input'
[ $status = 0 ] && echo 'yours: bugs are found, kept, and named in the report'
exit $status
