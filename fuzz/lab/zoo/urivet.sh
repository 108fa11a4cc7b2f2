#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# One of urivet's own readers. Exit status 1, some inputs refused, is a valid answer.
reader=$1
urivet=${URIVET:-build/urivet}
[ "${2:-}" = --version ] && exec "$urivet" --version
"$urivet" parse --reader="$reader" -0 --format=tsv
[ $? -le 1 ]
