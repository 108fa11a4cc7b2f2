#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
if [ "$*" = --version ]; then edbrowse -v; exit; fi
exec timeout 3 edbrowse -e "$1" </dev/null
