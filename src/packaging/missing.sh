#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# missing.sh PACKAGE [ARGUMENT...]: stands for a program that is not installed, and says which package has it.
echo "this needs $1, which is not installed: apt-get install $1" >&2
exit 2
