#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# HAProxy that accepts invalid HTTP (accept-invalid-http-request).
. "$HERE/adapter.sh"
haproxy_before "option accept-invalid-http-request"
