#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs the engines and the parsers of the differential fuzzer through apt if permitted, else prints
# what is missing. Exit status 0 if enough of them are installed to run.
set -u
cd "$(dirname "$0")/../../.." || exit 2
table=$(mktemp) && trap 'rm -f "$table"' EXIT
grep -v '^#' fuzz/lab/differential/readers.tsv | cut -f1 | while read -r name; do
	grep "^$name	" fuzz/lab/zoo/readers.tsv
done >"$table"
printf 'engines\tdeb:clang-19 deb:libclang-rt-19-dev deb:afl++ deb:clang-14 deb:lld-14 deb:llvm-14\n' >>"$table"
sh fuzz/install.sh build/differential "$table"
exec "${PYTHON:-/usr/bin/python3}" -B fuzz/lab/differential/differential.py readers
