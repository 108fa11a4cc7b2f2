#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The same URLs by programs in three languages, which have to say the same; bindings/go has its own
# cases. A language that is not installed is skipped and named.
cd "$(dirname "$0")/../../.." || exit 2
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
lib=$PWD/build/liburivet.so
status=0 ran='' missing=''
set -- http://www.debian.org/a?b 'http://u@www.debian.org/?u=http://x/' http://127.0.0.1/ 'http://www.debian.org\@127.0.0.1/' ''
cat >"$tmp/wanted" <<'END'
accept www.debian.org True
reject userinfo-present
reject addr-not-global,addr-loopback
END
judged() { # language, command...
	language=$1
	shift
	"$@" >"$tmp/out" 2>&1 || { cat "$tmp/out"; status=1; }
	head -n 3 "$tmp/out" | cmp -s - "$tmp/wanted" && [ "$(grep -c . "$tmp/out")" = 5 ] &&
		[ "$(grep -c ^accept "$tmp/out")" = 1 ] || { echo "$language answers:"; cat "$tmp/out"; status=1; }
	ran="$ran $language"
}
judged Python "${PYTHON:-python3}" -B tests/bindings/languages/judge.py "$lib" "$@"
if ruby -rfiddle -e 0 2>/dev/null; then judged Ruby ruby tests/bindings/languages/judge.rb "$lib" "$@"; else missing="$missing Ruby"; fi
if php -r 'exit(extension_loaded("ffi") ? 0 : 1);' 2>/dev/null; then
	judged PHP php -d ffi.enable=1 tests/bindings/languages/judge.php "$lib" "$@"
else missing="$missing PHP"; fi
echo "languages:$ran agree${missing:+; not installed:$missing}"
exit $status
