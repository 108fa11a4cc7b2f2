#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Apache, ProxyPass and nothing else.
. "$HERE/adapter.sh"
apache_before "ProxyPass / http://${UPSTREAM-}/"
