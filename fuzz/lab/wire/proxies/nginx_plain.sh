#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# nginx, proxy_pass without a URI: forwards the target as received.
. "$HERE/adapter.sh"
nginx_before "proxy_pass http://${UPSTREAM-};"
