#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# HAProxy with its default settings.
. "$HERE/adapter.sh"
haproxy_before
