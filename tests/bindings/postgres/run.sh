#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Tests the extension for PostgreSQL in servers of its own.
cd "$(dirname "$0")/../../.." || exit 2
python=${PYTHON:-/usr/bin/python3}
make=${MAKE:-make}
server=$("${PG_CONFIG:-pg_config}" --bindir)/postgres
if [ ! -x "$server" ]; then
	echo 'The extension for PostgreSQL is not tested: it needs postgresql-15 (apt-get install postgresql-15).'
	exit 0
fi
cd tests/bindings/postgres || exit 2
# a later release, for upgrades and for machines that differ
release=$(sed -n 's/^.define URIVET_VERSION_[MP][A-Z]* //p' ../../../include/urivet.h | tr '\n' '.')
version=${release%.}
next="${version%.*}.$((${version##*.} + 1))"
"$make" -s -C ../../.. PG_FOLDER=build/postgres-next PG_MODULE_VERSION="$next" PG_EARLIER="$version" PG_MODULE_PATCH=$((${version##*.} + 1)) PG_FLAGS="-Werror -Wextra -Wno-unused-parameter -Wno-sign-compare" postgres-extension || exit
# shellcheck disable=SC2086,SC2068
exec "$python" -B ../../unittests.py --jobs=1 . ${@:-test_cluster test_postgres test_machines test_jobs}
