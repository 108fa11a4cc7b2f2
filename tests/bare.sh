#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Checks that the command builds with only a compiler and make, that it reports which optional libraries are
# missing, and that it is rebuilt when a library is installed.
cd "$(dirname "$0")/.." || exit 2
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
make=${MAKE:-make}
urivet=build/bare/urivet
status=0
complain() {
	echo "$*"
	status=1
}
build() { # what stands for pkg-config
	"$make" -s VARIANT=bare PKG_CONFIG="$1" build/bare/urivet || exit 1
}
lacks() { # Debian package, arguments
	package=$1
	shift
	"$urivet" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	[ $? = 2 ] && [ ! -s "$tmp/out" ] && grep -q "Debian package $package" "$tmp/err" ||
		complain "urivet $*: does not ask for $package"
}

build false
"$urivet" check -q http://example.com/ && "$urivet" check -q --policy=public http://example.com/ ||
	complain 'it does not judge'
"$urivet" policy show public >"$tmp/public" || complain 'it does not show what is built in'
lacks libyaml-dev policy check src/examples/policies/outbound-proxy.yaml
lacks libyaml-dev policy show src/examples/policies/outbound-proxy.yaml
lacks libyaml-dev check --policy-file=src/examples/policies/outbound-proxy.yaml http://example.com/
lacks libgumbo-dev scan --html
lacks libgumbo-dev scan --markup=slack
lacks libmd4c-dev scan --markup=markdown
printf '\037\213' >"$tmp/gzip"
printf '\050\265\057\375' >"$tmp/zstd"
lacks zlib1g-dev check --input="$tmp/gzip"
lacks libzstd-dev filter --input="$tmp/zstd"
lacks libgmime-3.0-dev scan --mail
lacks libevent-dev serve --from=path --listen=127.0.0.1:1
lacks libgumbo-dev scan --html --refuse=link-text-mismatch
"$make" -s -n VARIANT=bare PKG_CONFIG=false replay | grep -qE 'fuzz_(policy|mail)' && complain 'a harness needs libyaml or GMime'

# Targets that cannot build what they are named for exit 2 and name what to install.
needs() { # what the sentence says, target and variables of make
	said=$1
	shift
	"$make" -s "$@" >"$tmp/out" 2>"$tmp/err"
	[ $? = 2 ] && grep -q "$said" "$tmp/err" || complain "make $*: does not say $said"
}
needs 'apt-get install clang-19' js JS_CC=no-such-compiler
needs 'apt-get install clang-19' site JS_CC=no-such-compiler
needs 'apt-get install nginx nginx-dev' gateways NGINX_SOURCE=/nonexistent
needs 'apt-get install postgresql-15' postgres PG_CONFIG=/nonexistent
needs 'apt-get install python3-dev' python PYTHON=/nonexistent
needs 'apt-get install nginx-dev python3-dev' install-all DESTDIR="$tmp/all" NGINX_MODULES=/modules NGINX_SOURCE=/nonexistent HAVE_PGXS=yes PYTHON=/nonexistent
[ ! -e "$tmp/all" ] || complain 'make install-all installs before it has looked at all parts'
mkdir "$tmp/bin" && ln -s "$(command -v sh)" "$tmp/bin/sh"
PATH=$tmp/bin "$(command -v "$make")" -s deb 2>"$tmp/err"
[ $? = 2 ] && grep -q 'apt-get build-dep ./src/packaging' "$tmp/err" || complain 'make deb: does not say how to install what it needs'
# If a part cannot be installed, those before it are removed again.
cat >"$tmp/install" <<'END'
#!/bin/sh
case $* in *mutator.so*) echo 'No space left on device' >&2 && exit 1 ;; esac
exec install "$@"
END
chmod +x "$tmp/install"
needs 'removed again' VARIANT=bare PKG_CONFIG=false PARTS='serve fuzz' INSTALL="$tmp/install" DESTDIR="$tmp/all" install-all
[ -d "$tmp/all" ] && [ -z "$(find "$tmp/all" ! -type d)" ] || complain 'make install-all leaves half of it'
# `make install` says what programs need beside it.
"$make" -s VARIANT=bare PKG_CONFIG=no-such-program PREFIX="$tmp/prefix" install >"$tmp/out" 2>&1 && grep -q "LD_LIBRARY_PATH=$tmp/prefix" "$tmp/out" &&
	grep -q 'apt-get install pkg-config' "$tmp/out" || complain 'make install does not say what programs need'

# Without the tests folder, as in a vendored copy, the Makefile still builds and still lists its targets.
mkdir -p "$tmp/alone" && cp -r Makefile include src "$tmp/alone"
env -u MAKEFLAGS "$make" -s -n -C "$tmp/alone" all install >/dev/null || complain 'the Makefile needs the suites'
env -u MAKEFLAGS "$make" -s -C "$tmp/alone" help | grep -q '^  uninstall  *[a-z]' || complain 'make help does not list'
# `make help` fits on a screen and lists the main targets; the rule of every target has a description.
[ "$("$make" -s help | grep -c '^  ')" -le 40 ] || complain 'make help lists more than 40 targets'
for target in $(sed -n '/\$/d; s/^\.PHONY: //p' Makefile tests/*.mk fuzz/*.mk fuzz/lab/*/*.mk tests/*/*/*.mk src/*/*.mk src/bindings/*/*.mk); do
	case $target in FORCE | uninstall-fuzz | unit-tests) continue ;; esac
	cat Makefile tests/*.mk fuzz/*.mk fuzz/lab/*/*.mk tests/*/*/*.mk src/*/*.mk src/bindings/*/*.mk | grep -qE "^$target:.* ##? [a-z0-9.]" || complain "$target does not say what it does"
done

# Rules that are certainly too wide are refused, whether the list of public suffixes is there or not.
printf '#!/bin/sh\ncase $* in *fribidi*) exit 1 ;; esac\nexec pkg-config "$@"\n' >"$tmp/bin/without" && chmod +x "$tmp/bin/without"
build "$tmp/bin/without"
if ! echo | "$urivet" scan --html 2>&1 | grep -q libgumbo; then
	echo '<a href=http://a.test/>&#8238;moc.a' | "$urivet" scan --html --refuse=link-text-mismatch >"$tmp/out" 2>"$tmp/err"
	[ $? = 2 ] && grep -q link-text-mismatch "$tmp/out" && grep -q 'Debian package libfribidi-dev' "$tmp/err" || complain 'it does not ask for libfribidi-dev'
fi
build pkg-config
"$urivet" policy check "$tmp/public" >/dev/null || complain 'it is not built anew for libyaml'
echo 'hosts: {allow: [.com]}' >"$tmp/wide"
"$urivet" policy check "$tmp/wide" 2>&1 | grep -q 'wide:1:17: .*a public suffix' || complain '.com is allowed'
# If the command reads HTML, texts of links are compared by host names.
if ! echo | "$urivet" scan --html 2>&1 | grep -q libgumbo; then
	for link in 'accept www.example.com' 'reject www.example.net'; do
		echo "<a href=https://example.com/>${link#* }</a>" | "$urivet" scan --html --policy=public 2>&1 |
			grep -q "^${link% *}" || complain "a link to example.com with the text ${link#* }: no ${link% *}"
	done
fi

[ $status = 0 ] && echo 'bare: builds without libraries, and says which are missing'
exit $status
