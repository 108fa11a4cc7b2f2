#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# dist.sh VERSION FOLDER: writes the source release and what comes with it to FOLDER. The release has in prebuilt/ what needs more
# than a compiler and make: the library as one file, the manual pages, and the package for npm with its WebAssembly.
set -eu
version=$1
folder=$2
python=${PYTHON:-/usr/bin/python3}
name=urivet-$version
tree=$folder/$name
complain() {
	echo "dist: $*" >&2
	exit 1
}
mkdir -p build
"${MAKE:-make}" -s all docs onefile js python >"build/dist.log" 2>&1 || { tail -n 20 build/dist.log >&2; exit 1; }
rm -rf "$folder"
mkdir -p "$folder/npm" "$folder/python"
seconds=$(sh src/packaging/copy.sh "$tree")
export SOURCE_DATE_EPOCH="$seconds"

# ---- the package for npm, and the wheel for any Linux with glibc: its libraries are inside
cp build/js/urivet.tgz "$folder/npm/$name.tgz"
URIVET_WHEEL=manylinux PYTHON=$python sh src/bindings/python/dist.sh "$folder/python" || complain 'no wheel'
mv "$folder"/python/dist/*.whl "$folder"/python/dist/*.tar.gz "$folder/python/"
rm -rf "$folder/python/stage" "$folder/python/dist" "$folder/python/dist.log"
"$python" -B src/packaging/audit.py "$folder"/python/*.whl "$folder/npm/$name.tgz"

# ---- the source
mkdir -p "$tree/prebuilt/man"
cp build/onefile/urivet.c build/onefile/urivet.h "$tree/prebuilt/"
cp build/urivet*.[1-8] "$tree/prebuilt/man/"
cp "$folder/npm/$name.tgz" "$tree/prebuilt/"
sed "s/@VERSION@/$version/" src/packaging/meson.build.in >"$tree/meson.build"
"$python" -B src/packaging/spdx.py "$tree" "$version" "$seconds" >"$folder/urivet.spdx.json"
cp "$folder/urivet.spdx.json" "$tree/"
chmod -R u+rwX,go+rX,go-w "$tree"
tar --sort=name --format=gnu --owner=0 --group=0 --numeric-owner --mtime="@$seconds" -C "$folder" -cf - "$name" | gzip -n9 >"$folder/$name.tar.gz"
rm -rf "$tree"
(cd "$folder" && printf '[wrap-file]\ndirectory = %s\nsource_filename = %s.tar.gz\nsource_hash = %s\n\n[provide]\nurivet = urivet_dep\n' \
	"$name" "$name" "$(sha256sum "$name.tar.gz" | cut -d' ' -f1)" >urivet.wrap
	find . -type f ! -name SHA256SUMS | LC_ALL=C sort | sed 's|^\./||' | xargs sha256sum >SHA256SUMS && cat SHA256SUMS)
