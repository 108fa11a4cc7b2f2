#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
if [ "$*" = --version ]; then httping -V 2>&1 | head -n 1; exit; fi
exec timeout 3 httping -G -c 1 -i 0.01 -t 3 -g "$1"
