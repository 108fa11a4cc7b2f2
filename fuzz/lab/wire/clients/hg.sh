#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
if [ "$*" = --version ]; then hg --version -q; exit; fi
HGPLAIN=1 HGRCPATH='' exec timeout 3 hg identify --config http.timeout=3 -- "$1"
