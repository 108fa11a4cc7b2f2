#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
if [ "$*" = --version ]; then emacs --version | head -n 1; exit; fi
URL=$1 exec timeout 3 emacs -Q --batch --eval '(progn
	(require (quote url))
	(setq url-proxy-services nil url-max-redirections 0)
	(url-retrieve-synchronously (getenv "URL") t nil 3))'
