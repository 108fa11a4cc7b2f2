#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
if [ "$*" = --version ]; then svn --version | head -n 1; exit; fi
# The text after the last @ is a revision; a final @ means that there is none.
exec timeout 3 svn info --non-interactive -- "$1@"
