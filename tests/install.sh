#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Checks that installed files work for users, are stripped, lie where Debian looks for them, and that
# uninstalling leaves nothing.
cd "$(dirname "$0")/.." || exit 2
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
make=${MAKE:-make}
python=${PYTHON:-/usr/bin/python3}
status=0
complain() {
	echo "$*"
	status=1
}
there() { # file...
	for file; do [ -s "$file" ] || complain "not installed: ${file#"$tmp"}"; done
}

# ---- below /usr: libraries lie in the folder that the compiler names for its machine
triplet=$(cc -print-multiarch 2>/dev/null)
umask 022
"$make" -s install install-fuzz DESTDIR="$tmp/root" PREFIX=/usr || exit 1
root=$tmp/root/usr
lib=$root/lib${triplet:+/$triplet}
share=$root/share
there "$lib/liburivet.so" "$lib/liburivet.a" "$lib/liburivet-policy.so" "$lib/liburivet-policy.a" "$root/include/urivet/policy.h" "$root/include/urivet.h" "$root/include/urivet/findings.def" \
	"$share/man/man1/urivet.1" "$share/man/man1/urivet-check.1" "$share/man/man3/urivet.3" "$share/man/man3/urivet-policy.3" \
	"$share/man/man7/urivet-findings.7" "$share/man/man8/urivet-serve.8" \
	"$share/urivet/policy.schema.json" "$share/doc/urivet/policies/policy.schema.json" "$lib/pkgconfig/liburivet-policy.pc" "$share/man/man5/urivet-policy.5" \
	"$share/doc/urivet/policies/outbound-proxy.yaml" "$share/doc/urivet/examples/fetch.c" \
	"$share/doc/urivet/examples/coprocess.py" "$share/doc/urivet/examples/coprocess.mjs"

cat >"$tmp/use.c" <<'END_OF_C'
#include <urivet.h>
int main(void) { return urivet_ok("http://h/", 9) ? 0 : 1; }
END_OF_C
PKG_CONFIG_PATH=$lib/pkgconfig
PKG_CONFIG_SYSROOT_DIR=$tmp/root
PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1
PKG_CONFIG_ALLOW_SYSTEM_LIBS=1
export PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR PKG_CONFIG_ALLOW_SYSTEM_CFLAGS PKG_CONFIG_ALLOW_SYSTEM_LIBS
flags=$(pkg-config --cflags --libs urivet) || exit 1
version=$(pkg-config --modversion urivet)
# shellcheck disable=SC2086
cc "$tmp/use.c" $flags -o "$tmp/use" && LD_LIBRARY_PATH=$lib "$tmp/use" || exit 1
[ "$("$root/bin/urivet" --version)" = "urivet $version" ] || complain 'the command and the .pc file differ in version'
cat >"$tmp/load.c" <<'END_OF_C'
#include <urivet/policy.h>
int main(int argc, char **argv)
{
	struct urivet_loaded *policy = urivet_load(argv[argc - 1], 0, 0);
	struct urivet_report report;
	int status = policy == 0 || urivet_check(&report, "https://example.com/", 20, urivet_loaded_policy(policy)) != URIVET_ACCEPT;
	urivet_loaded_release(policy);
	return status;
}
END_OF_C
flags=$(pkg-config --cflags --libs liburivet-policy) || exit 1
# shellcheck disable=SC2086
cc "$tmp/load.c" $flags -o "$tmp/load" &&
	LD_LIBRARY_PATH=$lib "$tmp/load" "$share/doc/urivet/policies/outbound-proxy.yaml" || complain 'a program does not load a policy'
