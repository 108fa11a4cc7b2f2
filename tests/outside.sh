#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# outside.sh [TIER]: runs `make test` (or check) while /usr, /etc, /lib, /var/lib and the source tree outside build/ are
# read-only, in a mount namespace, and compares a listing of what was there before and after. What is written to build/
# lies in memory and is gone in the end. Two controls: a file in the tree cannot be made, a new file elsewhere is seen.
set -eu
cd "$(dirname "$0")/.."
tier=${1:-test}
python=${PYTHON:-/usr/bin/python3}

# Lists every file of these folders with size, mode and time of change, and what is left in the temporary folder.
listing() {
	for folder in /usr /etc /lib /var/lib /var/cache /opt /srv "${HOME:-/root}"; do
		find "$folder" -xdev \( -path "$PWD" -o -path /var/lib/apt -o -path /var/cache/apt -o -name .cache -o -name .npm \) -prune \
			-o -printf '%p %s %m %T@ %C@\n' 2>/dev/null || true
	done | grep -vE '^(/usr|/etc|/var|/var/lib) ' | sort
	find . -path ./build -prune -o -path ./.git -prune -o -printf '%p %s %m %T@\n' | sort
	find "${TMPDIR:-/tmp}" -mindepth 1 -maxdepth 1 -name 'urivet-*' ! -name "${scratch##*/}" -printf '%p\n' | sort
}

if [ "${OUTSIDE:-}" != inside ]; then
	scratch=$(mktemp -d "${TMPDIR:-/tmp}/urivet-outside-XXXXXX")
	trap 'rm -rf "$scratch"' EXIT
	listing >"$scratch/before"
	touch "$scratch/../urivet-control-$$"
	listing >"$scratch/control"
	rm "$scratch/../urivet-control-$$"
	cmp -s "$scratch/before" "$scratch/control" && { echo 'control: a new file is not seen'; exit 1; }
	status=0
	as=$([ "$(id -u)" = 0 ] || echo --map-root-user)
	mkdir "$scratch/inside"
	chmod 755 "$scratch" # tests start programs as other users
	# shellcheck disable=SC2086
	OUTSIDE=inside SCRATCH="$scratch/inside" unshare $as --mount --propagation private sh "$0" "$tier" || status=$?
	[ $status = 77 ] && { echo 'skipped: mount namespaces cannot be made here'; exit 77; }
	[ $status = 0 ] || exit $status
	listing >"$scratch/after"
	diff "$scratch/before" "$scratch/after" || { echo "outside: make $tier changed something"; exit 1; }
	echo "outside: make $tier changed none of $(wc -l <"$scratch/before") files outside build/"
	exit
fi

scratch=$SCRATCH
mount -t tmpfs tmpfs "$scratch" 2>/dev/null || exit 77
mkdir "$scratch/upper" "$scratch/work" "$scratch/tmp"
chmod 1777 "$scratch/tmp"
mkdir -p build
mount -t overlay overlay -o "lowerdir=$PWD/build,upperdir=$scratch/upper,workdir=$scratch/work" build 2>/dev/null || exit 77
for folder in "$PWD" /usr /etc /lib /var/lib; do
	folder=$(readlink -f "$folder")
	[ "$folder" = "$PWD" ] && bind=--rbind || bind=--bind
	mount $bind "$folder" "$folder" && mount -o remount,ro,bind "$folder" || exit 77
done
cd "$PWD"
touch Makefile.control 2>/dev/null && { rm Makefile.control; echo 'control: the source tree is not read-only'; exit 1; }
touch build/control
export TMPDIR="$scratch/tmp"
{ $python -B tests/run.py "$tier" --log=build/outside || touch "$scratch/failed"; } | sed 's/^/    /'
[ ! -e "$scratch/failed" ] || exit 1
left=$(ls -A "$scratch/tmp")
[ -z "$left" ] || { echo "outside: left in the temporary folder: $left"; exit 1; }
