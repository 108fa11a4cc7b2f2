#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
if [ "$*" = --version ]; then axel --version | head -n 1; exit; fi
rm -f "$HOME/fetched" "$HOME/fetched.st"
exec timeout 3 axel -q -N -n 1 -T 3 --max-redirect=0 -o "$HOME/fetched" -- "$1"
