#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Varnish, rules on req.url.
. "$HERE/adapter.sh"
version varnishd -V
cat >"$DIR/default.vcl" <<EOF
vcl 4.1;
backend up {
	.host = "127.0.0.1";
	.port = "$UPSTREAM_PORT";
}
sub vcl_recv {
	if (req.url ~ "^/admin" || req.url ~ "\.inc(\?|$)") {
		return (synth(403));
	}
	return (pass);
}
EOF
exec varnishd -F -a "127.0.0.1:$PORT" -f "$DIR/default.vcl" -n "$DIR/work" -s malloc,4m -j none
