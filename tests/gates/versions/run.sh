#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Programs that were built against another version of the header than that of the library they run
# with: they work, or are refused, and nothing beyond their structures is touched. The other versions
# are made up: one whose structures have six numbers more, one whose structures are smaller than any
# that this library's name (SONAME) stands for.
cd "$(dirname "$0")/../../.." || exit 2
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
make=${MAKE:-make}
status=0
complain() {
	echo "$*"
	status=1
}

# Each of the five structures gets `added` after its last member, and after the padding there: what lay
# in that would have a place in structures of before.
newer() { # header
	awk '
		/^struct urivet_(policy|request|report|reading|endpoint) \{/ { in_one = 1 }
		in_one && /^};/ { print "\tuint64_t added[3];"; in_one = 0; n++ }
		{ print }
		END { exit n != 5 }' "$1"
}
older() { # header
	awk '
		/^#define URIVET_MAX_FINDINGS / { sub(/32/, "31"); n++ }
		/^\tstruct urivet_finding_set raised;/ { n++; next }
		/^\tstruct urivet_address_list addresses;/ { n++; next }
		/^\tsize_t written;/ { n++; next }
		/^\tuint64_t room\[/ { n++; next }
		/^\tbool host_unknown;/ { n++; next }
		/^\tconst char \*url;/ { n++; next }
		{ print }
		END { exit n != 7 }' "$1"
}

# Members are removed line by line, so comments of several lines are removed before. All headers are one file,
# which stands in place of each of them.
"$make" -s build/onefile/urivet.h || exit 2
"${PYTHON:-python3}" -c 'import re, sys; print(re.sub(r"/\*.*?\*/", "", sys.stdin.read(), flags=re.S))' <build/onefile/urivet.h >"$tmp/plain.h"
mkdir "$tmp/newer" && cp -r Makefile include src "$tmp/newer"
make_headers() { # version, what the header has else
	mkdir -p "$tmp/$1/include/urivet"
	cp include/urivet/*.def "$tmp/$1/include/urivet"
	for header in include/urivet/*.h; do
		case $header in */policy.h) ;; *) echo '#include <urivet.h>' >"$tmp/$1/$header" ;; esac
	done
	"$1" "$tmp/plain.h" >"$tmp/$1/include/urivet.h" || complain "the header has $2"
}
make_headers newer 'other structures than those that grow here'
make_headers older 'other structures than those that shrink here'
# a change that lets a structure grow keeps the smallest size
for one in report:src/core/report/report.h:REPORT_LEAST policy:src/core/policy/policy.h:POLICY_LEAST request:src/core/check/request.h:REQUEST_LEAST reading:src/core/readers/read_as.c:READING_LEAST endpoint:src/core/check/endpoint.c:ENDPOINT_LEAST; do
	file=$tmp/newer/$(echo "$one" | cut -d: -f2)
	least=$(echo "$one" | cut -d: -f3)
	sed -i "s|^#define $least .*|#define $least offsetof(struct urivet_${one%%:*}, added)|" "$file"
	grep -q "^#define $least offsetof" "$file" || complain "$least is gone"
done
(cd "$tmp/newer" && "$make" -s build/liburivet.so CFLAGS=-w >"$tmp/log" 2>&1) || { cat "$tmp/log"; exit 1; }

build() { # header's folder, program, more...
	folder=$1 program=$2
	shift 2
	cc -std=c11 -Wall -Wextra -Werror -D_DEFAULT_SOURCE "$@" -I"$folder" tests/gates/versions/program.c -Lbuild -lurivet -o "$tmp/$program" || exit 1
}
build include now
build "$tmp/newer/include" newer-program -DHAS_ADDED
build "$tmp/older/include" older-program

runs() { # program, library's folder, works|strict|refuses, what
	LD_LIBRARY_PATH=$2 "$tmp/$1" "$3" >"$tmp/out" 2>&1 || {
		cat "$tmp/out"
		complain "$4: $3 fails"
	}
}
runs now build works 'program and library of one version'
runs now "$tmp/newer/build" works 'a newer library'
runs newer-program build strict 'a newer program'
runs newer-program "$tmp/newer/build" works 'both newer'
runs older-program build refuses 'a program older than any'
# the control: sizes that are not passed would let the older program's report be overrun
sed 's|sizeof \*report|4096|; s|sizeof \*policy|4096|' "$tmp/older/include/urivet.h" >"$tmp/header" && mv "$tmp/header" "$tmp/older/include/urivet.h"
build "$tmp/older/include" untold
LD_LIBRARY_PATH=build "$tmp/untold" refuses >/dev/null 2>&1 && complain 'control: a size that is wrong is not seen'

[ $status = 0 ] && echo 'versions: 5 programs with libraries of other versions, 1 control'
exit $status
