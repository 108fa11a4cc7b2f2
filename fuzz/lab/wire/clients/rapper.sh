#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
if [ "$*" = --version ]; then echo "rapper $(rapper --version)"; exit; fi
exec timeout 3 rapper -q -c -i turtle "$1"
