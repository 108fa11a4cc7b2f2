#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# HAProxy that normalises: dot segments, slashes, triplets of unreserved characters.
. "$HERE/adapter.sh"
haproxy_before "http-request normalize-uri path-merge-slashes
	http-request normalize-uri path-strip-dot
	http-request normalize-uri path-strip-dotdot full
	http-request normalize-uri percent-decode-unreserved"
