#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
if [ "$*" = --version ]; then git --version; exit; fi
GIT_TERMINAL_PROMPT=0 GIT_CONFIG_NOSYSTEM=1 exec timeout 3 git -c http.followRedirects=false ls-remote -- "$1"
