#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# build.sh SOURCE FOLDER LIBRARIES [configure]: builds the module in FOLDER, for the nginx with its
# sources in SOURCE; `configure` only makes the headers. The configure flags come from conf_flags of
# Debian's nginx-dev; for another nginx, set NGINX_FLAGS to those shown by `nginx -V`. Environment: CC,
# CFLAGS, LDFLAGS, LIBS (needed by liburivet-policy).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source=$1
mkdir -p "$2"
folder=$(cd "$2" && pwd)
libraries=$(cd "$3" && pwd)

if [ ! -e "$folder/source/objs/Makefile" ] || [ "$here/config" -nt "$folder/source/objs/Makefile" ]; then
	rm -rf "$folder/source"
	cp -r "$source" "$folder/source"
	cd "$folder/source"
	NGX_CONF_FLAGS=()
	if [ -n "${NGINX_FLAGS-}" ]; then
		read -ra NGX_CONF_FLAGS <<<"$NGINX_FLAGS"
	elif [ -e conf_flags ]; then
		# shellcheck disable=SC1091
		. ./conf_flags
	fi
	URIVET_LIBRARIES=$libraries URIVET_LIBS=${LIBS-} ./configure "${NGX_CONF_FLAGS[@]}" --with-compat \
		--with-cc="${CC:-cc}" --with-cc-opt="-fPIC ${CFLAGS-}" --with-ld-opt="${LDFLAGS-}" \
		--add-dynamic-module="$here" >configure.log 2>&1 || {
		tail -n 5 configure.log >&2
		exit 1
	}
fi
[ "${4-}" != configure ] || exit 0
cd "$folder/source"
rm -f objs/ngx_http_urivet_module.so
make -f objs/Makefile modules >make.log 2>&1 || {
	tail -n 20 make.log >&2
	exit 1
}
mv objs/ngx_http_urivet_module.so "$folder/"
