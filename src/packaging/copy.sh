#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# copy.sh FOLDER: copies the files of the source to FOLDER, with modes and times that depend on nothing but the release:
# those under version control, or, where git or its folder is missing, all that no build and no release has added.
# Prints the time of the release (seconds).
set -eu
list=$(mktemp)
trap 'rm -f "$list"' EXIT
mkdir -p "$1"
if [ -e .git ] && command -v git >/dev/null; then
	git -c safe.directory="$PWD" ls-files -z >"$list" # root may build in a clone of another user
else
	find . \( -path ./.git -o -path ./build -o -path ./debian -o -path ./prebuilt \) -prune -o ! -path ./meson.build ! -path ./urivet.spdx.json \( -type f -o -type l \) ! -name '*.pyc' -print0 >"$list"
fi
xargs -0 cp -P --parents -t "$1" <"$list"
released=$(sed -n 's/^## [0-9.]* (\([0-9-]*\))$/\1/p' CHANGELOG.md | head -n 1)
[ -n "$released" ] || { echo 'CHANGELOG.md does not begin with a version and its date: "## 1.0.0 (2026-11-27)"' >&2; exit 1; }
seconds=$(date -u -d "$released 12:00" +%s)
chmod -R u+rwX,go+rX,go-w "$1"
find "$1" -exec touch -h -d "@$seconds" {} +
echo "$seconds"
