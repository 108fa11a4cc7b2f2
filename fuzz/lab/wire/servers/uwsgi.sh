#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# uWSGI before a program that finds its pages by PATH_INFO.
. "$HERE/adapter.sh"
packaged uwsgi
cd "$HERE" || exit 1
exec uwsgi --plugin http,python3 --http-socket "127.0.0.1:$PORT" --wsgi-file adapter.py --threads 4 --die-on-term
