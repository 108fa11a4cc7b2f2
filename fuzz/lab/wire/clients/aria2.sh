#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
if [ "$*" = --version ]; then aria2c --version | head -n 1; exit; fi
exec timeout -s KILL 3 aria2c --no-conf --no-netrc --async-dns=false --enable-dht=false --follow-torrent=false \
	-m 1 -t 3 --connect-timeout=3 --allow-overwrite=true \
	--console-log-level=error --summary-interval=0 --download-result=hide \
	-d "$HOME" -o fetched -- "$1" >&2
