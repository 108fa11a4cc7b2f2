#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# mini_httpd of ACME Laboratories.
. "$HERE/adapter.sh"
version mini_httpd -V
exec mini_httpd -D -h 127.0.0.1 -p "$PORT" -d "$ROOT" -i "$DIR/pid" -l /dev/null
