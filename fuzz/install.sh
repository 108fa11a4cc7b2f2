#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# install.sh OUT TABLE...: installs the packages in column 2 of the tables, Debian packages through apt and
# npm packages below OUT. It prints packages that cannot be installed, leaves installed ones alone, and
# starts no service.
set -u
out=$1
shift
mkdir -p "$out"

named() { # kind, tables: the packages of this kind
	kind=$1
	shift
	cat "$@" | grep -v '^#' | cut -f2 | tr ' ' '\n' | sed -n "s/^$kind://p" | sort -u
}
installed() { dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q 'install ok installed'; }
apt() { DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=600 "$@" >/dev/null; }

missing=
for package in pkg-config gcc g++ iproute2 $(named deb "$@"); do
	installed "$package" || missing="$missing $package"
done
command -v npm >/dev/null || missing="$missing npm"
if [ -n "$missing" ]; then
	if [ "$(id -u)" = 0 ]; then
		echo "installing:$missing"
		policy=/usr/sbin/policy-rc.d
		if [ ! -e $policy ]; then # let the user decide about daemons
			printf '#!/bin/sh\nexit 101\n' >$policy
			chmod 755 $policy
			trap 'rm -f $policy' EXIT
		fi
		apt update || echo "apt-get update failed; going on with the lists that are here"
		# an unavailable package must not keep the others out
		# shellcheck disable=SC2086
		apt install --no-remove --no-install-recommends $missing || for package in $missing; do
			apt install --no-remove --no-install-recommends "$package" || echo "not installed: $package"
		done
	else
		echo "not root; install with: apt-get install --no-install-recommends$missing"
	fi
fi

wanted=
for package in $(named npm "$@"); do
	[ -d "$out/node_modules/${package%@*}" ] || wanted="$wanted $package"
done
if [ -n "$wanted" ]; then
	if command -v npm >/dev/null; then
		echo "installing below $out:$wanted"
		# npm removes packages that are not listed, so list all
		# shellcheck disable=SC2046
		npm install --prefix "$out" --no-save --no-audit --no-fund --loglevel=error $(named npm "$@") >/dev/null ||
			echo "not installed:$wanted"
	else
		echo "not installed, for want of npm:$wanted"
	fi
fi
