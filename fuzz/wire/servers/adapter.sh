# SPDX-License-Identifier: Apache-2.0
# What the servers that are scripts share. Sourced with the script's own arguments.

# version COMMAND...: where --version was asked for, the first line that the command prints, and the end
asked=${1-}
version() {
	[ "$asked" = --version ] || return 0
	"$@" 2>&1 </dev/null | grep . | head -n 1
	exit 0
}
# packaged PACKAGE: the same by the package's version, for programs that do not know their own
packaged() {
	# shellcheck disable=SC2016
	version dpkg-query -W -f='${Package} ${Version}\n' "$1"
}
