#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
: >>"$HOME/.ebrc"       # without it, it talks about that
if [ "$*" = --version ]; then echo "edbrowse $(edbrowse -v)"; exit; fi
exec timeout 3 edbrowse -e "$1" </dev/null
