#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
if [ "$*" = --version ]; then w3m -version; exit; fi
exec timeout 3 w3m -no-proxy -no-cookie -o follow_redirection=0 -o auto_uncompress=0 -dump_source "$1" </dev/null
