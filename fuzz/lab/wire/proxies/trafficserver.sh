#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Apache Traffic Server, a remap rule, and header_rewrite for what is refused.
. "$HERE/adapter.sh"
version traffic_server --version
mkdir -p "$DIR/etc" "$DIR/run" "$DIR/log" "$DIR/cache"
cp /etc/trafficserver/*.yaml /etc/trafficserver/*.config "$DIR/etc/"
chmod -R a+rwX "$DIR"
cat >"$DIR/runroot.yaml" <<EOF
prefix: /usr
exec_prefix: /usr
bindir: /usr/bin
sbindir: /usr/bin
sysconfdir: $DIR/etc
datadir: $DIR/cache
includedir: /usr/include
libdir: /usr/lib/trafficserver
libexecdir: /usr/lib/trafficserver/modules
localstatedir: $DIR/run
runtimedir: $DIR/run
logdir: $DIR/log
cachedir: $DIR/cache
EOF
cat >"$DIR/etc/records.config" <<EOF
CONFIG proxy.config.http.server_ports STRING $PORT:ipv4:ip-in=127.0.0.1
CONFIG proxy.config.http.cache.http INT 0
CONFIG proxy.config.url_remap.pristine_host_hdr INT 1
CONFIG proxy.config.url_remap.remap_required INT 0
CONFIG proxy.config.reverse_proxy.enabled INT 1
CONFIG proxy.config.exec_thread.autoconfig INT 0
CONFIG proxy.config.exec_thread.limit INT 1
CONFIG proxy.config.log.logging_enabled INT 0
CONFIG proxy.config.admin.user_id STRING nobody
EOF
cat >"$DIR/etc/rules.conf" <<'EOF'
cond %{REMAP_PSEUDO_HOOK}
cond %{CLIENT-URL:PATH} /^admin/ [OR]
cond %{CLIENT-URL:PATH} /\.inc$/
set-status 403
EOF
echo "$DIR/cache 32M" >"$DIR/etc/storage.config"
echo "map / http://$UPSTREAM/ @plugin=header_rewrite.so @pparam=$DIR/etc/rules.conf" >"$DIR/etc/remap.config"
exec traffic_server --run-root="$DIR/runroot.yaml" -T ''
