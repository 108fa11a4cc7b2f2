#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
if [ "$*" = --version ]; then lynx --version | head -n 1; exit; fi
exec timeout 3 lynx -source -connect_timeout=3 -read_timeout=3 -- "$1" </dev/null
