#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
if [ "$*" = --version ]; then gst-launch-1.0 --version | sed -n 2p; exit; fi
exec timeout 3 gst-launch-1.0 -q souphttpsrc timeout=3 retries=0 automatic-redirect=false \
	location="$(printf %s "$1" | sed "s,\\\\,&&,g")" ! fakesink
