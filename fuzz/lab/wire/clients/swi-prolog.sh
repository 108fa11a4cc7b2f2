#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
if [ "$*" = --version ]; then swipl --version; exit; fi
exec timeout 3 swipl -q -g 'use_module(library(http/http_open)), current_prolog_flag(argv, [Url|_]),
	http_open(Url, In, [timeout(3), redirect(false), bypass_proxy(true)]), close(In), halt' \
	-t 'halt(1)' -s /dev/null -- "$1"
