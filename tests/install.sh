#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What is installed works for others, and uninstalling leaves nothing.
cd "$(dirname "$0")/.." || exit 2
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
make=${MAKE:-make}
$make -s install DESTDIR="$tmp/root" PREFIX=/usr || exit 1
root=$tmp/root/usr
cat >"$tmp/use.c" <<'END'
#include <urivet.h>
int main(void) { return urivet_ok("http://h/", 9) ? 0 : 1; }
END
PKG_CONFIG_PATH=$root/lib/pkgconfig
PKG_CONFIG_SYSROOT_DIR=$tmp/root
PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1
PKG_CONFIG_ALLOW_SYSTEM_LIBS=1
export PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR PKG_CONFIG_ALLOW_SYSTEM_CFLAGS PKG_CONFIG_ALLOW_SYSTEM_LIBS
flags=$(pkg-config --cflags --libs urivet) || exit 1
# shellcheck disable=SC2086
cc "$tmp/use.c" $flags -o "$tmp/use" && LD_LIBRARY_PATH=$root/lib "$tmp/use" || exit 1
[ "$("$root/bin/urivet" --version | grep -c "$(pkg-config --modversion urivet)")" = 1 ] || exit 1
for file in man/man1/urivet.1 man/man3/urivet.3 man/man5/urivet-policy.5 doc/urivet/policies/outbound-proxy.conf \
	doc/urivet/examples/fetch.c; do
	[ -s "$root/share/$file" ] || { echo "not installed: $file"; exit 1; }
done
for policy in "$root"/share/doc/urivet/policies/*.conf; do
	"$root/bin/urivet" policy check "$policy" || exit 1
done
$make -s uninstall DESTDIR="$tmp/root" PREFIX=/usr || exit 1
left=$(find "$tmp/root" ! -type d)
[ -z "$left" ] || { echo "left behind: $left"; exit 1; }
[ ! -d "$root/share/doc/urivet" ] || { echo "left behind: share/doc/urivet"; exit 1; }
echo 'install: used through pkg-config, uninstalled'
