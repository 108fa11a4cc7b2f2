#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Checks that each public header compiles alone, as C11 and as C++17, without a warning, and that the example
# in urivet.h works.
cd "$(dirname "$0")/.." || exit 2
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
cat >"$tmp/use.c" <<'END'
#include <urivet.h>
int main(void)
{
	struct urivet_report report;
	return urivet_check(&report, "http://h/", 9, 0) == URIVET_ACCEPT ? 0 : 1;
}
END
for header in include/urivet/*.h; do
	echo "#include <${header#include/}>" >"$tmp/$(basename "$header" .h)-alone.c"
done
sed -n '/^ \*   #include <stdio/,/^ \*   }$/ s/^ \*   //p' include/urivet.h >"$tmp/example.c"
cat >"$tmp/load.c" <<'END'
#include <urivet/policy.h>
int main(void)
{
	struct urivet_loaded *loaded = urivet_load_built_in(URIVET_ANY);
	struct urivet_report report;
	enum urivet_verdict verdict = urivet_check(&report, "ftp://h/", 8, urivet_loaded_policy(loaded));
	urivet_loaded_release(loaded);
	return verdict == URIVET_ACCEPT ? 0 : 1;
}
END
warn='-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror'
# shellcheck disable=SC2086
cc -std=c11 $warn -Iinclude "$tmp/use.c" build/liburivet.a -o "$tmp/c" && "$tmp/c" &&
	c++ -std=c++17 $warn -Iinclude -x c++ "$tmp/use.c" -x none build/liburivet.a -o "$tmp/cxx" && "$tmp/cxx" &&
	cc -std=c11 $warn -Iinclude "$tmp/load.c" -Lbuild -lurivet-policy -lurivet -o "$tmp/c" && LD_LIBRARY_PATH=build "$tmp/c" &&
	c++ -std=c++17 $warn -Iinclude -x c++ "$tmp/load.c" -x none -Lbuild -lurivet-policy -lurivet -o "$tmp/cxx" && LD_LIBRARY_PATH=build "$tmp/cxx" &&
	cc -std=c11 $warn -Iinclude -fsyntax-only "$tmp"/*-alone.c && c++ -std=c++17 $warn -Iinclude -fsyntax-only -x c++ "$tmp"/*-alone.c &&
	cc -std=c11 $warn -Iinclude "$tmp/example.c" build/liburivet.a -o "$tmp/example" &&
	[ "$("$tmp/example" https://u@example.com/)" = 'rejected: userinfo-present' ] &&
	[ "$("$tmp/example" 'https://example.com/a?b')" = 'connect to example.com, port 443; request /a?b' ] &&
	[ "$("$tmp/example" http://10.0.0.1/)" = 'rejected: addr-not-global,addr-private' ] &&
	echo 'header: C11 and C++17, each alone'
