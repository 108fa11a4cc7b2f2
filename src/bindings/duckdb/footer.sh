#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Appends to a library what makes it a DuckDB extension: a custom section as WebAssembly has them, 8
# fields of 32 octets, the last one first, and 256 octets for a signature, which is not there.
#     footer.sh LIBRARY VERSION PLATFORM > EXTENSION
set -eu
field() {
	printf '%s' "$1"
	head -c $((32 - ${#1})) /dev/zero
}
cat "$1"
printf '\000\223\004\020duckdb_signature\200\004'
for content in '' '' '' C_STRUCT "$2" v1.2.0 "$3" 4; do
	field "$content"
done
head -c 256 /dev/zero
