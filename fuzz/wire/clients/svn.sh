#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
if [ "$*" = --version ]; then svn --version | head -n 1; exit; fi
# the last @ of what it is given parts a revision: there none
exec timeout 3 svn info --non-interactive -- "$1@"
