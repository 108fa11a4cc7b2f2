#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# nginx, proxy_pass with a URI, merge_slashes off.
. "$HERE/adapter.sh"
nginx_before "proxy_pass http://${UPSTREAM-}/;" "merge_slashes off;"
