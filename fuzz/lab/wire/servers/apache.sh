#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Apache serving files, with its default settings.
. "$HERE/adapter.sh"
version apache2 -v
modules=/usr/lib/apache2/modules
cat >"$DIR/apache.conf" <<EOF
ServerName www.example.com
ServerRoot $DIR
PidFile $DIR/pid
ErrorLog /dev/stderr
LogLevel crit
LoadModule mpm_event_module $modules/mod_mpm_event.so
LoadModule authz_core_module $modules/mod_authz_core.so
User www-data
Group www-data
Listen 127.0.0.1:$PORT
DocumentRoot $ROOT
EOF
exec apache2 -f "$DIR/apache.conf" -DFOREGROUND
