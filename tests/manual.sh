#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The man pages format without a warning, and name every finding and function.
cd "$(dirname "$0")/.." || exit 2
status=0
${MAKE:-make} -s build/urivet.1 build/urivet-policy.5 || exit 1
for page in build/urivet.1 src/urivet.3 build/urivet-policy.5; do
	warnings=$(groff -mandoc -Tascii -ww "$page" 2>&1 >/dev/null)
	[ -z "$warnings" ] || { echo "$page: $warnings"; status=1; }
done
groff -mandoc -Tascii build/urivet.1 2>/dev/null | sed 's/.\x08//g; s/\x1b\[[0-9]*m//g' >build/urivet.1.txt
for id in $(build/urivet findings --format=tsv | cut -f1); do
	grep -q -- "$id" build/urivet.1.txt || { echo "urivet.1 does not name $id"; status=1; }
done
for function in $(nm -D --defined-only build/liburivet.so | sed -n 's/.* \(urivet_[a-z_0-9]*\).*/\1/p'); do
	grep -q "$function" src/urivet.3 || { echo "urivet.3 does not name $function"; status=1; }
done
for key in $(sed -n 's/^	{"\([a-z0-9]*\)", *"\([a-z0-9.]*\)", *SHAPE_.*/\1/p' src/cli/policy/policy_file.c); do
	grep -q -- "\.It Sy $key" src/cli/urivet-policy.5 || { echo "urivet-policy.5 does not describe $key"; status=1; }
done
rm -f build/urivet.1.txt
[ $status = 0 ] && echo 'manual: formats, names everything'
exit $status
