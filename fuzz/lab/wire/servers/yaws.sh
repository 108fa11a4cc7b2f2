#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Yaws, in Erlang, serving files.
. "$HERE/adapter.sh"
version yaws --version
export HOME="$DIR"
mkdir -p "$DIR/logs"
cat >"$DIR/yaws.conf" <<EOF
logdir = $DIR/logs
<server localhost>
	port = $PORT
	listen = 127.0.0.1
	docroot = $ROOT
</server>
pick_first_virthost_on_nomatch = true
EOF
exec yaws --conf "$DIR/yaws.conf" --erlarg '-noshell -noinput' --runmod yaws
