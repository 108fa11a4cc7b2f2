#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
if [ "$*" = --version ]; then curl --version | head -n 1; exit; fi
exec curl -q -sS -g -m 3 --noproxy '*' --path-as-is -o /dev/null --url "$1"
