#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# dist.sh FOLDER: builds a source distribution, and a wheel from it, in FOLDER/dist.
# Environment: PYTHON, SOURCE_DATE_EPOCH.
set -eu
python=${PYTHON:-/usr/bin/python3}
rm -rf "$1/stage" "$1/dist"
mkdir -p "$1/stage/core/src" "$1/dist"
cp -r include "$1/stage/core/"
cp -r src/core src/policyfile src/common "$1/stage/core/src/"
cp -r LICENSE src/bindings/python/urivet src/bindings/python/extension src/bindings/python/README.md src/bindings/python/pyproject.toml \
	src/bindings/python/setup.py src/bindings/python/MANIFEST.in "$1/stage/"
find "$1/stage" -name __pycache__ -prune -exec rm -rf {} +
# The folder build of this repository can be imported too, as a package without modules.
$python -c 'import build.env, setuptools, wheel' 2>/dev/null || {
	echo 'A source distribution and a wheel need packages that are missing: apt-get install python3-build python3-setuptools python3-wheel' >&2
	exit 2
}
$python -m build --no-isolation --outdir "$1/dist" "$1/stage" >"$1/dist.log" 2>&1 || {
	tail -n 20 "$1/dist.log" >&2
	exit 1
}
