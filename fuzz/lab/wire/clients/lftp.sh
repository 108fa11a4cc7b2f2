#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
if [ "$*" = --version ]; then lftp --version | head -n 1; exit; fi
# lftp reads a command, so quotation marks and backslashes of the URL are escaped.
url=$(printf '%s\n' "$1" | sed 's/[\\"]/\\&/g')
exec timeout 3 lftp --norc -c "set net:max-retries 1; set net:timeout 3; set xfer:max-redirections 0; cat \"$url\""
