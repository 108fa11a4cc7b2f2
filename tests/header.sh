#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The public header compiles alone, as C11 and as C++17, without a warning.
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
warn='-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror'
# shellcheck disable=SC2086
cc -std=c11 $warn -Iinclude "$tmp/use.c" build/liburivet.a -o "$tmp/c" && "$tmp/c" &&
	c++ -std=c++17 $warn -Iinclude -x c++ "$tmp/use.c" -x none build/liburivet.a -o "$tmp/cxx" && "$tmp/cxx" &&
	echo 'header: C11 and C++17'
