#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Tinyproxy in reverse, a filter on URLs.
. "$HERE/adapter.sh"
version tinyproxy -v
printf '/admin\n\\.inc(\\?|$)\n' >"$DIR/filter"
cat >"$DIR/tinyproxy.conf" <<EOF
Port $PORT
Listen 127.0.0.1
Timeout 5
Filter "$DIR/filter"
FilterURLs On
FilterExtended On
ReversePath "/" "http://$UPSTREAM/"
ReverseOnly Yes
EOF
exec tinyproxy -d -c "$DIR/tinyproxy.conf"
