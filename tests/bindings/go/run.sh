#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh MODULE [ARGUMENT OF go test...]: the tests of the Go module in that folder, in a copy of it.
set -eu
cd "$(dirname "$0")/../../.."
go=${GO:-go} module=$(cd "${1:-build/go}" && pwd)
[ $# -gt 0 ] && shift
tmp=$(mktemp -d) && trap 'chmod -R u+w "$tmp"; rm -rf "$tmp"' EXIT
cp "$module"/* tests/bindings/go/*_test.go "$tmp"
export URIVET_CASES="$PWD/tests/bindings/conformance/cases.jsonl" GOFLAGS=-mod=mod GOPATH="$tmp/path" CGO_ENABLED=1 \
	GOCACHE="${GOCACHE:-$PWD/build/go-cache}"
cd "$tmp"
"$go" test "$@" ./...
