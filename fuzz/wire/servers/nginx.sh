#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# nginx serving files: decodes once, merges slashes, removes dot segments.
. "$HERE/adapter.sh"
version nginx -v
cat >"$DIR/nginx.conf" <<EOF
daemon off;
worker_processes 1;
pid $DIR/pid;
error_log stderr crit;
events { }
http {
	access_log off;
	client_body_temp_path $DIR/body;
	proxy_temp_path $DIR/proxy;
	fastcgi_temp_path $DIR/fastcgi;
	uwsgi_temp_path $DIR/uwsgi;
	scgi_temp_path $DIR/scgi;
	server {
		listen 127.0.0.1:$PORT;
		root $ROOT;
	}
}
EOF
exec nginx -p "$DIR" -c "$DIR/nginx.conf"
