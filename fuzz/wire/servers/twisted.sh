#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Twisted's file server.
. "$HERE/adapter.sh"
version sh -c 'echo "twisted $(twistd3 --version)"'
exec twistd3 --nodaemon --pidfile= --rundir="$DIR" web --listen="tcp:$PORT:interface=127.0.0.1" --path="$ROOT"
