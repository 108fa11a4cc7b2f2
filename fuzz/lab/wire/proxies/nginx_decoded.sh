#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# nginx, proxy_pass with variables: forwards its decoded path unescaped.
. "$HERE/adapter.sh"
nginx_before "proxy_pass http://${UPSTREAM-}\$uri\$is_args\$args;"
