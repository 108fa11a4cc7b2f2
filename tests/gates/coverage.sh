#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Measures what the tests reach of the core: every line, every branch, and every condition on its own (MC/DC),
# except for what coverage.exceptions lists. Instrumentation counts source constructs, so -O1 gives the same
# counts as -O0.
set -eu
cd "$(dirname "$0")/../.."
make=${MAKE:-make}
python=${PYTHON:-/usr/bin/python3}
out=build/cover
profile=$PWD/$out/profile
for tool in clang-19 llvm-profdata-19 llvm-cov-19; do
	command -v $tool >/dev/null || {
		echo "coverage: $tool is missing: packages clang-19 and llvm-19"
		exit 2
	}
done
rm -rf "$out/src" "$profile"
mkdir -p "$profile"
programs="standalone conform liburivet.so fuzz_check fuzz_resolve"
# shellcheck disable=SC2086 # a list; for a decision that is left out there is only a warning
"$make" -s -j2 VARIANT=cover $(printf "$out/%s " $programs) 2>"$out/warnings"
if grep '^src/.*unsupported MC/DC' "$out/warnings" | grep -v '^src/cli/'; then
	echo 'coverage: MC/DC would leave these out'
	exit 1
fi
"$make" -s -j2 VARIANT=atomic build/atomic/urivet 2>/dev/null
"$make" -s tables

suite() { # name, command...
	name=$1
	shift
	LLVM_PROFILE_FILE=$profile/$name-%m.profraw "$@" >"$out/$name.log" 2>&1 || {
		tail -n 20 "$out/$name.log"
		echo "coverage: $name fails"
		exit 1
	}
}
suite unit env STANDALONE_SLOW=10 $out/standalone &
unit=$!
export PYTHONDONTWRITEBYTECODE=1
export URIVET="$PWD/build/atomic/urivet" python
# tests of what the command prints, not of how it reads and writes; one process for each module, for two cores
said='compare explain findings human iri json normalise parameters parse protect readers records resolve suggest target target_records waivers'
export said
suite cli sh -c 'cd tests/cli && printf "test_%s\n" $said | xargs -n 1 -P "$(nproc)" "$python" -m unittest -q'
suite model "$python" tests/core/model/differ.py --urivet build/atomic/urivet --policy any --count 5000 --seed 2
suite strict "$python" tests/core/model/differ.py --urivet build/atomic/urivet --policy strict --count 5000 --seed 1
suite grammar $out/conform rfc3986 build/grammar/rfc3986.dfa 0 3
suite addresses "$python" tests/core/addresses/compare.py --urivet build/atomic/urivet --count 5000 --seed 1
suite replay $out/fuzz_check corpus
suite replay2 $out/fuzz_resolve corpus
wait $unit

# Reports the coverage of these profiles. One object holds the whole core; the other holds what the unit tests
# compile from its headers.
evaluate() { # profiles...
	llvm-profdata-19 merge -sparse "$@" -o "$out/profdata" &&
		llvm-cov-19 export $out/liburivet.so -object $out/standalone -instr-profile="$out/profdata" >"$out/coverage.json" &&
		llvm-cov-19 export $out/liburivet.so -object $out/standalone -instr-profile="$out/profdata" -format=lcov >"$out/coverage.lcov" &&
		"$python" -B tests/gates/coverage.py "$out/coverage.json" "$out/coverage.lcov" tests/gates/coverage.exceptions
}
# negative control: without the unit tests much is missing
# shellcheck disable=SC2046 # names without spaces
if evaluate $(ls "$profile"/*.profraw | grep -v '/unit-') >"$out/without-unit"; then
	echo 'coverage: nothing is missing without the unit tests, so nothing is measured'
	exit 1
fi
echo "without the unit tests: $(tail -n 1 "$out/without-unit")"
evaluate "$profile"/*.profraw
