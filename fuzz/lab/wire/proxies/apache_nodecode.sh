#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Apache, AllowEncodedSlashes NoDecode and nocanon: the path as it came.
. "$HERE/adapter.sh"
apache_before "AllowEncodedSlashes NoDecode
ProxyPass / http://${UPSTREAM-}/ nocanon"
