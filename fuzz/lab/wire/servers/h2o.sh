#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# H2O serving files.
. "$HERE/adapter.sh"
version h2o --version
cat >"$DIR/h2o.conf" <<EOF
listen: { host: 127.0.0.1, port: $PORT }
user: nobody
num-threads: 1
hosts: { default: { paths: { "/": { file.dir: $ROOT } } } }
EOF
exec h2o -c "$DIR/h2o.conf"
