#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
if [ "$*" = --version ]; then ffmpeg -version | head -n 1; exit; fi
exec timeout 3 ffmpeg -nostdin -v error -rw_timeout 3000000 -i "$1" -f null -
