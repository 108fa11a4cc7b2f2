#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# lighttpd, mod_proxy, rules on url.
. "$HERE/adapter.sh"
version lighttpd -v
cat >"$DIR/lighttpd.conf" <<EOF
server.modules = ("mod_access", "mod_proxy")
server.bind = "127.0.0.1"
server.port = $PORT
server.document-root = "$DIR"
\$HTTP["url"] =~ "^/admin" { url.access-deny = ("") }
\$HTTP["url"] =~ "\.inc$" { url.access-deny = ("") }
proxy.server = ("" => (("host" => "127.0.0.1", "port" => $UPSTREAM_PORT)))
EOF
exec lighttpd -D -f "$DIR/lighttpd.conf"
