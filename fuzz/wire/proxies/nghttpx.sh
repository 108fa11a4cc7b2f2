#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# nghttpx, rules in its Ruby on the request's path.
. "$HERE/adapter.sh"
version nghttpx --version
cat >"$DIR/rule.rb" <<'EOF'
class App
  def on_req(env)
    path = env.req.path.split("?")[0]
    env.resp.return "" if (path.start_with?("/admin") || path.end_with?(".inc")) && env.resp.status = 403
  end
end
App.new
EOF
exec nghttpx --conf=/dev/null --workers=1 --frontend="127.0.0.1,$PORT;no-tls" \
	--backend="127.0.0.1,$UPSTREAM_PORT;;mruby=$DIR/rule.rb"
