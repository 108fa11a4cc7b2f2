#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# deb.sh VERSION FOLDER: builds the Debian packages in FOLDER, from a copy of the source with src/packaging/debian.
# DEB_BUILD_OPTIONS=nocheck skips the tests. DEBFULLNAME and DEBEMAIL name the maintainer of the packages.
set -eu
version=$1
folder=$2
unmet=$(dpkg-checkbuilddeps src/packaging/debian/control 2>&1) || {
	case $unmet in *dependencies:*) unmet=${unmet#*dependencies: } ;; *) unmet=dpkg-dev ;; esac
	echo "make deb needs packages that are missing: $unmet; this line installs them: apt-get build-dep ./src/packaging" >&2
	exit 2
}
stated=$(sed -n '1s/^urivet (\(.*\)-[0-9]*) .*/\1/p' src/packaging/debian/changelog)
[ "$stated" = "$version" ] || { echo "src/packaging/debian/changelog begins with version $stated, not $version of urivet.h" >&2; exit 1; }
rm -rf "$folder"
tree=$folder/urivet-$version
seconds=$(sh src/packaging/copy.sh "$tree")
tar --sort=name --format=gnu --owner=0 --group=0 --numeric-owner --mtime="@$seconds" -C "$folder" -cf - "urivet-$version" | gzip -n9 >"$folder/urivet_$version.orig.tar.gz"
cp -rp "$tree/src/packaging/debian" "$tree/debian"
[ -z "${DEBEMAIL:-}" ] || sed -i "s/urivet maintainers <.*>/${DEBFULLNAME:-urivet maintainers} <$DEBEMAIL>/" "$tree/debian/control" "$tree/debian/changelog"
touch -d "@$seconds" "$tree"
(cd "$tree" && env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL LC_ALL=C.UTF-8 dpkg-buildpackage -us -uc >../build.log 2>&1) || {
	tail -n 30 "$folder/build.log" >&2
	exit 1
}
ls "$folder"/*.deb
