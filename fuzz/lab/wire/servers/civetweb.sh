#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# CivetWeb, which programs embed, serving files.
. "$HERE/adapter.sh"
version civetweb --version
exec civetweb -listening_ports "127.0.0.1:$PORT" -document_root "$ROOT"
