#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Tests the extension for DuckDB in an engine from npm; "asan": with
# AddressSanitizer and UndefinedBehaviorSanitizer.
set -u
cd "$(dirname "$0")/../../.." || exit 2
engine=build/npm-duckdb
for needed in node:nodejs npm:npm; do
	command -v "${needed%:*}" >/dev/null && continue
	echo "The extension for DuckDB is built, but its tests need packages that are missing: apt-get install nodejs npm" >&2
	exit 2
done
if [ ! -e $engine/node_modules/@duckdb/node-api ]; then
	mkdir -p $engine
	npm install --silent --no-audit --no-fund --prefix $engine "$DUCKDB_ENGINE" >/dev/null || {
		echo "skipped: the extension for DuckDB is built, but not tested: npm cannot get its engine, $DUCKDB_ENGINE"
		exit 77
	}
fi
# extensions that look at the engine's table, and ones that must not be loaded
footer=src/bindings/duckdb/footer.sh
for shift in 0 1; do
	cc -shared -fPIC -Isrc -DSHIFT=$shift -o build/places.so tests/bindings/duckdb/places.c &&
		sh $footer build/places.so 0 "$(cc -dumpmachine | sed 's/-.*//; s/x86_64/linux_amd64/; s/aarch64/linux_arm64/')" >build/places.duckdb_extension || exit
	mkdir -p build/places-$shift && mv build/places.duckdb_extension build/places-$shift
done
if [ "${1:-}" = asan ]; then
	"${MAKE:-make}" -s VARIANT=asan duckdb-extension || exit
	DUCKDB_EXTENSION=$PWD/build/asan/urivet.duckdb_extension
	LD_PRELOAD="$(cc -print-file-name=libasan.so) $(cc -print-file-name=libubsan.so)"
	export DUCKDB_EXTENSION LD_PRELOAD ASAN_OPTIONS=detect_leaks=0
fi
exec node --test-reporter=spec tests/bindings/duckdb/test_duckdb.mjs
