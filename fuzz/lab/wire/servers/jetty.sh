#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Jetty 9 with a web application that serves files by its DefaultServlet.
. "$HERE/adapter.sh"
packaged jetty9
mkdir -p "$DIR/webapps" "$DIR/logs" "$DIR/temp"
cat >"$DIR/webapps/root.xml" <<EOF
<?xml version="1.0"?>
<!DOCTYPE Configure PUBLIC "-//Jetty//Configure//EN" "http://www.eclipse.org/jetty/configure_9_3.dtd">
<Configure class="org.eclipse.jetty.webapp.WebAppContext">
	<Set name="contextPath">/</Set>
	<Set name="resourceBase">$ROOT</Set>
</Configure>
EOF
home=/usr/share/jetty9
exec java -Xmx128m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Djava.io.tmpdir="$DIR/temp" -jar "$home/start.jar" \
	jetty.home="$home" jetty.base="$DIR" --module=http,deploy,webapp jetty.http.host=127.0.0.1 "jetty.http.port=$PORT"
