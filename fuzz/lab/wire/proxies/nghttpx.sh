#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# nghttpx; Debian builds it without the Ruby that its rules would be written in.
. "$HERE/adapter.sh"
version nghttpx --version
exec nghttpx --conf=/dev/null --workers=1 --frontend="127.0.0.1,$PORT;no-tls" --backend="127.0.0.1,$UPSTREAM_PORT"
