#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
if [ "$*" = --version ]; then wget --version | head -n 1; exit; fi
exec wget --no-config --no-hsts --no-proxy -nv -t 1 -T 3 --max-redirect=0 -O /dev/null -- "$1"
