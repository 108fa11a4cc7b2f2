#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh MODULE [quick | ARGUMENT OF go test...]: the tests of the Go module in that folder, in a copy of it; quick: with the
# library of this build in place of its source, and without what takes long.
set -eu
cd "$(dirname "$0")/../../.."
go=${GO:-go} module=${1:-build/go}
[ $# -gt 0 ] && shift
tmp=$(mktemp -d) && trap 'chmod -R u+w "$tmp"; rm -rf "$tmp"' EXIT
mkdir "$tmp/go" && cp tests/bindings/go/[cg]*_test.go "$module"/* "$tmp/go"
printf 'base: gateway\nmode: observe\n' >"$tmp/observe.yaml"
build/urivet policy compile -o "$tmp/observe" "$tmp/observe.yaml" || { [ "${1:-}" = quick ] && echo 'skipped: the tests of the module for Go need libyaml-dev' && exit; }
export URIVET_OBSERVE="$tmp/observe" URIVET_CASES="$PWD/tests/bindings/conformance/cases.jsonl" GOPATH="$tmp/path" GOCACHE="${GOCACHE:-$PWD/build/go-cache}" GOFLAGS=-mod=mod
unset http_proxy HTTP_PROXY https_proxy HTTPS_PROXY no_proxy NO_PROXY
[ "${1:-}" != quick ] || cp build/liburivet.a "$tmp/go"
cd "$tmp/go"
if [ "${1:-}" = quick ]; then
	# a flag in the environment would compile Go's own packages anew
	rm urivet.c && printf 'package urivet\n\n// #cgo LDFLAGS: ${SRCDIR}/liburivet.a\nimport "C"\n' >library.go
	"$go" test -short -vet=off -ldflags='-s -w' -v ./... >log 2>&1 || { grep 'module requires Go' log && echo 'skipped: this Go is too old' && exit; cat log; exit 1; }
	echo "go: $(grep -c '^--- PASS' log) passed, 0 failed"
	exit
fi
if [ $# -gt 0 ]; then "$go" test "$@"; exit; fi
[ -z "$(gofmt -l .)" ] || { gofmt -d .; exit 1; }
"$go" vet ./...
"$go" test -race -v ./... >log 2>&1 || { cat log; exit 1; }
grep -e conformance: log
"$go" test -run - -fuzz Check -fuzztime "${FUZZ_TIME:-5s}" >log 2>&1 || { cat log; exit 1; }
! CGO_ENABLED=0 "$go" build ./... >log 2>&1 && grep -q needs_a_C_compiler log
echo "go: $("$go" version) passes"
