#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs the readers. Exit status 0 if enough of them are installed to compare.
set -u
cd "$(dirname "$0")/../../.." || exit 2
sh fuzz/install.sh build/zoo fuzz/lab/zoo/readers.tsv
exec "${PYTHON:-/usr/bin/python3}" -B fuzz/lab/zoo/zoo.py readers
