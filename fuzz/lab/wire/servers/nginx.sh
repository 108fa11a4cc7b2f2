#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# nginx serving files: decodes once, merges slashes, removes dot segments.
. "$HERE/adapter.sh"
nginx_with "root ${ROOT-};"