for policy in "$share"/doc/urivet/policies/*.yaml; do
	"$root/bin/urivet" policy check "$policy" || exit 1
done

# The SONAME has the major version only: minor versions keep the ABI.
series=${version%%.*}
export LC_ALL=C
readelf -d "$tmp/use" | grep -q "NEEDED.*\[liburivet\.so\.$series\]" || complain "a program does not ask for liburivet.so.$series"
for library in liburivet liburivet-policy; do
	[ "$(readlink -f "$lib/$library.so.$series")" = "$lib/$library.so.$version" ] || complain "the SONAME of $library leads elsewhere"
	readelf -d "$lib/$library.so" | grep -q "SONAME.*\[$library\.so\.$series\]" || complain "$library has another SONAME"
done

# ---- copies of the source, which packages are built from: without .git, without git, and in a clone of another user
sh src/packaging/copy.sh "$tmp/copy" >/dev/null && (cd "$tmp/copy" && sh src/packaging/copy.sh "$tmp/again" >/dev/null) &&
	diff -r "$tmp/copy" "$tmp/again" || complain 'a copy without .git differs'
mkdir "$tmp/copy/.git"
(cd "$tmp/copy" && sh src/packaging/copy.sh "$tmp/broken" >/dev/null 2>&1) && command -v git >/dev/null && complain 'a failure of git is lost'
mkdir "$tmp/bin"
for program in sh mktemp mkdir find xargs cp sed head date chmod touch rm; do
	ln -s "$(command -v $program)" "$tmp/bin/"
done
(cd "$tmp/copy" && PATH=$tmp/bin sh src/packaging/copy.sh "$tmp/gitless" >/dev/null) && diff -r "$tmp/again" "$tmp/gitless" || complain 'a copy without git differs'
if command -v git >/dev/null && [ "$(id -u)" = 0 ]; then
	(cd "$tmp/copy" && rmdir .git && git init -q && git add -A && chown -R 65534 . && sh src/packaging/copy.sh "$tmp/theirs" >/dev/null) &&
		diff -r "$tmp/again" "$tmp/theirs" || complain 'a clone of another user is not copied'
fi

# ---- stripped by the tool that is named, or not stripped if the tool is empty
debug() { readelf -S "$1" | grep -qE '\.(symtab|debug_info)'; }
for file in "$root/bin/urivet" "$lib/liburivet.so" "$lib/liburivet-policy.so" "$lib/urivet/libmutator.so"; do
	debug "$file" && complain "not stripped: ${file#"$tmp"}"
done
"$make" -s install DESTDIR="$tmp/kept" PREFIX=/opt/urivet STRIP= || exit 1
debug "$tmp/kept/opt/urivet/bin/urivet" && debug "$tmp/kept/opt/urivet/lib/liburivet.so" || complain 'STRIP= strips'
printf '#!/bin/sh\necho "$@" >>"%s"\n' "$tmp/stripped" >"$tmp/strip" && chmod +x "$tmp/strip"
"$make" -s install DESTDIR="$tmp/cross" PREFIX=/usr LIBDIR=/usr/lib64 STRIP="$tmp/strip" || exit 1
[ "$(wc -l <"$tmp/stripped")" = 5 ] || complain 'STRIP is not what strips'
there "$tmp/cross/usr/lib64/liburivet.so" "$tmp/cross/usr/lib64/pkgconfig/urivet.pc"
grep -qx 'libdir=/usr/lib64' "$tmp/cross/usr/lib64/pkgconfig/urivet.pc" || complain 'the .pc file does not follow LIBDIR'

# ---- the catalogue and the shell completions
"$python" -B - "$root/bin/urivet" "$share/urivet/findings.json" <<'END_OF_PYTHON' || complain 'findings.json is not the catalogue'
import json, subprocess, sys
with open(sys.argv[2], encoding="utf-8") as file:
    catalogue = json.load(file)
told = subprocess.run([sys.argv[1], "findings", "--format=tsv"], stdout=subprocess.PIPE, check=True).stdout.decode()
want = [row.split("\t") for row in told.splitlines()]
have = [[f["id"], str(f["number"]), f["class"], f["component"]] for f in catalogue]
sys.exit(have != [row[:4] for row in want] or not all(f["reference"] and f["text"] for f in catalogue))
END_OF_PYTHON
without=
shell() { # name, file
	there "$2"
	"$root/bin/urivet" completion "$1" | cmp -s - "$2" || complain "$1: what is installed is not what the command writes"
	command -v "$1" >/dev/null || { without="$without $1"; return; }
	"$1" -n "$2" || complain "$1 does not read its completion"
}
shell bash "$share/bash-completion/completions/urivet"
shell fish "$share/fish/vendor_completions.d/urivet.fish"
# Debian's zsh looks for completions of packages in a separate folder
if [ -n "$triplet" ]; then
	shell zsh "$share/zsh/vendor-completions/_urivet"
else
	shell zsh "$share/zsh/site-functions/_urivet"
fi
if command -v fish >/dev/null; then
	HOME=$tmp PATH=$root/bin:$PATH XDG_DATA_DIRS=$share fish -c 'complete -C "urivet ch"' | grep -q '^check' ||
		complain 'fish does not find its completion'
fi

# ---- for fuzzing: a harness is built from the installed files, and reads the seeds
fuzz=$share/urivet/fuzz
there "$fuzz/mutator.c" "$fuzz/oracles.h" "$fuzz/uri.dict"
# shellcheck disable=SC2086
cc "$fuzz/fuzz_parse.c" "$fuzz/replay.c" $flags -o "$tmp/harness" &&
	LD_LIBRARY_PATH=$lib "$tmp/harness" "$fuzz/corpus/uri" >/dev/null || complain 'the harness that is installed does not run'
# shellcheck disable=SC2086
cc -std=gnu11 -DURIVET_YOURS "$fuzz/mine.c" "$fuzz/fuzz_yours.c" "$fuzz/replay.c" $flags -o "$tmp/yours" && mkdir "$tmp/found" &&
	YOURS_FOUND=$tmp/found LD_LIBRARY_PATH=$lib "$tmp/yours" "$fuzz/corpus/uri" >/dev/null && [ -z "$(ls "$tmp/found")" ] ||
	complain 'the harness for a reader of yours that is installed does not run, or finds something in the template'
nm -D "$lib/urivet/libmutator.so" | grep -q ' T afl_custom_fuzz$' || complain 'AFL++ cannot load the mutator'
[ "$(find "$fuzz/corpus" -type f | wc -l)" = "$(find corpus -type f ! -name '*.md' ! -name '*.tsv' | wc -l)" ] ||
	complain 'seeds are missing'

# ---- all users may read all files; uninstalling removes all of them and no other file
odd=$(find "$tmp/root" -mindepth 1 ! -perm -o=r)
[ -z "$odd" ] || complain "not for others: $odd"
: >"$share/doc/another"
for at in root:/usr kept:/opt/urivet; do
	"$make" -s uninstall DESTDIR="$tmp/${at%%:*}" PREFIX="${at#*:}" || exit 1
done
"$make" -s uninstall DESTDIR="$tmp/cross" PREFIX=/usr LIBDIR=/usr/lib64 || exit 1
[ -e "$share/doc/another" ] || complain 'a file of others is gone'
rm -f "$share/doc/another"
left=$(find "$tmp/root" "$tmp/kept/opt/urivet" "$tmp/cross" ! -type d)
[ -z "$left" ] || complain "left behind: $left"
left=$(find "$tmp/root" "$tmp/cross" -type d -name 'urivet*')
[ -z "$left" ] || complain "left behind: $left"
# restores build/urivet.pc to what `make` writes
"$make" -s build/urivet.pc
[ $status = 0 ] && echo "install: used through pkg-config, stripped, completed${without:+ (no$without)}, fuzzed with, uninstalled"
exit $status
