#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The source distribution and the wheel: made once more elsewhere, at another time and by another umask, they are the
# same octets. The wheel is installed, and answers what every binding has to answer.
cd "$(dirname "$0")/../../.." || exit 2
python=${PYTHON:-/usr/bin/python3}
make=${MAKE:-make}
"$make" -s python || exit 1
if [ -z "$(ls build/python/dist/*.whl 2>/dev/null)" ]; then
	echo 'skipped: no wheel is built, it needs python3-dev, python3-build, python3-setuptools and python3-wheel'
	exit 0
fi
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
complain() {
	echo "dist: $*"
	exit 1
}

# of a copy in another folder, with an umask, locale and time of its own; the wheel is built from the source
# distribution alone
mkdir -p "$tmp/elsewhere/deeper"
(
	umask 077
	cp -r LICENSE include src "$tmp/elsewhere/deeper/"
	export LC_ALL=C.UTF-8 TZ=Asia/Tokyo SOURCE_DATE_EPOCH=315619200 PYTHON="$python"
	cd "$tmp/elsewhere/deeper" && sh src/bindings/python/dist.sh "$tmp/again"
) >"$tmp/log" 2>&1 || { tail -n 20 "$tmp/log"; exit 1; }
for made in build/python/dist/*.whl build/python/dist/*.tar.gz; do
	cmp "$made" "$tmp/again/dist/$(basename "$made")" || complain "$(basename "$made") is not the same octets"
done
# the control: another time inside is seen
(
	export SOURCE_DATE_EPOCH=1000000000
	cd "$tmp/again/stage" && $python setup.py -q sdist --dist-dir "$tmp/control"
) >/dev/null 2>&1
cmp -s "$tmp/control"/*.tar.gz build/python/dist/*.tar.gz && complain 'control: a distribution of another time is the same'

case $(basename build/python/dist/*.whl) in
*-cp311-abi3-linux_*.whl) ;;
*) complain 'the wheel is not of the limited interface' ;;
esac
$python -m zipfile -e build/python/dist/*.whl "$tmp/installed" || exit 1
strings -a "$tmp/installed/urivet/_urivet.abi3.so" | grep -qE "$tmp|$PWD" && complain 'a folder is in the extension'
nm -D --defined-only "$tmp/installed/urivet/_urivet.abi3.so" | grep -v ' PyInit__urivet$' && complain 'it exports more than itself'
nm -D --defined-only build/python/urivet/_urivet.abi3.so | grep -v ' PyInit__urivet$' && complain 'it exports more than itself'
sh tests/bindings/python/run.sh "$tmp/installed" test_conformance test_urivet.Judging test_urivet.Policies.test_faults >"$tmp/log" 2>&1 || { cat "$tmp/log"; exit 1; }
grep '^conformance' "$tmp/log"
echo "dist: $(basename build/python/dist/*.whl) and its source distribution are the same octets when made again, control seen"
