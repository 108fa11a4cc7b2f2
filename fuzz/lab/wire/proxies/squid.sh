#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Squid as an accelerator, rules on the path.
. "$HERE/adapter.sh"
version squid -v
cat >"$DIR/squid.conf" <<EOF
http_port 127.0.0.1:$PORT accel defaultsite=www.example.com vhost
cache_peer 127.0.0.1 parent $UPSTREAM_PORT 0 no-query originserver no-digest connect-fail-limit=1000
acl admin urlpath_regex ^/admin
acl inc urlpath_regex \.inc(\?|$)
http_access deny admin
http_access deny inc
http_access allow all
never_direct allow all
cache deny all
cache_mem 4 MB
via off
icp_port 0
htcp_port 0
pinger_enable off
netdb_filename none
dns_nameservers 127.0.0.1
pid_filename $DIR/pid
access_log none
cache_log $DIR/cache.log
coredump_dir $DIR
shutdown_lifetime 0 seconds
EOF
chmod 777 "$DIR"
exec squid --foreground -f "$DIR/squid.conf"
