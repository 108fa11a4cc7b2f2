#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Conformance of the languages to their ABNF: run.sh quick|full. One line a language; the closing
# line counts the differences.
set -u
cd "$(dirname "$0")/../.." || exit 2
make=${MAKE:-make}
python=${PYTHON:-/usr/bin/python3}
tables=build/grammar
log=$tables/differences
status=0

conform() { # program, language, extra states, length
	"$1" "$2" "$tables/$2.dfa" "$3" "$4" >"$log" || status=1
	cat "$log"
	found=$(sed -n 's/.* \([0-9]*\) differences$/\1/p' "$log")
	total=$((total + ${found:-1}))
}

"$make" -s tables build/conform || exit 2
total=0
case ${1:-quick} in
quick) extra=2 length=6 gate='1 4' ;;
full) extra=3 length=7 gate='2 5' ;;
*) exit 2 ;;
esac
ln -sf uri-1997.dfa "$tables/url-1997.dfa" # one grammar under two names
conform build/conform rfc3986 $extra $length
# shellcheck disable=SC2086 # two numbers
conform build/conform gate $gate
for edition in uri-2003 uri-1997 url-1997 url-1996; do
	conform build/conform $edition $extra $length
done
echo 'under AddressSanitizer and UndefinedBehaviorSanitizer:'
"$make" -s VARIANT=asan build/asan/conform || exit 2
conform build/asan/conform rfc3986 1 4
conform build/asan/conform gate 0 3
conform build/asan/conform uri-2003 1 4
if [ "${1:-quick}" = full ]; then
	echo 'under MemorySanitizer:'
	"$make" -s VARIANT=msan build/msan/conform || exit 2
	for language in rfc3986 uri-2003 uri-1997 url-1997 url-1996 gate; do
		conform build/msan/conform $language 1 4
	done
	build/conform --control $tables/gate.dfa || status=1
fi
build/conform --control $tables/rfc3986.dfa || status=1
$python -B tests/grammar/inclusion.py || status=1
echo "grammar: $total differences"
exit $status
