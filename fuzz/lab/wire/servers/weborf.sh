#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# weborf, a small server of static files.
. "$HERE/adapter.sh"
version weborf --version
exec weborf -i 127.0.0.1 -p "$PORT" -b "$ROOT"
