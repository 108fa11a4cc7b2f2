#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# deps.sh test|check     installs what the steps of that tier can use (tests/steps.ini), as root on Debian
# deps.sh PACKAGE...     installs these packages
# deps.sh --list TIER    prints what it would look for
# Needs a shell and awk alone. Servers that come with a package are not started. Exits 2 if something is missing then.
set -eu
cd "$(dirname "$0")/.."
list=
[ "${1:-}" != --list ] || { list=yes && shift; }
case ${1:-} in
test | check)
	names=$(awk -v tiers="$1" 'BEGIN { wanted["test"]; wanted[tiers] } /^tier = / { kept = $3 in wanted }
		/^(packages|optional) = / && kept { for (i = 3; i <= NF; i++) print $i }' tests/steps.ini | sort -u)
	[ -z "$list" ] || { echo "$names" | sed 's/>=.*//' | sort -u | tr '\n' ' ' | sed 's/ $/\n/'; exit; }
	lacking=
	for package in $names; do # a program of that name will do: npm may come with another nodejs
		name=${package%%>=*} least=${package#"$name"}
		version=$(dpkg-query -W -f='${db:Status-Status} ${Version}' "$name" 2>/dev/null | sed -n 's/^installed //p')
		if [ -n "$version" ]; then
			dpkg --compare-versions "$version" ge "${least#>=}" || lacking="$lacking $name"
		else
			command -v "$name" >/dev/null || lacking="$lacking $name"
		fi
	done
	;;
'' | -*) echo 'usage: deps.sh [--list] test|check|PACKAGE...' >&2 && exit 2 ;;
*) lacking=" $*" ;;
esac
[ -n "$lacking" ] || { echo 'nothing is missing'; exit 0; }
install="apt-get install --no-install-recommends$lacking"
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
	echo "deps.sh: only root can install packages, on Debian: $install" >&2
	exit 2
fi
echo "$install"
policy=/usr/sbin/policy-rc.d
if [ ! -e $policy ]; then
	trap 'rm -f $policy' EXIT
	printf '#!/bin/sh\nexit 101\n' >$policy && chmod 755 $policy
fi
export DEBIAN_FRONTEND=noninteractive
apt() { apt-get -q -y -o DPkg::Lock::Timeout=600 "$@" || { echo "deps.sh: apt-get $1 failed" >&2; exit 2; }; }
apt update
# shellcheck disable=SC2086
apt install --no-install-recommends $lacking
