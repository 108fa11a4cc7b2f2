#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh [alone]: the package for JavaScript: the cases of all bindings in Node, as browsers load them and in Chromium if it is here;
# bad input; what fetches, each guard with a control that gets at the secret without it.
set -u
cd "$(dirname "$0")/../../.." || exit 2
make=${MAKE:-make}
TMPDIR=$(mktemp -d) && export TMPDIR # browsers leave files in it
trap 'rm -rf "$TMPDIR"' EXIT
"$make" -s js || exit 1
package=$PWD/build/js/package
node tests/bindings/js/run_conformance.mjs "$package" || exit 1
URIVET_PACKAGE=$package
URIVET_COMPILED=$(sed -n 's/.*"name":"loopback".*"compiled":"\([0-9a-f]*\)".*/\1/p' tests/bindings/conformance/cases.jsonl)
compiled() { # lines of a policy file: what is compiled of it, in hexadecimal digits; nothing without a list that it needs
	printf '%s\n' "$@" >build/js/policy.yaml
	build/urivet policy compile build/js/policy.yaml -o build/js/policy 2>/dev/null && od -An -v -tx1 build/js/policy | tr -d ' \n'
}
compiled 'base: strict' 'refuse: [host-public-suffix]' >/dev/null && cp build/js/policy build/js/suffix && URIVET_SUFFIX=$PWD/build/js/suffix # too long for a variable
URIVET_TLD=$(compiled 'base: strict' 'refuse: [host-unknown-tld]')
URIVET_WAIVES=$(compiled 'base: any' 'allow: [host-percent-encoded, idn-readers-disagree]')
URIVET_LOCAL=$(compiled 'base: public' "addresses: {allow: [127.0.0.0/24, '::1']}" 'hosts: {allow: [.good.test]}' 'ports: {http: [1024-65535], https: [1024-65535]}')
export URIVET_PACKAGE URIVET_COMPILED URIVET_SUFFIX URIVET_TLD URIVET_WAIVES URIVET_LOCAL
if [ "${1:-}" = alone ]; then # what needs no package of npm
	[ -n "${URIVET_SUFFIX:-}" ] || { echo 'skipped: options of the package for JavaScript need libyaml-dev and publicsuffix'; exit; }
	export URIVET_ALONE=1
	{ node --test tests/bindings/js/answers.mjs tests/bindings/js/bad_input.mjs tests/bindings/js/policies.mjs tests/bindings/js/middleware.mjs tests/bindings/js/text.mjs &&
		node --test --test-name-pattern='^agent|^a redirect that' tests/bindings/js/guards.mjs; } >build/js/alone.log 2>&1 || { grep -A 30 '^not ok' build/js/alone.log; exit 1; }
	sed -n 's/^# pass \(.*\)/js: \1 passed, 0 failed/p' build/js/alone.log
	exit
fi
for limit in urivet:108800 gate:42112 policy:123968; do
	size=$(gzip -9 <"$package/dist/${limit%:*}.mjs" | wc -c)
	[ "$size" -le "${limit#*:}" ] || { echo "${limit%:*}.mjs: $size octets, gzipped"; exit 1; }
done
if [ -s build/onefile/records ]; then # of the step before: the whole corpus, by all policies of the cases
	"$make" -s build/cases && { grep '"kind":"policy"' tests/bindings/conformance/cases.jsonl; build/cases records <build/onefile/records; } >build/js/records.jsonl &&
		node tests/bindings/js/run_conformance.mjs "$package" "$PWD/build/js/records.jsonl" || exit 1
fi
# what the guards are for, as pinned beside this file
cmp -s tests/bindings/js/package-lock.json build/js/package-lock.json && [ -d build/js/node_modules ] || {
	cp tests/bindings/js/package.json tests/bindings/js/package-lock.json build/js &&
		(cd build/js && npm ci --ignore-scripts --no-audit --no-fund --silent --omit-lockfile-registry-resolved) ||
		{ rm -f build/js/package-lock.json; echo 'npm could not install what tests/bindings/js/package.json names'; exit 1; }
}
ln -sfn ../package build/js/node_modules/urivet && cp tests/bindings/js/types.[mc]ts build/js &&
	(cd build/js && node_modules/.bin/tsc --noEmit --strict --module nodenext --target es2022 --lib es2023,dom types.mts types.cts) || exit 1
passed=0
for suite in answers bad_input policies text guards connecting middleware pages bundles; do
	timeout 120 node --test "tests/bindings/js/$suite.mjs" >"build/js/$suite.log" 2>&1 || { tail -n 60 "build/js/$suite.log"; exit 1; }
	sed -n 's/^ok .* # SKIP /skipped: /p' "build/js/$suite.log"
	passed=$((passed + $(sed -n 's/^# pass //p' "build/js/$suite.log")))
done
if command -v chromium >/dev/null; then
	timeout 120 node tests/bindings/js/chromium.mjs "$package" || exit 1
else
	echo 'skipped: chromium is missing'
fi
# the same octets, whenever it is put together, and whatever is there
mkdir -p build/js/again/dist && echo old >build/js/again/dist/old.cjs && node src/bindings/js/build.mjs "$(node -p "require('$package/package.json').version")" build/js/urivet.wasm build/js/gate.wasm build/js/policy.wasm build/js/again &&
	(cd build/js && npm pack --silent --offline ./again --pack-destination again >/dev/null) && cmp build/js/again/urivet-*.tgz build/js/urivet.tgz || { echo 'the tarball differs'; exit 1; }
echo "js: $passed passed, 0 failed"
echo "js: Node $(node --version); urivet $(gzip -9 <"$package/dist/urivet.mjs" | wc -c) octets, gate $(gzip -9 <"$package/dist/gate.mjs" | wc -c), gzipped"
