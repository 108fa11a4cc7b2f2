#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Checks that results are the same on other machines: 32 bits (x86 -m32), big-endian (s390x, under qemu-user),
# other vectors (aarch64, under qemu-user), uninitialised memory detected (MemorySanitizer), and a build that
# traps when arithmetic overflows, wraps or truncates (trap). On each, all unit tests pass (on aarch64 only
# those that use vectors), every oracle holds over the corpus, the verdicts equal corpus/verdicts.tsv, and the
# output over generated URLs equals that of this machine octet for octet. Each negative control plants a bug
# that only the other machine can see. `portable.sh s390x trap` runs only those two.
set -u
cd "$(dirname "$0")/../.." || exit 2
python=${PYTHON:-/usr/bin/python3}
make=${MAKE:-make}
export STANDALONE_SLOW=20
known='m32 s390x aarch64 msan trap'
machines=${*:-$known}
for variant in $machines; do
	case " $known " in
	*" $variant "*) ;;
	*) echo "portable: no machine '$variant': there are $known" >&2; exit 2 ;;
	esac
done
log=build/portable
rm -rf "$log"/control-* && mkdir -p "$log"

missing=
need() { # command, Debian package
	eval "$1" >/dev/null 2>&1 || missing="$missing $2"
}
for variant in $machines; do
	case $variant in
	m32) # a kernel may run no programs of 32 bits
		need 'echo "int main(void) { return 0; }" | gcc -m32 -x c -o build/portable/probe - && { build/portable/probe || qemu-i386 build/portable/probe; }' \
			'lib32gcc-12-dev libc6-dev-i386'
		;;
	s390x | aarch64)
		need "command -v $variant-linux-gnu-gcc" "gcc-$variant-linux-gnu"
		need "ls /usr/$variant-linux-gnu/include/stdio.h" "libc6-dev-$(echo "$variant" | sed s/aarch64/arm64/)-cross"
		need "command -v qemu-$variant" qemu-user
		;;
	msan | trap)
		need 'command -v clang-19' clang-19
		need 'ls /usr/lib/llvm-19/lib/clang/19/lib/linux/libclang_rt.msan*' libclang-rt-19-dev
		;;
	esac
done
if [ -n "$missing" ]; then
	echo "portable needs these Debian packages:$missing" >&2
	echo 'gcc-multilib is not needed, and cannot be installed beside gcc-s390x-linux-gnu' >&2
	exit 2
fi

runner() { # variant: how its programs run
	case $1 in
	s390x | aarch64) echo "qemu-$1 -L /usr/$1-linux-gnu" ;;
	m32) build/portable/probe 2>/dev/null || echo qemu-i386 ;;
	esac
}

# Prints the suites to run on a machine; an empty list means all. Another little-endian 64-bit machine can
# only differ in its vectors, so it runs the suites that use them.
suites() { # variant
	[ "$1" != aarch64 ] || echo batch corners exact forward parse report vector
}

# Prints the command's output over generated URLs, by policy, reader and normal form.
outputs() { # command...
	for policy in strict public any; do
		"$@" check --policy=$policy --format=json -0 <"$log/generated"
	done
	for reader in $($python -B tests/core.py readers); do
		"$@" parse --reader=$reader --format=tsv -0 <"$log/generated"
	done
	"$@" normalise --format=tsv -0 <"$log/generated"
	"$@" suggest --format=tsv -0 <"$log/generated"
	tr '\000' '\n' <"$log/generated" | "$@" scan --format=tsv
	true
}

try() { # variant
	run=$(runner "$1")
	"$make" -s VARIANT="$1" PKG_CONFIG=false "build/$1/urivet" "build/$1/standalone" harnesses || return 1
	# programs that read the corpus run the command by this one name
	printf '#!/bin/sh\nexec %s %s "$@"\n' "$run" "$PWD/build/$1/urivet" >"$log/$1"
	chmod +x "$log/$1"
	# shellcheck disable=SC2046,SC2086
	$run "build/$1/standalone" $(suites "$1") && "$make" -s VARIANT="$1" PKG_CONFIG=false replay &&
		$python -B fuzz/corpus.py --check "$log/$1" || return 1
	outputs "$log/$1" >"$log/$1.outputs"
	cmp "$log/host.outputs" "$log/$1.outputs"
}

# Plants a bug that only that machine can see: the suite must fail there, and pass here.
control() { # variant, file, expression of sed, suite
	scratch=$log/control-$1
	rm -rf "$scratch" && mkdir -p "$scratch/build" && cp -pr Makefile include src tests "$scratch" &&
		cp -pr "build/$1" build/host "$scratch/build" || return 1
	sed -i "$3" "$scratch/$2"
	cmp -s "$2" "$scratch/$2" && echo "control: nothing to change in $2" && return 1
	for variant in "$1" host; do
		"$make" -s -C "$scratch" VARIANT=$variant PKG_CONFIG=false CFLAGS=-w "build/$variant/standalone" || return 1
	done
	run=$(runner "$1")
	# shellcheck disable=SC2086
	if $run "$scratch/build/$1/standalone" "$4" >"$scratch/there"; then
		echo "control: $1 does not see a bug in $2"
		return 1
	fi
	if ! "$scratch/build/host/standalone" "$4" >"$scratch/here"; then
		echo "control: the bug in $2 is seen on this machine too"
		return 1
	fi
}
# s390x: an address written in the machine's byte order; m32: a 64-bit word stored in a long; aarch64: a ":"
# taken for a digit, by its vectors alone
planted() { # variant
	case $1 in
	s390x) control s390x src/core/uri/ip.c 's|address\[filled\] = (uint8_t)(value >> 8);|value = value << 8 \& 0xFF00 \| value >> 8; for (unsigned z = 0; z < 2; z++) address[filled + z] = ((uint8_t *)\&(uint16_t){(uint16_t)value})[z];|;s|address\[filled + 1\] = (uint8_t)(value & 255);||' ip ;;
	m32) control m32 src/core/report/report.h 's|UINT64_C(0x8000000000000000) >> (63 - id % 64)|(unsigned long)1 << id % 64|' policy ;;
	aarch64) control aarch64 src/core/plain/vector_neon.c 's|vdupq_n_u8(10)|vdupq_n_u8(11)|' vector ;;
	esac
}

"$make" -s -j2 PKG_CONFIG=false VARIANT=host build/host/urivet build/host/standalone || exit 1
$python -B tests/core/model/generate.py 20000 7 any >"$log/generated"
outputs build/host/urivet >"$log/host.outputs"

status=0
part() { # name, command...
	name=$1
	shift
	"$@" >"$log/$name.log" 2>&1 && return
	echo "portable: $name fails"
	tail -n 30 "$log/$name.log"
	return 1
}
machine() { part "$1" try "$1" && part "control-$1" planted "$1"; } # variant
# runs the slow machines in parallel with the others
waited=
for variant in $machines; do
	case $variant in
	s390x | aarch64)
		machine "$variant" &
		waited="$waited $!"
		;;
	esac
done
for variant in $machines; do
	case $variant in
	s390x | aarch64) ;;
	*) machine "$variant" || status=1 ;;
	esac
done
for one in $waited; do
	wait "$one" || status=1
done

controls=0
for variant in $machines; do
	echo "$variant: $(grep '^standalone:' "$log/$variant.log"); $(grep '^corpus:' "$log/$variant.log")"
	[ ! -e "$log/control-$variant/there" ] || controls=$((controls + 1))
done
[ $status = 0 ] &&
	echo "portable: $machines: $(cksum <"$log/host.outputs" | cut -d' ' -f2) octets of output alike, $controls controls seen"
exit $status
