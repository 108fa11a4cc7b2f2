#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
if [ "$*" = --version ]; then links -version; exit; fi
exec timeout 3 links -retries 1 -receive-timeout 3 -unrestartable-receive-timeout 3 -source "$1" </dev/null
