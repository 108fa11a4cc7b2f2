#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh FOLDER [TEST...]: the tests of the Python package that lies in FOLDER, of a build with sanitizers too. What
# needs a package of Debian that is not here is skipped, and says so.
cd "$(dirname "$0")/../../.." || exit 2
folder=$(cd "${1:-build/python}" && pwd) || exit 2
[ $# -gt 0 ] && shift
python=${PYTHON:-/usr/bin/python3}
export PYTHONPATH="$folder" PYTHONDONTWRITEBYTECODE=1
if nm -u "$folder/urivet/_urivet.abi3.so" | grep -q __asan_; then
	# the language itself was not built with it, and frees not everything when it ends
	LD_PRELOAD="$(cc -print-file-name=libasan.so) $(cc -print-file-name=libubsan.so)"
	export LD_PRELOAD PYTHONMALLOC=malloc ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1
fi
exec "$python" -B -W error::ResourceWarning tests/unittests.py --jobs=1 tests/bindings/python "$@"
