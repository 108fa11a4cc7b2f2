#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
if [ "$*" = --version ]; then toybox --version; exit; fi
exec timeout 3 toybox wget -O /dev/null "$1"
