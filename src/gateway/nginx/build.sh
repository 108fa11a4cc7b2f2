#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# build.sh SOURCE FOLDER LIBRARIES: builds the module for the nginx whose sources lie in SOURCE, into
# FOLDER. Debian's nginx-dev says with what flags nginx was built (conf_flags); for another nginx NGINX_FLAGS
# are those that `nginx -V` shows. CC, CFLAGS, LDFLAGS and LIBS (what liburivet-policy needs) count.
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
	NGINX_CONF_FLAGS=()
	if [ -n "${NGINX_FLAGS-}" ]; then
		read -ra NGINX_CONF_FLAGS <<<"$NGINX_FLAGS"
	elif [ -e conf_flags ]; then
		# shellcheck disable=SC1091
		. ./conf_flags
	fi
	URIVET_LIBRARIES=$libraries URIVET_LIBS=${LIBS-} ./configure "${NGINX_CONF_FLAGS[@]}" --with-compat \
		--with-cc="${CC:-cc}" --with-cc-opt="-fPIC ${CFLAGS-}" --with-ld-opt="${LDFLAGS-}" \
		--add-dynamic-module="$here" >configure.log 2>&1 || {
		tail -n 5 configure.log >&2
		exit 1
	}
fi
cd "$folder/source"
rm -f objs/ngx_http_urivet_module.so
make -f objs/Makefile modules >make.log 2>&1 || {
	tail -n 20 make.log >&2
	exit 1
}
mv objs/ngx_http_urivet_module.so "$folder/"
