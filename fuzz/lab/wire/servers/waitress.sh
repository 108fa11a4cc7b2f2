#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# waitress before a program that finds its pages by PATH_INFO.
. "$HERE/adapter.sh"
packaged python3-waitress
cd "$HERE" || exit 1
exec "$PYTHON" -B -m waitress --listen="127.0.0.1:$PORT" adapter:application
