#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# HAProxy, as it comes.
. "$HERE/adapter.sh"
haproxy_before
