#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
if [ "$*" = --version ]; then dpkg-query -W -f '${Package} ${Version}\n' puf; exit; fi
exec timeout 3 puf -O /dev/null -xg -t 1 -Tc 3 -Td 3 -nw -v "$1"
