#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# micro_httpd, which inetd starts for each request.
. "$HERE/adapter.sh"
packaged micro-httpd
printf '127.0.0.1:%s stream tcp nowait.60000 nobody /usr/sbin/micro-httpd micro-httpd %s\n' "$PORT" "$ROOT" >"$DIR/inetd.conf"
exec inetd -i -d "$DIR/inetd.conf"
