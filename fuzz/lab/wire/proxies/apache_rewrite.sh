#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Apache, a RewriteRule that proxies: matches the decoded path.
. "$HERE/adapter.sh"
apache_before "RewriteEngine On
RewriteRule ^/(.*)\$ http://${UPSTREAM-}/\$1 [P]"
