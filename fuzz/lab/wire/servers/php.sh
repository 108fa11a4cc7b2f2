#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# PHP's own server, no router script.
. "$HERE/adapter.sh"
version php --version
exec php -n -S "127.0.0.1:$PORT" -t "$ROOT"
