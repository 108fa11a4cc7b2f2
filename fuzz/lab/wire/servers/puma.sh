#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Puma before Rack::Files.
. "$HERE/adapter.sh"
version puma --version
printf "require 'rack'\nrun Rack::Files.new('%s')\n" "$ROOT" >"$DIR/config.ru"
cd "$DIR" || exit 1
exec puma --quiet --bind "tcp://127.0.0.1:$PORT" --threads 2:4 config.ru
