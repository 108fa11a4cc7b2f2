#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
if [ "$*" = --version ]; then wget2 --version | head -n 1; exit; fi
exec timeout 3 wget2 --no-config --no-hsts --no-proxy -nv --tries=1 -T 3 --max-redirect=0 -O /dev/null -- "$1"
