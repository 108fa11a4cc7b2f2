# SPDX-License-Identifier: Apache-2.0
# Common code of the server scripts. Sourced with the script's own arguments.

# version COMMAND...: if the script was called with --version, prints the first line of the command's
# output and exits.
asked=${1-}
version() {
	[ "$asked" = --version ] || return 0
	"$@" 2>&1 </dev/null | grep . | head -n 1
	exit 0
}
# nginx_with DIRECTIVES [SERVER]: runs nginx with these directives in its server, and one more server.
nginx_with() {
	version nginx -v
	cat >"$DIR/nginx.conf" <<EOF
daemon off;
worker_processes 1;
pid $DIR/pid;
error_log stderr crit;
events { }
http {
	access_log off;
	client_body_temp_path $DIR/body;
	proxy_temp_path $DIR/proxy;
	fastcgi_temp_path $DIR/fastcgi;
	uwsgi_temp_path $DIR/uwsgi;
	scgi_temp_path $DIR/scgi;
	server {
		listen 127.0.0.1:$PORT;
		$1
	}
	${2-}
}
EOF
	exec nginx -p "$DIR" -c "$DIR/nginx.conf"
}
# packaged PACKAGE: prints the package's version instead, for programs that do not know their own.
packaged() {
	# shellcheck disable=SC2016
	version dpkg-query -W -f='${Package} ${Version}\n' "$1"
}
