#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Stands for Python where there is none, whatever the arguments.
echo 'this needs python3, which is not installed: apt-get install python3' >&2
exit 2
