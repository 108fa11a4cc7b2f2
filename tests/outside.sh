#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# outside.sh [TIER]: runs `make test` (or check) while /usr, /etc, /lib, /var/lib and the source tree outside build/ are
# read-only, in a mount namespace, and compares a listing of what was there before and after.
# Files written to build/, to temporary folders and to the home lie in memory: this separates them from the files
# of other programs, and they are gone in the end.
# Controls: a file in the tree cannot be made, a new file elsewhere is seen, and so is one in /tmp that is not in $TMPDIR.
set -eu
cd "$(dirname "$0")/.."
tier=${1:-test}
python=${PYTHON:-/usr/bin/python3}

# Lists every file of these folders with size, mode and modification time.
listing() {
	for folder in /usr /etc /lib /var/lib /var/cache /opt /srv "$scratch/listed"; do
		find "$folder" -xdev \( -path "$PWD" -o -path /var/lib/apt -o -path /var/cache/apt \) -prune \
			-o -printf '%p %s %m %T@ %C@\n' 2>/dev/null || true
	done | grep -vE '^(/usr|/etc|/var|/var/lib) ' | sort
	find . -path ./build -prune -o -path ./.git -prune -o -printf '%p %s %m %T@\n' | sort
}

if [ "${OUTSIDE:-}" != inside ]; then
	scratch=$(mktemp -d /dev/shm/urivet-outside-XXXXXX) || { echo 'skipped: there is no memory to write to at /dev/shm'; exit 77; }
	trap 'rm -rf "$scratch"' EXIT
	chmod 755 "$scratch" # tests start programs as other users
	mkdir "$scratch/listed" "$scratch/inside"
	listing >"$scratch/before"
	touch "$scratch/listed/control"
	listing >"$scratch/control"
	rm -r "$scratch/listed"
	cmp -s "$scratch/before" "$scratch/control" && { echo 'control: a new file is not seen'; exit 1; }
	grep -vF "$scratch/listed" "$scratch/before" >"$scratch/control" && mv "$scratch/control" "$scratch/before"
	status=0
	as=$([ "$(id -u)" = 0 ] || echo --map-root-user)
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
# over FOLDER LOWER NAME: redirects writes to the folder into memory, to NAME/upper
over() {
	mkdir -p "$scratch/$3/upper" "$scratch/$3/work"
	chmod --reference="$1" "$scratch/$3/upper"
	mount -t overlay overlay -o "lowerdir=$2,upperdir=$scratch/$3/upper,workdir=$scratch/$3/work" "$1" 2>/dev/null || exit 77
}
mkdir -p build "$scratch/tree" "$scratch/tmp"
chmod 1777 "$scratch/tmp"
mount --bind "$PWD" "$scratch/tree" 2>/dev/null || exit 77
over /tmp /tmp everybody
home=${HOME:-/root}
if [ -d "$home" ] && [ "$home" != / ]; then over "$home" "$home" home; fi
mount --bind "$scratch/tree" "$PWD" # which may lie below these
over "$PWD/build" "$scratch/tree/build" build
for folder in "$PWD" /usr /etc /lib /var/lib; do
	folder=$(readlink -f "$folder")
	[ "$folder" = "$PWD" ] && bind=--rbind || bind=--bind
	mount $bind "$folder" "$folder" && mount -o remount,ro,bind "$folder" || exit 77
done
cd "$PWD"
touch Makefile.control 2>/dev/null && { rm Makefile.control; echo 'control: the source tree is not read-only'; exit 1; }
touch build/control /tmp/urivet-control
[ -e "$scratch/everybody/upper/urivet-control" ] || { echo 'control: a file in /tmp is not seen'; exit 1; }
rm /tmp/urivet-control
export TMPDIR="$scratch/tmp"
{ $python -B tests/run.py "$tier" --log=build/outside || touch "$scratch/failed"; } | sed 's/^/    /'
[ ! -e "$scratch/failed" ] || exit 1
# caches of npm and of compilers are allowed
left=$(find "$scratch/tmp" "$scratch/everybody/upper" "$scratch/home/upper" -mindepth 1 -maxdepth 1 ! -name .cache ! -name .npm 2>/dev/null || true)
[ -z "$left" ] || { echo "outside: left in temporary folders, or in the home: $left"; exit 1; }
