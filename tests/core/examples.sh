#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compiles the programs of src/examples that need no other library, and runs each on an input that it takes
# and on one that it refuses. fetch.c is tested by tests/core/connect.
cd "$(dirname "$0")/../.." || exit 2
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
status=0
flags="-std=c11 -Wall -Wextra -Werror -Iinclude"
for program in check gateway batch policy; do
	# shellcheck disable=SC2086,SC2046
	cc $flags -pthread -o "$tmp/$program" src/examples/$program.c build/liburivet-policy.a build/liburivet.a \
		$(pkg-config --libs yaml-0.1 2>/dev/null) || exit 1
done
says() { # status, output, program, arguments...
	wanted=$1 output=$2 program=$3
	shift 3
	"$tmp/$program" "$@" >"$tmp/out" 2>&1
	got=$?
	[ $got = "$wanted" ] && { [ -z "$output" ] || grep -qF -e "$output" "$tmp/out"; } || { echo "$program $*: $got"; cat "$tmp/out"; status=1; }
}
says 0 'connect to www.debian.org, port 443; request /a?b' check 'https://www.debian.org/a?b#c'
says 1 'refused: addr-not-global,addr-loopback' check http://127.0.0.1/
says 0 '' gateway GET /a www.debian.org
says 1 'dot-segment' gateway GET /a/../b www.debian.org
says 1 'reject http://u@b.example/' batch http://a.example/ http://u@b.example/
says 0 'accept http://a.example/' batch http://a.example/
printf 'hosts: {deny: [b.example]}\nparameters: {next: {policy: public}}\n' >"$tmp/p.yaml"
"$tmp/policy" "$tmp/p.yaml" http://a.example/ 2>&1 | grep -q libyaml || {
	says 0 accepted policy "$tmp/p.yaml" http://a.example/
	says 1 'p.yaml:1 decided' policy "$tmp/p.yaml" http://b.example/
	says 1 'refused: param-refused' policy "$tmp/p.yaml" 'http://a.example/?next=http%3A%2F%2F127.0.0.1%2F'
	says 2 'p.yaml' policy "$tmp/no-such-p.yaml" http://a.example/
}
[ $status = 0 ] && echo 'examples: 4 programs take and refuse'
exit $status
