#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Twisted's file server.
. "$HERE/adapter.sh"
packaged python3-twisted
exec twistd3 --nodaemon --pidfile= --rundir="$DIR" web --listen="tcp:$PORT:interface=127.0.0.1" --path="$ROOT"
