#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Caddy's file_server.
. "$HERE/adapter.sh"
packaged caddy
export HOME="$DIR" XDG_DATA_HOME="$DIR" XDG_CONFIG_HOME="$DIR"
cat >"$DIR/Caddyfile" <<EOF
{
	admin off
	auto_https off
}
http://:$PORT {
	bind 127.0.0.1
	root * $ROOT
	file_server
}
EOF
exec caddy run --config "$DIR/Caddyfile" --adapter caddyfile
