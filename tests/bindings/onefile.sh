#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Checks that the library as one file gives the same answers as the library, octet for octet, over the whole
# corpus and all cases of bindings. `onefile.sh` builds it with the compilers of this machine (gcc, clang and
# tcc), links the command with it, and runs the library's own tests with gcc's build; `onefile.sh machines`
# builds it for other machines: 32 bits, big-endian, ARM, WebAssembly. Missing compilers are named. The
# negative control changes one table of the file, and the change must be seen.
set -u
cd "$(dirname "$0")/../.." || exit 2
make=${MAKE:-make}
python=${PYTHON:-/usr/bin/python3}
out=build/onefile
"$make" -s onefile all build/cases >/dev/null || exit 1
warn='-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wstrict-prototypes -Wundef -Wvla -Wcast-qual -Wwrite-strings -Werror'
built='' missing=''

# Each file of the corpus is a record, and so is each of its lines.
$python -B - >"$out/records" <<'END'
import pathlib, sys
for path in sorted(p for p in pathlib.Path("corpus").rglob("*") if p.is_file() and p.suffix not in (".md", ".tsv")):
    octets = path.read_bytes()
    for record in {octets: 0, **dict.fromkeys(octets.split(b"\n"))}:
        sys.stdout.buffer.write(record.replace(b"\0", b"%00") + b"\0")
END

there() { # command, Debian package
	command -v "$1" >/dev/null && return
	missing="$missing $2"
	return 1
}

# Prints the command's output for all records.
outputs() { # command
	for policy in strict public any gateway; do
		"$1" check --policy=$policy --format=json -0 <"$out/records"
	done
	for reader in $($python -B tests/core.py readers); do
		"$1" parse --reader="$reader" --format=tsv -0 <"$out/records"
	done
	"$1" normalise --format=tsv -0 <"$out/records"
	"$1" suggest --iri --format=tsv -0 <"$out/records"
	tr '\000' '\n' <"$out/records" | "$1" scan --format=tsv
	true
}

same() { # expected, got, what
	cmp "$1" "$2" || { echo "onefile: $3 answers otherwise"; exit 1; }
}

compile() { # name, compiler and flags...
	name=$1
	shift
	"$@" -c "$out/urivet.c" -o "$out/$name.o" || { echo "onefile: $name does not compile it"; exit 1; }
}

# Links the program of the cases, compiled by the same compiler, and runs it on all records.
ask() { # name, how programs run, compiler and flags...
	name=$1 run=$2
	shift 2
	"$@" -Iinclude tests/bindings/conformance/cases.c "$out/$name.o" -o "$out/cases-$name" || exit 1
	$run "$out/cases-$name" records <"$out/records" >"$out/$name.answers" || exit 1
	same "$out/answers" "$out/$name.answers" "$name"
	built="$built $name"
}

command_with() { # name
	# shellcheck disable=SC2016
	printf 'include Makefile\ncommand-with:\n\t@$(LINK) -Wl,--no-warn-execstack -pie -pthread -o %s $(CLI_O) $(OUT)/liburivet-policy.a %s $(CLI_LIBS) $(LOADER_LIBS)\n' \
		"$out/urivet-$1" "$out/$1.o" | "$make" -s -f - command-with || exit 1
	outputs "$out/urivet-$1" >"$out/$1.outputs"
	same "$out/outputs" "$out/$1.outputs" "the command with $1"
}

# Judges by each rule that policy files have.
rules_with() { # name
	# shellcheck disable=SC2016
	printf 'include Makefile\nrules-with: $B/tests/policyfile/one_judge.o\n\t@$(LINK) -Wl,--no-warn-execstack -pie -pthread -o %s $< $(OUT)/liburivet-policy.a %s $(LOADER_LIBS)\n' \
		"$out/judge-$1" "$out/$1.o" | "$make" -s -f - rules-with || exit 1
	$python -B tests/policyfile/one_judge.py "$out/judge-$1" "$out/urivet-$1" || exit 1
}

