#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
if [ "$*" = --version ]; then elinks -version | head -n 1; exit; fi
exec timeout 3 elinks -no-home -no-connect -eval 'set connection.retries = 1' \
	-eval 'set connection.receive_timeout = 3' -source "$1" </dev/null
