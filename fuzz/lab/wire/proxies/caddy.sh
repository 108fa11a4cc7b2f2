#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Caddy, reverse_proxy, a matcher of paths.
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
	@denied path /admin* *.inc
	respond @denied 403
	reverse_proxy $UPSTREAM
}
EOF
exec caddy run --config "$DIR/Caddyfile" --adapter caddyfile
