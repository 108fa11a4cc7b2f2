#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
if [ "$*" = --version ]; then dpkg-query -W -f '${Package} ${Version}\n' tnftp; exit; fi
exec timeout -s KILL 3 tnftp -q 3 -o /dev/null "$1" </dev/null
