#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# BusyBox httpd: decodes once, in place.
. "$HERE/adapter.sh"
version busybox
exec busybox httpd -f -p "127.0.0.1:$PORT" -h "$ROOT" -c /dev/null
