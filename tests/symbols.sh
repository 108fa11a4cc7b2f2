#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Checks that only urivet_* is visible, that the shared library exports exactly what the header declares, and
# that the library calls only memory functions of the C library.
cd "$(dirname "$0")/.." || exit 2
status=0
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT

headers=$(ls include/urivet.h include/urivet/*.h | grep -v /policy.h)
nm -g --defined-only build/liburivet.a | awk 'NF == 3 { print $3 }' | grep -v '^urivet_' &&
	{ echo 'a global symbol does not begin with urivet_'; status=1; }

nm -D --defined-only build/liburivet.so | awk '$2 != "A" { print $3 }' | sort >"$tmp/versioned"
node=URIVET_$(readelf -d build/liburivet.so | sed -n 's/.*SONAME.*liburivet\.so\.\([0-9.]*\).*/\1/p')
grep -v "^urivet_[a-z_0-9]*@@$node\$" "$tmp/versioned" && { echo "a symbol is not of the series $node"; status=1; }
sed 's/@.*//' "$tmp/versioned" >"$tmp/exported"
awk '/^URIVET_API/ { on = 1 } on { line = $0; sub(/;.*/, ";", line); print line } /;/ { on = 0 }' $headers | tr '\n' ' ' | grep -oE 'urivet_[a-z_0-9]+ *[(;]' |
	tr -d ' (;' | sort -u >"$tmp/declared"
diff "$tmp/declared" "$tmp/exported" || { echo 'exported and declared differ'; status=1; }

# The library exports no data: a program would keep a copy of the size that the data had when it was linked.
nm -D --defined-only build/liburivet.so | awk '$2 ~ /[BDGRSV]/ { print $3; found = 1 } END { exit !found }' &&
	{ echo 'data is exported'; status=1; }

nm -u build/liburivet.a | awk 'NF == 2 { print $2 }' | sort -u |
	grep -vE '^(urivet_.*|mem(cpy|set|cmp|move)|str(cmp|len)|__stack_chk_fail|_GLOBAL_OFFSET_TABLE_)$' &&
	{ echo 'the library needs more than memory functions'; status=1; }

# The library that loads policies defines only its own names, and exports exactly what its header declares.
nm -g --defined-only build/liburivet-policy.a | awk 'NF == 3 { print $3 }' | grep -v '^urivet_' &&
	{ echo 'a global symbol of liburivet-policy does not begin with urivet_'; status=1; }
nm -D --defined-only build/liburivet-policy.so | awk '$2 != "A" { print $3 }' | sed 's/@.*//' | sort >"$tmp/loader"
awk '/^URIVET_API/ { on = 1 } on { print } /;/ { on = 0 }' include/urivet/policy.h | tr '\n' ' ' | grep -oE 'urivet_[a-z_0-9]+ *[(;]' |
	tr -d ' (;' | sort -u >"$tmp/loader-declared"
diff "$tmp/loader-declared" "$tmp/loader" || { echo 'what liburivet-policy exports and declares differ'; status=1; }

[ $status = 0 ] && echo "symbols: $(wc -l <"$tmp/exported") exported, all declared"
exit $status
