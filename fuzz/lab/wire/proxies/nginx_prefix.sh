#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Two nginx: the first strips the prefix /api, the second checks by auth_request, with the target as
# received there.
. "$HERE/adapter.sh"
nginx_with "location / { proxy_pass http://unix:$DIR/second; }
	location /api { rewrite ^/api/?(.*)\$ /\$1 break; proxy_pass http://unix:$DIR/second; }" \
"server {
	listen unix:$DIR/second;
	location / { auth_request /allowed; proxy_pass http://${UPSTREAM-}/; }
	location = /allowed { internal; if (\$request_uri ~ ^/admin|\\.inc(\\?|\$)) { return 403; } return 204; }
}"
