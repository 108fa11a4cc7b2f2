#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
if [ "$*" = --version ]; then siege --version 2>&1 | sed -n 's/^SIEGE/siege/p'; exit; fi
exec timeout 3 siege -q -b -c 1 -r 1 --no-parser --no-follow "$1"
