#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs the readers of the zoo. Exit status 0 if the judge has enough of them to judge by.
set -u
cd "$(dirname "$0")/../.." || exit 2
sh fuzz/install.sh build/zoo fuzz/zoo/readers.tsv
exec "${PYTHON:-/usr/bin/python3}" -B fuzz/zoo/zoo.py readers
