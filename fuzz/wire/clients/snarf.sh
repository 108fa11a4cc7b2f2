#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
if [ "$*" = --version ]; then snarf -V 2>&1 | head -n 1; exit; fi
exec timeout 3 snarf -q "$1" /dev/null
