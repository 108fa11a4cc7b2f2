#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# One of urivet's own readers; a refusal of some inputs (exit status 1) is an answer.
reader=$1
urivet=${URIVET:-build/urivet}
[ "${2:-}" = --version ] && exec "$urivet" --version
"$urivet" parse --reader="$reader" -0 --format=tsv
[ $? -le 1 ]
