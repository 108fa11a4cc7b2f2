#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# webfsd, a small server of static files.
. "$HERE/adapter.sh"
packaged webfs
exec webfsd -F -4 -i 127.0.0.1 -p "$PORT" -r "$ROOT"
