#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# H2O, proxy.reverse.url, rules in its Ruby.
. "$HERE/adapter.sh"
version h2o --version
cat >"$DIR/h2o.conf" <<EOF
listen: { host: 127.0.0.1, port: $PORT }
user: nobody
num-threads: 1
proxy.timeout.keepalive: 0
hosts:
  default:
    paths:
      "/":
        mruby.handler: |
          lambda do |env|
            path = env["PATH_INFO"]
            path.start_with?("/admin") || path.end_with?(".inc") ? [403, {}, []] : [399, {}, []]
          end
        proxy.reverse.url: "http://$UPSTREAM/"
EOF
exec h2o -c "$DIR/h2o.conf"
