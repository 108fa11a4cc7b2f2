#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh FOLDER: the tests of the Python package that lies in FOLDER. What needs a package of Debian that is not here
# says so.
cd "$(dirname "$0")" || exit 2
folder=$(cd ../.. && cd "${1:-build/python}" && pwd) || exit 2
export PYTHONPATH="$folder" PYTHONDONTWRITEBYTECODE=1
exec "${PYTHON:-/usr/bin/python3}" -B -m unittest -q
