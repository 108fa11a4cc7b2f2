#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Python's http.server.
. "$HERE/adapter.sh"
version "$PYTHON" --version
exec "$PYTHON" -m http.server --bind 127.0.0.1 --directory "$ROOT" "$PORT"
