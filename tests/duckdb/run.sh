#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Tests the extension for DuckDB in an engine from npm; "cost": measures it.
set -u
cd "$(dirname "$0")/../.." || exit 2
engine=build/npm-duckdb
for program in node npm; do
	command -v $program >/dev/null && continue
	echo "The extension for DuckDB is not tested: it needs the Debian package ${program%e}${program#np}" |
		sed 's/package no.*/package nodejs./; s/package npm.*/package npm./'
	exit 0
done
if [ ! -e $engine/node_modules/@duckdb/node-api ]; then
	mkdir -p $engine
	npm install --silent --no-audit --no-fund --prefix $engine "$DUCKDB_ENGINE" >/dev/null || {
		echo "The extension for DuckDB is not tested: npm does not get $DUCKDB_ENGINE."
		exit 2
	}
fi
if [ "${1:-}" = cost ]; then
	exec node tests/duckdb/cost.mjs
fi
# extensions that look at the engine's table, and ones that must not be loaded
footer=src/duckdb/footer.sh
for shift in 0 1; do
	cc -shared -fPIC -Isrc -DSHIFT=$shift -o build/places.so tests/duckdb/places.c &&
		sh $footer build/places.so 0 "$(cc -dumpmachine | sed 's/-.*//; s/x86_64/linux_amd64/; s/aarch64/linux_arm64/')" >build/places.duckdb_extension || exit
	mkdir -p build/places-$shift && mv build/places.duckdb_extension build/places-$shift
done
exec node --test --test-reporter=spec tests/duckdb/test_duckdb.mjs
