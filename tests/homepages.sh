#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What strict says of real URLs: the homepages of all packages that apt knows.
urivet=${1:-build/urivet}
command -v apt-cache >/dev/null || { echo 'this needs Debian and its apt-cache' >&2; exit 2; }
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
apt-cache dumpavail | sed -n 's/^Homepage: //p' | LC_ALL=C sort -u >"$tmp/urls"
"$urivet" check --format=tsv --input="$tmp/urls" >"$tmp/tsv"
awk -F '\t' '{ n++; accepted += $1 == "accept" }
	END { printf "%d of %d accepted: %.2f %%\n", accepted, n, 100 * accepted / n }' "$tmp/tsv"
"$urivet" findings --format=tsv | cut -f1,3 >"$tmp/classes"
echo 'findings of the refused (notes left out):'
awk -F '\t' 'NR == FNR { class[$1] = $2; next }
	$1 == "reject" { k = split($2, id, ","); for (i = 1; i <= k; i++) if (class[id[i]] != "note") count[id[i]]++ }
	END { for (f in count) printf "%6d  %s\n", count[f], f }' "$tmp/classes" "$tmp/tsv" | LC_ALL=C sort -k1,1nr -k2
