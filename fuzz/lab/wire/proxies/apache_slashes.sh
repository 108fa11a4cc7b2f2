#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Apache, AllowEncodedSlashes On: %2F is let in, and decoded.
. "$HERE/adapter.sh"
apache_before "AllowEncodedSlashes On
ProxyPass / http://${UPSTREAM-}/"
