#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
if [ "$*" = --version ]; then mpg123 --version; exit; fi
exec timeout -s KILL 3 mpg123 -q --timeout 3 -t "$1" </dev/null