# Runs the tests of the library, linked with the one file; the arguments after the name are for its compiler.
tests_with() { # name, compiler and flags...
	name=$1
	shift
	# shellcheck disable=SC2086
	compile "$name" "$@" -std=c11 -O2 -fPIC $warn
	"$1" -o "$out/standalone" build/release/alone/*.o "$out/$name.o" || exit 1
	URIVET_SAMPLE=10 STANDALONE_SLOW=20 "$out/standalone" >"$out/log" && return
	cat "$out/log"
	echo "onefile: tests of the library fail with $name"
	exit 1
}

build/cases records <"$out/records" >"$out/answers" || exit 1
here() {
	outputs build/urivet >"$out/outputs"
	# shellcheck disable=SC2086
	compile gcc gcc -std=c11 -O1 -fPIC $warn && ask gcc '' gcc -std=c11
	command_with gcc
	rules_with gcc
	tests_with gcc-tests gcc
	if there clang-19 clang-19; then
		# shellcheck disable=SC2086
		compile clang clang-19 -std=c11 -O1 -fPIC $warn && ask clang '' clang-19 -std=c11
		command_with clang
	fi
	if there tcc tcc; then
		compile tcc tcc && ask tcc '' gcc -std=c11 # which has no vectors
		command_with tcc
	fi
	# negative control: octets of one table
	sed "s/SPECIAL4(10, 0, 0, 0, 8, /SPECIAL4(11, 0, 0, 0, 8, /" "$out/urivet.c" >"$out/planted.c"
	cmp -s "$out/urivet.c" "$out/planted.c" && { echo 'control: nothing to change'; exit 1; }
	gcc -std=c11 -O0 -Iinclude -I"$out" "$out/planted.c" tests/bindings/conformance/cases.c -o "$out/cases-planted" || exit 1
	"$out/cases-planted" | cmp -s - tests/bindings/conformance/cases.jsonl && { echo 'control: a changed table is not seen'; exit 1; }
}

# Runs the program of the page with a policy that the command compiled.
page() {
	printf 'base: public\nhosts: {deny: [evil.example.com]}\n' >"$out/page.yaml"
	build/urivet policy compile "$out/page.yaml" -o "$out/page.policy" 2>/dev/null || return 0
	{
		sed -n '/^```c$/,/^```$/{/^```/!p}' src/bindings/onefile/README.md
		cat <<-END
			#include <stdio.h>
			int main(int argc, char **argv)
			{
				static char policy[1 << 16];
				FILE *file = fopen(argv[1], "rb");
				size_t length = file != NULL ? fread(policy, 1, sizeof policy, file) : 0;
				return argc == 3 && is_accepted(policy, length, argv[2]) ? 0 : 1;
			}
		END
	} >"$out/page.c"
	gcc -std=c11 -Wall -Werror -Ibuild/onefile "$out/page.c" build/onefile/urivet.c -o "$out/page" || exit 1
	"$out/page" "$out/page.policy" http://www.example.com/ && ! "$out/page" "$out/page.policy" http://evil.example.com/ &&
		! "$out/page" "$out/page.yaml" http://www.example.com/ || { echo 'the program of the page judges otherwise'; exit 1; }
}

machines() {
	if echo 'int main(void) { return 0; }' | gcc -m32 -x c -o "$out/probe" - 2>/dev/null; then
		run=$("$out/probe" && echo || echo qemu-i386)
		m32='gcc -std=c11 -m32 -isystem /usr/include/x86_64-linux-gnu'
		# shellcheck disable=SC2086
		compile m32 $m32 -O1 $warn && ask m32 "$run" $m32
	else
		missing="$missing lib32gcc-12-dev libc6-dev-i386"
	fi
	for machine in s390x aarch64; do
		there $machine-linux-gnu-gcc gcc-$machine-linux-gnu && there qemu-$machine qemu-user || continue
		# shellcheck disable=SC2086
		compile $machine $machine-linux-gnu-gcc -std=c11 -O1 $warn &&
			ask $machine "qemu-$machine -L /usr/$machine-linux-gnu" $machine-linux-gnu-gcc -std=c11
	done
	if there clang-19 clang-19; then # what it answers there, the package of JavaScript is asked
		# shellcheck disable=SC2086
		compile wasm32 clang-19 --target=wasm32 -ffreestanding -std=c11 -Oz $warn
		built="$built wasm32"
	fi
}

if [ "${1:-here}" = machines ]; then machines; else here && page; fi
[ -z "$missing" ] || echo "skipped, these Debian packages are missing:$missing"
[ -n "$built" ] || exit 1
echo "onefile:$built; $(tr -cd '\000' <"$out/records" | wc -c) records, $(wc -c <"$out/answers") octets of answers alike"
