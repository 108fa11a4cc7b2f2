#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
if [ "$*" = --version ]; then cadaver --version | head -n 1; exit; fi
exec timeout 3 cadaver "$1" </dev/null
