#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds the Debian packages twice and compares them, asks lintian, compares their files with those of `make install-all`,
# and installs, upgrades, removes and purges them in a bare Debian, with the tests that the packages have (as root).
cd "$(dirname "$0")/../.." || exit 2
make=${MAKE:-make}
tmp=$(mktemp -d)
root=$tmp/root
leave() {
	umount "$root/proc" "$root/dev" 2>/dev/null
	rm -rf --one-file-system "$tmp"
}
trap leave EXIT
status=0
complain() {
	echo "packages: $*"
	status=1
}
missing=$(for package in debhelper dh-apparmor dh-python lintian nginx-dev postgresql-server-dev-15; do
	dpkg-query -W -f '${db:Status-Status} ' $package 2>/dev/null | grep -q '^installed' || echo $package
done)
[ -z "$missing" ] || { echo "skipped: packages are not built without" $missing; exit 77; }

# ---- built twice, with another folder, time, locale and umask
export DEB_BUILD_OPTIONS=nocheck
(umask 022 && "$make" -s deb >"$tmp/log" 2>&1) || { tail -n 30 "$tmp/log"; exit 1; }
built=build/deb
sh src/packaging/copy.sh "$tmp/elsewhere/deeper" >/dev/null || exit 1
(umask 077 && export TZ=Asia/Tokyo LC_ALL=C.UTF-8 && cd "$tmp/elsewhere/deeper" && "$make" -s deb >"$tmp/log" 2>&1) || { tail -n 30 "$tmp/log"; exit 1; }
for file in "$built"/*.deb "$built"/*.tar.* "$built"/*.dsc; do
	cmp -s "$file" "$tmp/elsewhere/deeper/$file" || complain "$(basename "$file") is not the same octets when built again"
done
count=$(ls "$built"/*.deb | grep -vc dbgsym)
[ "$count" = 9 ] || complain "$count packages, not 9"

# ---- lintian, and the control: it sees a file outside of the hierarchy
# Debian's archive asks for a bug before a first upload; the uploader opens it.
lintian --allow-root --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs "$built"/*.changes || complain 'lintian complains'
dpkg-deb -R "$built"/urivet-fuzz_*.deb "$tmp/wrong" && mkdir "$tmp/wrong/srv" && : >"$tmp/wrong/srv/x" && dpkg-deb -b "$tmp/wrong" "$tmp/wrong.deb" >/dev/null
lintian --allow-root --fail-on error,warning "$tmp/wrong.deb" >/dev/null 2>&1 && complain 'control: a file in /srv is not seen'

# ---- make install-all installs the same files; packages have their own copies of pages, and the line that loads the module
names() {
	sed -E 's|^\./|/|; s|^/lib/systemd|/usr/lib/systemd|; s|\.gz$||' | grep -vE '/$|^/usr/share/(lintian|doc/[^/]*/(changelog(\.Debian)?|copyright|[A-Z]*\.md|NEWS.*)$)|modules-available|/apparmor\.d/local/' | sort -u
}
for package in "$built"/*.deb; do
	case $package in *dbgsym*) ;; *) dpkg-deb --fsys-tarfile "$package" | tar -tf - ;; esac
done | names >"$tmp/packaged"
"$make" -s install-all DESTDIR="$tmp/installed" PREFIX=/usr PYTHON=/usr/bin/python3 PYTHONDIR=/usr/lib/python3/dist-packages >"$tmp/log" 2>&1 || { tail -n 5 "$tmp/log"; complain 'make install-all fails'; }
(cd "$tmp/installed" && find . ! -type d) | names >"$tmp/installed.txt"
diff "$tmp/packaged" "$tmp/installed.txt" || complain 'make install-all installs other files than the packages (>)'
[ "$(wc -l <"$tmp/packaged")" -gt 2000 ] || complain 'the packages have few files'

# ---- in a bare Debian
if [ "$(id -u)" != 0 ] || ! command -v debootstrap >/dev/null; then
	echo 'packages: not installed anywhere: that needs root and debootstrap'
elif ! debootstrap --variant=minbase bookworm "$root" "${MIRROR:-http://deb.debian.org/debian}" >"$tmp/log" 2>&1; then
	tail -n 2 "$tmp/log"
	echo 'packages: not installed anywhere: debootstrap makes no Debian here'
else
	mkdir "$root/first" "$root/next"
	cp $(ls "$built"/*.deb | grep -v dbgsym) "$root/first/"
	# the next release: the same files by another number
	for package in "$root"/first/*.deb; do
		rm -rf "$tmp/tree" && dpkg-deb -R "$package" "$tmp/tree"
		sed -i -E 's/^(Version: .*)/\1.1/; /^Depends/s/\((=|>=) ([0-9.-]+)\)(, urivet \(<< [0-9.-]+~\))?/(>= \2)/g' "$tmp/tree/DEBIAN/control"
		dpkg-deb --root-owner-group -Znone -b "$tmp/tree" "$root/next/" >/dev/null || exit 1
	done
	cp -r src/packaging/debian/tests "$root/tests"
	cp tests/packages/life.sh "$root/"
	mount -t proc proc "$root/proc" && mount --bind /dev "$root/dev" || exit 1
	chroot "$root" sh /life.sh >"$tmp/life" 2>&1 || { grep -B 12 '^FAILS' "$tmp/life" || tail -n 20 "$tmp/life"; complain 'not everything goes well in a bare Debian'; }
fi
[ $status = 0 ] && echo "packages: $count packages, twice the same octets, no complaint of lintian, $(wc -l <"$tmp/packaged") files as by make install-all; $(grep -c '^ok' "$tmp/life" 2>/dev/null || echo 0) checks in a bare Debian"
exit $status
