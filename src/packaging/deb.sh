#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# deb.sh VERSION FOLDER: builds the Debian packages in FOLDER, from a copy of the source with src/packaging/debian.
# DEB_BUILD_OPTIONS=nocheck skips the tests.
set -eu
version=$1
folder=$2
command -v dpkg-buildpackage >/dev/null || { echo 'make deb needs dpkg-dev and debhelper' >&2; exit 2; }
stated=$(sed -n '1s/^urivet (\(.*\)) .*/\1/p' src/packaging/debian/changelog)
[ "$stated" = "$version" ] || { echo "src/packaging/debian/changelog begins with version $stated, not $version of urivet.h" >&2; exit 1; }
rm -rf "$folder"
tree=$folder/urivet-$version
seconds=$(sh src/packaging/copy.sh "$tree")
cp -rp "$tree/src/packaging/debian" "$tree/debian"
touch -d "@$seconds" "$tree"
(cd "$tree" && env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL LC_ALL=C.UTF-8 dpkg-buildpackage -us -uc >../build.log 2>&1) || {
	tail -n 30 "$folder/build.log" >&2
	exit 1
}
ls "$folder"/*.deb
