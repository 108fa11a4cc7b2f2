#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds the source release again from itself, without git, with musl and with clang, and builds programs with what is installed:
# by CMake, Meson and static linking.
cd "$(dirname "$0")/../.." || exit 2
make=${MAKE:-make}
python=${PYTHON:-/usr/bin/python3}
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
status=0
done=
without=
complain() {
	echo "use: $*"
	status=1
}
has() { # program, part
	command -v "$1" >/dev/null || { without="$without $2"; return 1; }
}
quietly() {
	"$@" >"$tmp/log" 2>&1 || { tail -n 15 "$tmp/log"; return 1; }
}

# ---- the release, made again by the release
dist=build/dist
quietly "$make" -s dist || exit 1
release=$(basename "$dist"/urivet-*.tar.gz .tar.gz)
tar -xzf "$dist/$release.tar.gz" -C "$tmp" && tree=$tmp/$release || exit 1
(umask 077 && export TZ=Asia/Tokyo && cd "$tree" && quietly "$make" -s dist) || exit 1
diff "$dist/SHA256SUMS" "$tree/$dist/SHA256SUMS" || complain 'make dist from the release gives other octets'
"$python" -B -c '
import hashlib, json, pathlib, sys
bill, tree = json.load(open(sys.argv[1])), pathlib.Path(sys.argv[2])
told = {one["fileName"]: one["checksums"][1]["checksumValue"] for one in bill["files"]}
have = {f"./{p.relative_to(tree)}": hashlib.sha256(p.read_bytes()).hexdigest() for p in tree.rglob("*")
        if p.is_file() and p.parts[len(tree.parts)] != "build" and p.name != "urivet.spdx.json"}
sys.exit(told != have or len(have) < 3000)' "$dist/urivet.spdx.json" "$tree" || complain 'the bill of materials does not list the files of the release'

# controls of the audit: a wheel that links libraries of this system, and one with too low a version of glibc in its name
for wheel in build/python/dist/*.whl; do
	cp "$wheel" "$tmp/$(basename "$wheel" | sed 's/-linux_/-manylinux_2_34_/')"
	cp "$dist"/python/*.whl "$tmp/$(basename "$wheel" | sed 's/-linux_/-manylinux_2_17_/')"
done
"$python" -B src/packaging/audit.py "$tmp"/*2_34*.whl 2>&1 | grep -q 'needs libyaml' || complain 'control: a library is not seen'
"$python" -B src/packaging/audit.py "$tmp"/*2_17*.whl 2>&1 | grep -q 'needs GLIBC_2' || complain 'control: a version of glibc is not seen'

# ---- other compilers and another C library
compiled() { # name, variables of make...
	name=$1
	shift
	(cd "$tree" && rm -rf build && quietly "$make" -s -j2 "$@" all build/standalone) || { complain "$name does not build it"; return; }
	(cd "$tree" && quietly build/standalone) || complain "$name: unit tests fail"
	URIVET="$tree/build/urivet" quietly "$python" -B tests/unittests.py tests/cli test_tsv test_json || complain "$name: tests of the command fail"
	done="$done $name"
}
has musl-gcc musl && compiled musl CC=musl-gcc PKG_CONFIG=false
has clang clang && compiled clang CC=clang

# ---- programs
root=$tmp/root
quietly "$make" -s install DESTDIR="$root" PREFIX=/usr || exit 1
library=$(dirname "$(find "$root/usr/lib" -name liburivet.a)")
mkdir "$tmp/program" && cd "$tmp/program" || exit 2
cat >check.c <<'END'
#include <urivet.h>
int main(void) { return urivet_ok("https://a.example/", 18) && !urivet_ok("https://a.example\\/", 19) ? 0 : 1; }
END
printf 'name: a\nbase: strict\n' >a.yaml
cat >load.c <<'END'
#include <urivet/policy.h>
int main(void)
{
	struct urivet_loaded *policy = urivet_load("a.yaml", 0, 0);
	struct urivet_report report;
	int status = policy == 0 || urivet_check(&report, "https://a.example/", 18, urivet_loaded_policy(policy)) != URIVET_ACCEPT;
	urivet_loaded_release(policy);
	return status;
}
END
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.13)
project(program C)
set(WANTED 1 CACHE STRING "")
find_package(urivet ${WANTED} REQUIRED)
foreach(kind "" _static)
  add_executable(check${kind} check.c)
  target_link_libraries(check${kind} urivet::urivet${kind})
  add_executable(load${kind} load.c)
  target_link_libraries(load${kind} urivet::policy${kind})
endforeach()
END
if has cmake CMake; then
	if [ -z "$(ls /usr/lib/*/libunistring.a 2>/dev/null)" ]; then
		sed -i 's/foreach(kind "" _static)/foreach(kind "")/' CMakeLists.txt
		without="$without CMake-static"
	fi
	{ quietly cmake -S . -B by-cmake -DCMAKE_PREFIX_PATH="$root/usr" && quietly cmake --build by-cmake; } || complain 'CMake does not build programs'
	for program in by-cmake/check* by-cmake/load*; do
		LD_LIBRARY_PATH=$library $program || complain "$program fails"
	done
	cmake -S . -B other -DCMAKE_PREFIX_PATH="$root/usr" -DWANTED=2 >/dev/null 2>&1 && complain 'control: CMake takes version 1 for 2'
	done="$done CMake"
fi
export PKG_CONFIG_PATH="$library/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$root" PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 PKG_CONFIG_ALLOW_SYSTEM_LIBS=1
if [ -n "$(ls /usr/lib/*/libunistring.a 2>/dev/null)" ]; then
	# shellcheck disable=SC2046
	quietly cc -static load.c $(pkg-config --static --cflags --libs liburivet-policy) -o load && ./load || complain 'no static program'
	done="$done static"
else
	without="$without static"
fi
cat >meson.build <<'END'
project('program', 'c')
executable('check', 'check.c', dependencies: dependency('urivet', version: '>=1.0'))
END
if has meson Meson; then
	{ quietly meson setup installed && quietly ninja -C installed; } || complain 'Meson does not build with what is installed'
	LD_LIBRARY_PATH=$library installed/check || complain 'the program of Meson fails'
	mkdir -p subprojects/packagefiles
	cp "$OLDPWD/$dist/urivet.wrap" subprojects/ && cp "$OLDPWD/$dist/$release.tar.gz" subprojects/packagefiles/
	{ quietly meson setup wrapped --wrap-mode=forcefallback && quietly ninja -C wrapped; } || complain 'Meson does not build the release as a subproject'
	wrapped/check || complain 'the program of the subproject fails'
	done="$done Meson"
fi
cd "$OLDPWD" || exit 2
"$make" -s build/urivet.pc build/liburivet-policy.pc
[ $status = 0 ] && echo "use: $release makes itself again;$done work${without:+; without$without}; 3 controls"
exit $status
