#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
if [ "$*" = --version ]; then mplayer 2>&1 | sed -n '/^MPlayer/{p;q}'; exit; fi
exec timeout -s KILL 3 mplayer -noconfig all -nolirc -nojoystick -nocache \
	-dumpstream -dumpfile /dev/null "$1" </dev/null
