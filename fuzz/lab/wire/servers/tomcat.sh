#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Tomcat 10 with a context that serves files, with its default settings.
. "$HERE/adapter.sh"
packaged tomcat10
mkdir -p "$DIR/conf" "$DIR/logs" "$DIR/temp" "$DIR/work"
cp /etc/tomcat10/web.xml "$DIR/conf/web.xml"
cat >"$DIR/conf/server.xml" <<EOF
<Server port="-1">
	<Service name="files">
		<Connector port="$PORT" address="127.0.0.1" protocol="HTTP/1.1" maxThreads="20" />
		<Engine name="files" defaultHost="localhost">
			<Host name="localhost" appBase="none" deployOnStartup="false">
				<Context path="" docBase="$ROOT" />
			</Host>
		</Engine>
	</Service>
</Server>
EOF
home=/usr/share/tomcat10
exec java -Xmx128m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp "$home/bin/bootstrap.jar:$home/bin/tomcat-juli.jar" \
	-Dcatalina.home="$home" -Dcatalina.base="$DIR" -Djava.io.tmpdir="$DIR/temp" \
	org.apache.catalina.startup.Bootstrap start
