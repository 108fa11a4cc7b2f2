#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Checks the hardening of the release build in the files that it made. The negative control links the same
# objects without hardening, and each check must report it.
cd "$(dirname "$0")/../.." || exit 2
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
command -v readelf >/dev/null || { echo 'hardened needs the Debian package binutils' >&2; exit 2; }
export LC_ALL=C
checks=0 failed=0 quiet=
check() { # what, command...
	what=$1
	shift
	checks=$((checks + 1))
	"$@" && return
	failed=$((failed + 1))
	[ -n "$quiet" ] || echo "$file: not $what"
}
has() { readelf -Wlhdnr "$file" 2>/dev/null | grep -qE "$1"; }
without() { ! has "$1"; }
calls() { nm -D -u "$file" | grep -qE "$1"; }

every() { # file: what holds for commands and libraries
	file=$1
	check 'read-only after relocation' has '^ *GNU_RELRO'
	check 'bound at the start' has '\(FLAGS\) .*BIND_NOW|\(FLAGS_1\) .*NOW'
	check 'without an executable stack' has '^ *GNU_STACK.* RW  '
	check 'without pages that are writable and executable' without '^ *LOAD.* RWE '
	check 'free of relocations in code' without 'TEXTREL'
	check 'free of search paths' without 'RPATH|RUNPATH'
	check 'guarded on the stack' calls '__stack_chk_fail'
}
command_too() { # file
	file=$1
	check 'placed anywhere (PIE)' has '\(FLAGS_1\) .*PIE'
	check 'checked for the sizes that it copies' calls '__(memcpy|v?snprintf|memmove|read)_chk'
}

for file in build/urivet build/liburivet.so; do
	[ -f "$file" ] || { echo "$file is missing: make all" >&2; exit 2; }
	every "$file"
done
command_too build/urivet
file=build/liburivet.so
check 'to be loaded by modules' without 'NODLOPEN'
# Debian 12's crti.o lacks the mark, so the linker drops the mark of the whole file: check our objects.
marked() { # feature: by every object?
	[ "$(readelf -Wn "$file" 2>/dev/null | grep -c "x86 feature:.*$1")" = "$(readelf -Wh "$file" | grep -c 'ELF Header')" ]
}
if [ "$(uname -m)" = x86_64 ]; then
	for file in build/liburivet.a build/release/src/cli/main.o; do
		check 'marked for indirect branch tracking' marked IBT
		check 'marked for a shadow stack' marked SHSTK
	done
fi
total=$checks missed=$failed

# The control: without hardening, every check must fail but those of search paths, relocations and pages.
cat >"$tmp/plain.c" <<'END'
#include <string.h>
#include <urivet.h>
int main(int count, char **argument)
{
	char copy[64];
	return count > 1 && urivet_ok(memcpy(copy, argument[1], strlen(argument[1])), 1);
}
END
# shellcheck disable=SC2046 # names without spaces
cc -O2 -U_FORTIFY_SOURCE -fno-stack-protector -fcf-protection=none -fno-pie -no-pie -Iinclude -Isrc/core $(make -s core) "$tmp/plain.c" \
	-Wl,-z,norelro,-z,lazy,-z,execstack -o "$tmp/plain" 2>"$tmp/log" || { cat "$tmp/log"; exit 1; }
checks=0 failed=0 quiet=1
every "$tmp/plain"
command_too "$tmp/plain"
if [ $failed != $((checks - 3)) ]; then
	echo "control: $failed of $checks checks see a command without hardening, $((checks - 3)) should"
	missed=$((missed + 1))
fi
echo "hardened: $((total - missed)) / $total checks, control $failed / $((checks - 3))"
[ $missed = 0 ]
