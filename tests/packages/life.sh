#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs in a bare Debian, as root: installs the packages of /first, tests them, upgrades to /next while nginx runs,
# removes while in use, and purges.
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
status=0
holds() { # what, command...
	what=$1
	shift
	if "$@"; then echo "ok $what"; else
		echo "FAILS: $what"
		status=1
	fi
}
# no service is started by packages
printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d
chmod +x /usr/sbin/policy-rc.d
apt-get -q update || exit 1
holds 'one command installs' apt-get -q -y --no-install-recommends install /first/*.deb
apt-get -q -y --no-install-recommends install nginx curl gcc libc6-dev pkg-config libyaml-dev >/dev/null || exit 1
for test in $(sed -n 's/^Tests: //p' /tests/control); do
	holds "test of $test" timeout 120 "/tests/$test"
done

answers() { # of a path without and with an ambiguity
	for path in /a /a%2Fb; do
		curl -s -o /dev/null -w '%{http_code} ' --path-as-is "http://localhost:18081$path"
	done
}
judges() { # within 20 seconds
	for try in 1 2 3 4 5 6 7 8 9 10; do
		[ "$(answers)" = '204 400 ' ] && return
		sleep 2
	done
	echo "nginx answers $(answers) after $try tries"
	return 1
}
printf 'server { listen 127.0.0.1:18081; urivet enforce; urivet_origin http://localhost:18081; location / { return 204; } }\n' >/etc/nginx/conf.d/guard.conf
nginx && sleep 0.5
holds 'nginx judges' judges
: >/usr/lib/postgresql/15/lib/urivet-0.9.so
holds 'upgrade while nginx runs' dpkg -i /next/*.deb
holds 'nginx still judges' judges
holds 'PostgreSQL still has the module of an earlier release' [ -e /usr/lib/postgresql/15/lib/urivet-0.9.so ]
nginx -s reload && sleep 0.5
holds 'nginx judges by the new module' judges

# an upgrade with options that the new version refuses; systemd is only pretended to run
mkdir -p /run/systemd/system
sed -i 's|^JUDGE=.*|JUDGE="--from=nginx --policy-file=/etc/urivet/none.yaml"|' /etc/default/urivet-serve
said=$(sh /var/lib/dpkg/info/urivet-serve.postinst configure 0.9 2>&1)
holds 'a policy that cannot be loaded does not fail the upgrade' [ $? = 0 ]
holds 'and is reported with its name' sh -c 'echo "$1" | grep -q "none.yaml.*" && echo "$1" | grep -q "keeps running"' sh "$said"
sed -i 's|^JUDGE=.*|JUDGE="--from=nginx"|' /etc/default/urivet-serve
holds 'one that can be loaded is not' sh -c '! sh /var/lib/dpkg/info/urivet-serve.postinst configure 0.9 2>&1 | grep "keeps running"'
rm -r /run/systemd

said=$(dpkg --remove libnginx-mod-http-urivet 2>&1)
holds 'removal says that nginx uses the module' sh -c 'echo "$1" | grep -q "still has directives of urivet"' sh "$said"
holds 'nginx judges after removal' judges
nginx -s reload 2>/dev/null
sleep 0.5
holds 'and after a reload, which fails' judges
kill "$(cat /run/nginx.pid)"
rm /etc/nginx/conf.d/guard.conf
all=$(dpkg-query -W -f '${Package} ${Source}\n' | sed -n 's/ urivet.*//p; s/^\(urivet\) $/\1/p')
holds 'removal' apt-get -q -y remove $all
holds 'options are kept' [ -e /etc/default/urivet-serve ]
holds 'purge' dpkg --purge $all libnginx-mod-http-urivet
left=$(find / -xdev -iname '*urivet*' ! -path '/first/*' ! -path '/next/*' ! -path '/proc/*' ! -path '/run/urivet*' ! -path '/var/lib/apt/*' ! -path '/var/log/apt/*')
holds 'nothing is left' [ -z "$left" ]
echo "$left"
exit $status
