#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
if [ "$*" = --version ]; then httrack --version | head -n 1; exit; fi
exec timeout 3 httrack -q -O "$HOME/mirror" -r1 -g -s0 -R0 -T3 -I0 -C0 "$1"
