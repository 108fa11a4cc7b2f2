#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# dist.sh FOLDER: builds a source distribution, and a wheel from it, in FOLDER/dist.
# Environment: FLOORS (folders of the library), PYTHON, SOURCE_DATE_EPOCH.
set -eu
python=${PYTHON:-/usr/bin/python3}
rm -rf "$1/stage" "$1/dist"
mkdir -p "$1/stage/core/src" "$1/dist"
cp -r include "$1/stage/core/"
for floor in $FLOORS loader; do
	cp -r "src/$floor" "$1/stage/core/src/"
done
cp -r LICENSE src/python/urivet src/python/extension src/python/README.md src/python/pyproject.toml \
	src/python/setup.py src/python/MANIFEST.in "$1/stage/"
find "$1/stage" -name __pycache__ -prune -exec rm -rf {} +
if ! $python -c 'import build, setuptools, wheel' 2>/dev/null; then
	echo 'no source distribution and no wheel: they need python3-build, python3-setuptools and python3-wheel' >&2
	exit 0
fi
$python -m build --no-isolation --outdir "$1/dist" "$1/stage" >"$1/dist.log" 2>&1 || {
	tail -n 20 "$1/dist.log" >&2
	exit 1
}
