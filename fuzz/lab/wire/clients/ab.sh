#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
if [ "$*" = --version ]; then ab -V | head -n 1; exit; fi
exec timeout 3 ab -n 1 -s 3 -- "$1"
