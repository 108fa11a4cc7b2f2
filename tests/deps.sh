#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Sees to it that what the tests need is there: installs it through apt where it
# is missing and may be installed, else says what is missing.
set -u

missing=
need() { # command or test, Debian package
	eval "$1" >/dev/null 2>&1 || missing="$missing $2"
}
need 'command -v cc' gcc
need 'echo "#include <stdlib.h>" | cc -E -x c -' libc6-dev
need 'command -v c++' g++
need 'command -v pkg-config' pkg-config
need 'pkg-config --exists criterion' libcriterion-dev
need 'pkg-config --exists gumbo' libgumbo-dev
need 'pkg-config --exists gmime-3.0' libgmime-3.0-dev
need 'pkg-config --exists libcurl' libcurl4-openssl-dev
need 'pkg-config --exists libevent' libevent-dev
need 'pkg-config --exists yaml-0.1' libyaml-dev
need 'pkg-config --exists zlib' zlib1g-dev
need 'pkg-config --exists libzstd' libzstd-dev
need 'command -v zstd' zstd
need 'pkg-config --exists libpsl' libpsl-dev
need 'test -e /usr/share/publicsuffix/public_suffix_list.dat' publicsuffix
need '/usr/bin/python3 -c "import json, unittest"' python3
need '/usr/bin/python3 -c "import yaml"' python3-yaml
need 'command -v nm' binutils
# compiles the library as one file
need 'command -v tcc' tcc
# the memory sanitizer and libFuzzer
need 'command -v clang-19' clang-19
need 'ls /usr/lib/llvm-19/lib/clang/19/lib/linux/libclang_rt.fuzzer*' libclang-rt-19-dev
# readers of the zoo; fuzz/zoo/install.sh has all of them
need 'pkg-config --exists libcurl' libcurl4-openssl-dev
need 'pkg-config --exists liburiparser' liburiparser-dev
need 'pkg-config --exists glib-2.0' libglib2.0-dev
need 'pkg-config --exists libxml-2.0' libxml2-dev
# before 3.0.20 an @ anywhere ended OpenSSL's userinfo (openssl/openssl#30319)
need 'pkg-config --atleast-version=3.0.20 libcrypto' libssl-dev
need 'pkg-config --exists neon' libneon27-gnutls-dev
# ... and of the differential fuzzer; fuzz/differential/install.sh has all of them
need 'pkg-config --exists apr-util-1' libaprutil1-dev
need 'echo "#include <boost/url/parse.hpp>" | c++ -E -x c++ -' libboost-url1.81-dev
need '/usr/bin/python3 -c "import urllib3"' python3-urllib3
need 'perl -MURI -e 1' liburi-perl
need 'lua5.3 -e "require \"socket.url\""' 'lua5.3 lua-socket'
# tables of names, and of the reader browser, are made of these, and compared with ICU and libidn2
need 'test -e /usr/share/unicode/UnicodeData.txt' unicode-data
need 'test -e /usr/share/unicode/idna/IdnaMappingTable.txt' unicode-idna
need 'pkg-config --exists icu-uc' libicu-dev
need 'pkg-config --exists libidn2' libidn2-dev
# readers of international names; tests/names/agree/readers.tsv has all of them
need 'pkg-config --exists libidn' libidn-dev
need '/usr/bin/python3 -c "import idna"' python3-idna
need 'perl -MNet::IDN::Encode -e 1' libnet-idn-encode-perl
need 'test -d /usr/share/gocode/src/golang.org/x/net/idna' golang-golang-x-net-dev
# what browsers send is written by its URL class
need 'command -v node' nodejs
# the extensions of databases: a server and its headers; the engine of the other one comes from npm
need 'ls /usr/lib/postgresql/*/bin/postgres' postgresql-15
need 'ls /usr/include/postgresql/*/server/postgres.h' postgresql-server-dev-15
need 'command -v npm' npm
# clients, proxies and servers of the wire laboratory that install quickly; make wire-deps has all
need 'command -v ip' iproute2
need 'command -v curl' curl
need 'command -v wget' wget
need 'command -v busybox' busybox
need 'command -v go' golang-go
need 'perl -MLWP -e 1' libwww-perl
need 'test -x /usr/sbin/nginx' nginx
need 'test -x /usr/share/nginx/src/configure' nginx-dev
need 'test -x /usr/sbin/apache2' apache2
need 'test -x /usr/bin/caddy' caddy
need 'test -x /usr/sbin/haproxy' haproxy
need 'test -x /usr/sbin/squid' squid
need 'command -v wrk' wrk
# the Python package, what fetches with it, and the fields that it has
need 'test -e "$(/usr/bin/python3 -c "import sysconfig; print(sysconfig.get_path(\"include\"))")/Python.h"' python3-dev
need '/usr/bin/python3 -c "import build.__main__"' python3-build # build/ alone would be a package, too
need '/usr/bin/python3 -c "import setuptools"' python3-setuptools
need '/usr/bin/python3 -c "import wheel"' python3-wheel
need '/usr/bin/python3 -c "import requests"' python3-requests
need '/usr/bin/python3 -c "import httpx"' python3-httpx
need '/usr/bin/python3 -c "import aiohttp"' python3-aiohttp
need '/usr/bin/python3 -c "import django"' python3-django
need '/usr/bin/python3 -c "import pydantic"' python3-pydantic
need 'command -v openssl' openssl
# the package for JavaScript
need 'command -v wasm-ld-19' lld-19
need 'command -v wasm-opt' binaryen
need 'command -v zopfli' zopfli
need 'command -v esbuild' esbuild
need 'command -v npm' npm
need 'command -v chromium' chromium
# what it draws
need '/usr/bin/python3 -c "import PIL.Image"' python3-pil
# completion is asked of the shells themselves
need 'command -v bash' bash
need 'command -v zsh' zsh
need 'command -v fish' fish
# one example of the manual
need 'command -v jq' jq
# a terminal, which must obey nothing of what the command writes
need '/usr/bin/python3 -c "import pyte"' python3-pyte
need 'echo .Dd | groff -mandoc -Tascii' groff

# the homepages of tests/acceptance are those of apt's lists
if [ "$(id -u)" = 0 ] && command -v apt-cache >/dev/null 2>&1 &&
	[ "$(apt-cache dumpavail | grep -c '^Homepage: ')" -lt 20000 ]; then
	apt-get -o DPkg::Lock::Timeout=600 update -q >/dev/null
fi

[ -z "$missing" ] && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
	echo "installing:$missing"
	export DEBIAN_FRONTEND=noninteractive
	policy=/usr/sbin/policy-rc.d
	if [ ! -e $policy ]; then # the servers are for the tests alone: none is started
		printf '#!/bin/sh\nexit 101\n' >$policy
		chmod 755 $policy
		trap 'rm -f $policy' EXIT
	fi
	apt-get -o DPkg::Lock::Timeout=600 update -q >/dev/null &&
		# shellcheck disable=SC2086
		apt-get -o DPkg::Lock::Timeout=600 install -q -y --no-install-recommends $missing \
			>/dev/null && exit 0
	echo "apt-get could not install:$missing" >&2
	exit 2
fi
echo "The tests need these Debian packages:$missing" >&2
echo "Install them with: apt-get install$missing" >&2
exit 2
