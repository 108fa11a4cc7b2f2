#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The package for JavaScript: the cases of all bindings in Node, as browsers load them and in Chromium if it is here;
# bad input; what fetches, each guard with a control that gets at the secret without it.
set -u
cd "$(dirname "$0")/../.." || exit 2
make=${MAKE:-make}
"$make" -s js || exit 1
if [ ! -e build/js/urivet.tgz ]; then
	"$make" -s js
	exit 0
fi
package=$PWD/build/js/package
for limit in urivet:102400 gate:35840; do
	for kind in mjs cjs; do
		size=$(gzip -9 <"$package/dist/${limit%:*}.$kind" | wc -c)
		[ "$kind" = cjs ] || [ "$size" -le "${limit#*:}" ] || { echo "${limit%:*}.$kind: $size octets, gzipped"; exit 1; }
	done
done
node tests/js/run_conformance.mjs "$package" || exit 1
URIVET_PACKAGE=$package
URIVET_COMPILED=$(sed -n 's/.*"name":"loopback".*"compiled":"\([0-9a-f]*\)".*/\1/p' tests/conformance/cases.jsonl)
export URIVET_PACKAGE URIVET_COMPILED
node --test tests/js/bad_input.mjs >build/js/bad_input.log 2>&1 || { tail -n 60 build/js/bad_input.log; exit 1; }
grep -h '^# pass' build/js/*.log
echo "js: urivet $(gzip -9 <"$package/dist/urivet.mjs" | wc -c) octets, gate $(gzip -9 <"$package/dist/gate.mjs" | wc -c), gzipped"
