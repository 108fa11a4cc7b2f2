# SPDX-License-Identifier: Apache-2.0
# Common code of the proxy scripts, one configuration each. Sourced with the script's own arguments.
. "$HERE/../servers/adapter.sh"

# nginx_before DIRECTIVES: runs nginx, which refuses the attacks and forwards the rest by these directives.
nginx_before() {
	nginx_with "location / { $1 }
		location /admin { return 403; }
		location ~ \\.inc\$ { return 403; }
		${2-}"
}

# apache_before DIRECTIVES: runs Apache, which refuses the attacks and forwards the rest by these
# directives.
apache_before() {
	version apache2 -v
	cat >"$DIR/apache.conf" <<EOF
ServerName www.example.com
ServerRoot $DIR
DefaultRuntimeDir $DIR
PidFile $DIR/pid
ErrorLog /dev/stderr
LogLevel crit
$(for module in mpm_event authz_core proxy proxy_http rewrite; do
	echo "LoadModule ${module}_module /usr/lib/apache2/modules/mod_$module.so"
done)
User www-data
Group www-data
Listen 127.0.0.1:$PORT
<Location /admin>
	Require all denied
</Location>
<LocationMatch "\.inc\$">
	Require all denied
</LocationMatch>
$1
EOF
	exec apache2 -f "$DIR/apache.conf" -DFOREGROUND
}

# haproxy_before OPTION: runs HAProxy, which refuses the attacks and forwards the rest.
haproxy_before() {
	version haproxy -v
	cat >"$DIR/haproxy.cfg" <<EOF
global
	expose-experimental-directives
defaults
	mode http
	timeout connect 2s
	timeout client 5s
	timeout server 5s
frontend in
	bind 127.0.0.1:$PORT
	$1
	http-request deny deny_status 403 if { path_beg /admin } || { path_end .inc }
	default_backend up
backend up
	server up $UPSTREAM
EOF
	exec haproxy -db -f "$DIR/haproxy.cfg"
}
