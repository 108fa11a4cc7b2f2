#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Conformance of the languages to their ABNF: run.sh quick|full. One line a language; the closing
# line counts the differences.
set -u
cd "$(dirname "$0")/../../.." || exit 2
make=${MAKE:-make}
python=${PYTHON:-/usr/bin/python3}
tables=build/grammar
log=$tables/differences
status=0

conform() { # program, language, grammar, extra states, length
	"$1" "$2" "$tables/$3.dfa" "$4" "$5" >"$log" || status=1
	cat "$log"
	found=$(sed -n 's/.* \([0-9]*\) differences$/\1/p' "$log")
	total=$((total + ${found:-1}))
}

editions() { # program, and bounds, if not those of readers.def: extra states, length
	for name in $($python -B tests/core.py editions); do
		row=$($python -B tests/core.py languages | grep "^$name ")
		# shellcheck disable=SC2086 # name, grammar, two numbers
		set -- "$1" "${2:-}" "${3:-}" $row
		conform "$1" "$4" "$5" "${2:-$(($6 + more))}" "${3:-$(($7 + more))}"
	done
}

"$make" -s tables build/conform || exit 2
total=0
case ${1:-quick} in
quick) more=0 gate='1 4' ;;
full) more=1 gate='2 5' ;;
*) exit 2 ;;
esac
# shellcheck disable=SC2086 # two numbers
conform build/conform gate gate $gate
# shellcheck disable=SC2086 # two numbers
conform build/conform gateway gateway $gate
editions build/conform
if [ "${1:-quick}" = full ]; then
	echo 'under AddressSanitizer and UndefinedBehaviorSanitizer:'
	"$make" -s VARIANT=asan build/asan/conform || exit 2
	conform build/asan/conform gate gate 0 3
	conform build/asan/conform gateway gateway 0 3
	editions build/asan/conform 1 4
	echo 'under MemorySanitizer:'
	"$make" -s VARIANT=msan build/msan/conform || exit 2
	conform build/msan/conform gate gate 1 4
	conform build/msan/conform gateway gateway 1 4
	editions build/msan/conform 1 4
	build/conform --control $tables/gate.dfa || status=1
fi
build/conform --control $tables/rfc3986.dfa || status=1
$python -B tests/gates/grammar/inclusion.py || status=1
echo "grammar: $total differences"
exit $status
