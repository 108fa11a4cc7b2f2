#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# gunicorn before a program that finds its pages by PATH_INFO.
. "$HERE/adapter.sh"
version gunicorn --version
cd "$HERE" || exit 1
exec gunicorn --bind "127.0.0.1:$PORT" --workers 1 --threads 4 --worker-tmp-dir "$DIR" adapter
