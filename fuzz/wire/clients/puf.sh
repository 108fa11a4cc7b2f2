#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
if [ "$*" = --version ]; then puf -V 2>&1 | head -n 1; exit; fi
exec timeout 3 puf -P "$HOME" -t 1 -T 3 -- "$1"
