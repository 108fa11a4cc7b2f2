#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs the blocks of README's section "Install" as printed, as root in bare Debians, without git, in a tree that belongs to
# another user, and then builds and runs README's program in C, as its page says.
set -eu
cd "$(dirname "$0")/../.."
[ "$(id -u)" = 0 ] || { echo 'skipped: bare Debians need root'; exit 77; }
tmp=$(mktemp -d)
leave() {
	umount "$tmp"/*/proc "$tmp"/*/dev 2>/dev/null || :
	rm -rf --one-file-system "$tmp"
}
trap leave EXIT
debootstrap --variant=minbase bookworm "$tmp/bare" "${MIRROR:-http://deb.debian.org/debian}" >"$tmp/log" 2>&1 ||
	{ tail -n 2 "$tmp/log"; echo 'skipped: debootstrap makes no Debian here'; exit 77; }
mkdir "$tmp/bare/source"
find . -mindepth 1 -maxdepth 1 ! -name build -exec cp -Rp -t "$tmp/bare/source" {} +
chown -R 1234:1234 "$tmp/bare/source"
# the blocks of the section: one to build packages, one to install below /usr/local
awk -v out="$tmp/block" '/^## /{inside = $0 == "## Install"} /^```/{if (open) open = 0; else if (inside) {open = 1; n++}; next} open{print >(out n)}' README.md
awk '/^```c$/{open = 1; next} /^```/{open = 0} open' README.md >"$tmp/bare/example.c"
[ -s "$tmp/block1" ] && [ -s "$tmp/block2" ] && [ ! -e "$tmp/block3" ] || { echo 'README.md: "Install" has two blocks'; exit 1; }
cp -a "$tmp/bare" "$tmp/elsewhere"
for root in bare elsewhere; do
	[ $root = bare ] && block=1 before= || block=2 before='apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev make pkg-config'
	cp "$tmp/block$block" "$tmp/$root/block"
	mount -t proc proc "$tmp/$root/proc" && mount --bind /dev "$tmp/$root/dev"
	chroot "$tmp/$root" env -i HOME=/root PATH="$PATH" DEBIAN_FRONTEND=noninteractive sh -exc "
		$before
		cd /source
		. /block
		cd /
		urivet check -q https://example.com/
		$(sed -n 's/^`\(cc example.c [^`]*\)`.*/\1/p' README.md)
		./example http://user@example.com/ | grep userinfo-present" </dev/null >"$tmp/log" 2>&1 || { tail -n 40 "$tmp/log"; echo "README.md: Install, block $block does not work"; exit 1; }
done
echo 'readme: both ways to install work in a bare Debian, and the example in C with each'
