#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The stack that each public function needs, no recursion, no allocation, no call through an
# unknown pointer: from the call graph of the release build. The control: each is seen when planted.
cd "$(dirname "$0")/../../.." || exit 2
python=${PYTHON:-/usr/bin/python3}
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
echo 'int x;' | gcc -fcallgraph-info=su,da -x c -c -o "$tmp/probe.o" - 2>/dev/null ||
	{ echo 'stack needs the Debian package gcc (10 or newer)' >&2; exit 2; }
"${MAKE:-make}" -s VARIANT=stack build/stack/liburivet.a || exit 1
$python -B tests/gates/resources/stack.py build/stack/src --table || exit 1

mkdir "$tmp/graph" && find build/stack/src -name "*.ci" -exec cp {} "$tmp/graph" \;
cat >"$tmp/graph/planted.c" <<'END'
#include <stddef.h>
void *malloc(size_t);
void use(void *);
unsigned planted_recursion(unsigned n) { return n < 2 ? n : planted_recursion(n - 1) * planted_recursion(n / 2) + 1; }
void planted_array(size_t n) { char octets[n]; use(octets); }
int planted_pointer(int (*f)(int)) { return f(1) + 1; }
void *planted_allocation(void) { void *m = malloc(8); use(m); return m; }
END
(cd "$tmp/graph" && gcc -O1 -fcallgraph-info=su,da -c planted.c) || exit 1
$python -B tests/gates/resources/stack.py "$tmp/graph" --most=1024 >"$tmp/seen"
seen=0
for wrong in 'recursion: planted_recursion' 'planted_array: a frame' 'planted_pointer calls through' \
	'planted_allocation calls malloc' 'urivet_check_sized needs'; do
	grep -q "^$wrong" "$tmp/seen" && seen=$((seen + 1)) || echo "control: not seen: $wrong"
done
[ $seen = 5 ] && tail -n 1 "$tmp/seen" >/dev/null &&
	$python -B tests/gates/resources/stack.py build/stack/src | sed 's/$/, control 5 \/ 5/'
[ $seen = 5 ]
