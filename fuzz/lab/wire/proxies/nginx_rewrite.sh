#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# nginx, rewrite before proxy_pass: forwards the rewritten path, escaped anew.
. "$HERE/adapter.sh"
nginx_before "rewrite ^/(.*)\$ /\$1 break; proxy_pass http://${UPSTREAM-};"
