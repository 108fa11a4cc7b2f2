#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# nginx, proxy_pass with a URI: forwards its normalised path, escaped anew.
. "$HERE/adapter.sh"
nginx_before "proxy_pass http://${UPSTREAM-}/;"
