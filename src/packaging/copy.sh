#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# copy.sh FOLDER: copies the files of the source to FOLDER, with modes and times that depend on nothing but the release:
# those under version control, or, where there is no git, all that no build and no release has added. Prints the time of the release (seconds).
set -eu
mkdir -p "$1"
if [ -e .git ]; then
	git ls-files -z
else
	find . -path ./build -prune -o -path ./debian -prune -o -path ./prebuilt -prune -o ! -path ./meson.build ! -path ./urivet.spdx.json \( -type f -o -type l \) ! -name '*.pyc' -print0
fi | tar --null -T - -cf - | tar -xf - -C "$1"
released=$(sed -n 's/^## [0-9.]* (\([0-9-]*\))$/\1/p' CHANGELOG.md | head -n 1)
[ -n "$released" ] || { echo 'CHANGELOG.md does not begin with a version and its date: "## 1.0.0 (2026-11-27)"' >&2; exit 1; }
seconds=$(date -u -d "$released 12:00" +%s)
chmod -R u+rwX,go+rX,go-w "$1"
find "$1" -exec touch -h -d "@$seconds" {} +
echo "$seconds"
