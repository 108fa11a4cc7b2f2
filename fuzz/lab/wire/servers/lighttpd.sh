#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# lighttpd serving files, with its default settings.
. "$HERE/adapter.sh"
version lighttpd -v
cat >"$DIR/lighttpd.conf" <<EOF
server.bind = "127.0.0.1"
server.port = $PORT
server.document-root = "$ROOT"
EOF
exec lighttpd -D -f "$DIR/lighttpd.conf"
