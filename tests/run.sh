#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs every test, or those steps alone that STEPS="unit cli" names, one after the other, with what was built
# before; with FIRST=1 the command's tests end at the first that fails. Logs lie in build/log; the closing line
# counts the steps.
#
# In the list below, what is built comes `first`. Each `step` and what comes `after` it make a row; as many
# rows run side by side as there are cores, since no two of them write the same file. What needs the machine
# to itself runs `alone` at the end.
set -u
cd "$(dirname "$0")/.." || exit 2
log=${LOG:-build/log}
python=${PYTHON:-/usr/bin/python3}
make=${MAKE:-make}
cores=$(nproc 2>/dev/null || echo 1)
jobs=-j$cores
passed=0 failed=0
mkdir -p "$log"

step() { # name, command...
	name=$1
	shift
	case " $STEPS " in
	*" $name "*) ;;
	*) return ;;
	esac
	start=$(date +%s)
	if "$@" >"$log/$name" 2>&1; then
		passed=$((passed + 1))
		result=pass
	else
		failed=$((failed + 1))
		result=FAIL
	fi
	# in one piece: others may be printing
	printf '%s\n' "$(
		printf '%-4s %-18s %4ss  %s\n' $result "$name" $(($(date +%s) - start)) \
			"$(grep -v '^$' "$log/$name" | tail -n 1 | cut -c1-90)"
		[ $result = pass ] || tail -n 40 "$log/$name"
	)"
}
first() { step "$@"; }
after() { step "$@"; }
alone() { step "$@"; }

# All steps: this script again for each row.
rows() { # kinds of steps: their names, a row to a line
	sed -nE "s/^($1) ([^ ]+).*/\1 \2/p" tests/run.sh |
		awk '{ printf "%s%s", $1 == "after" ? " " : end, $2; end = "\n" } END { print "" }'
}
run() { # rows at once
	xargs -I '{}' -P "$1" env STEPS='{}' ROW=1 sh tests/run.sh
}
if [ -z "${STEPS:-}" ]; then
	{
		rows first | run 1
		rows 'step|after' | run "$cores"
		rows alone | run 1
	} | tee "$log/steps"
	grep -h 'Synthesis' "$log/unit"
	echo "$(grep -c '^pass ' "$log/steps") passed, $(grep -c '^FAIL ' "$log/steps") failed"
	[ "$(grep -c '^pass ' "$log/steps")" = "$(rows 'first|step|after|alone' | wc -w)" ]
	exit
fi

# Criterion exits 0 when a filter matches nothing: at least so many tests must run.
unit() { # binary
	"$1" --timeout 120 >"$log/$name.out" 2>&1
	status=$?
	cat "$log/$name.out"
	tested=$(sed -n 's/.*Tested: \([0-9]*\).*/\1/p' "$log/$name.out")
	[ $status = 0 ] && [ "${tested:-0}" -ge 420 ] && ! grep -q 'SUMMARY: .*Sanitizer' "$log/$name.out"
}

cli() { # binary
	URIVET=$1 $python -B -m unittest discover ${FIRST:+-f} -s tests/cli -t tests/cli
}

model() { # policy, count, seed, binary, options of the differ
	policy=$1 count=$2 seed=$3 urivet=$4
	shift 4
	$python -B tests/model/differ.py --urivet "$urivet" --policy "$policy" --count "$count" --seed "$seed" "$@"
}

# The policy gateway and request targets against models: URLs, then records of requests.
gateway() { # seed, binary
	model gateway 60000 "$1" "$2" &&
		model gateway 35000 "$1" "$2" --requests && model strict 35000 "$1" "$2" --requests &&
		model public 14000 "$1" "$2" --requests
}

# The policy public against a model, against other software, and by peers.
addresses() {
	build/peers 1000000 1 &&
		$python -B tests/addresses/compare.py --urivet build/urivet --judge build/judge --count 200000 --seed 1 &&
		$python -B tests/addresses/others.py --urivet build/urivet \
			--ipaddr-js "${IPADDR_JS:-build/npm/node_modules/ipaddr.js}"
}

# The example, at connect time; the library itself needs no libcurl.
connect() {
	if ! pkg-config --exists 'libcurl >= 7.85'; then
		echo 'connect: skipped, needs libcurl4-openssl-dev, 7.85 or newer'
		return
	fi
	"$make" -s examples CFLAGS=-Werror || return
	$python -B tests/connect/connect.py --fetch build/fetch --unguarded build/fetch_unguarded
	status=$?
	[ $status = 0 ] || [ $status = 77 ]
}

# Domains as ICU and libidn2 make them ASCII. It has teeth: an ICU that leaves something out differs.
names() {
	for without in bidi joiners nontransitional; do
		$python -B tests/names/compare.py --count 5000 --seed 2 --without $without >"$log/names-teeth" && {
			grep -q '^skipped' "$log/names-teeth" && break
			echo "names: nothing is found without $without"
			return 1
		}
	done
	$python -B tests/names/compare.py --count 100000 --seed 1
}

# Gateways before a server with a secret, in a network of their own where there may be one.
gateways() { # variant, suites
	build=build
	[ "$1" = release ] || build=build/$1
	"$make" -s $jobs VARIANT="$1" $build/urivet $build/nginx/ngx_http_urivet_module.so || return
	inside=$(command -v env)
	$python -B fuzz/wire/cage.py true && inside="$python -B fuzz/wire/cage.py env"
	[ "$1" = release ] || export URIVET_PRELOAD="$(cc -print-file-name=libasan.so)"
	# shellcheck disable=SC2086
	$inside -C tests/gateway PYTHONDONTWRITEBYTECODE=1 URIVET="$PWD/$build/urivet" \
		URIVET_NGINX_MODULE="$PWD/$build/nginx/ngx_http_urivet_module.so" $python -m unittest -q $2
}

# The Python package of a build.
python_package() { # variant
	if [ "$1" = release ]; then
		"$make" -s $jobs python-check
	else # what fetches is the same Python
		"$make" -s $jobs VARIANT="$1" python &&
			sh tests/python/run.sh build/"$1"/python test_urivet test_conformance test_fields test_guards
	fi
}

# The harnesses, without a fuzzer, over the corpus and generated URLs.
replay() { # variant
	if [ "$1" = msan ] && ! command -v clang-19 >/dev/null; then
		echo 'skipped: clang-19 is missing'
		return
	fi
	$python -B tests/model/generate.py 20000 5 any | tr '\000' '\n' >"$log/generated"
	mkdir -p "$log/compiled"
	for policy in src/policies/*.yaml strict public any gateway; do
		build/urivet policy compile "$policy" -o "$log/compiled/$(basename "$policy")" || return
	done
	"$make" -s $jobs VARIANT="$1" harnesses &&
		"$make" -s VARIANT="$1" replay FILES="corpus src/policies $log/compiled $log/generated"
}

# Real parsers read what strict accepts: those that are here, five of them at least.
zoo() {
	(cd fuzz/zoo && $python -B -m unittest -q self_test) &&
		"$make" -s zoo-judge N=3000 SEED=6 && "$make" -s zoo-judge N=3000 SEED=7 POLICY=any || return 1
	# it has teeth: without these rules readers of tests/deps.sh find another host, and without these
	# rows of its table their spellings are differences
	for without in --allow=query-after-empty-path --allow=fragment-after-empty-path \
		--allow=colon-port-in-tail --without=letter-case --without=openssl-question; do
		$python -B fuzz/zoo/zoo.py judge --count=1500 "$without" >"$log/zoo-teeth"
		[ $? = 1 ] || {
			echo "zoo: nothing is found with $without"
			return 1
		}
	done
	"$make" -s zoo
}

# A parser of somebody: planted bugs are named, readers that misbehave are found out, what is asked for is built alone.
versus() {
	(cd fuzz/yours && $python -B -m unittest -q self_test) || return 1
	built=$("$make" -n VARIANT=none HARNESS=parse harnesses | grep -o "build/none/fuzz_[a-z]*" | sort -u | xargs)
	[ "$built" = build/none/fuzz_parse ] || {
		echo "versus: HARNESS=parse builds ${built:-nothing}"
		return 1
	}
	sh fuzz/yours/yours_test.sh
}

# Parsers fuzzed against one another: those that are here, five of them at least, without other languages.
differential() {
	"$make" -s $jobs differential-check && SEED=1 $python -B fuzz/differential/differential.py run --time=100 --runs=50000 --alone || return
	# it has teeth: a real parser that reads too far is found
	! pkg-config --modversion neon | grep -qx '0\.32\.5' ||
		grep -q '^over-read	neon	' build/differential/found/incidents.tsv
}

# International names: what the readers that are here make of those that are offered, and of A-labels.
agree() {
	$python -B tests/names/datasets.py --check --urivet=build/urivet &&
		$python -B tests/names/agree.py --quick --rule=command || return 1
	# it has teeth: a rule without these clauses is found out
	for without in cherokee deviation normal; do
		$python -B tests/names/agree.py --random=60 --without=$without >"$log/agree-teeth"
		[ $? = 1 ] || {
			echo "agree: nothing is found with --without=$without"
			return 1
		}
	done
	$python -B tests/names/consensus.py
}

# What names look like: the tables, imitations and honest names, and ICU about mixed scripts.
looks() {
	$python -B tests/names/looks.py && $python -B tests/names/looks.py --icu &&
		$python -B tests/names/imitations.py --urivet=build/urivet --mixed=20000
}

# What clients send, proxies pass on and servers route: those that install quickly.
wire() {
	(cd fuzz/wire && $python -B -m unittest -q self_test page_test chains_test) || return 1
	if ! $python -B fuzz/wire/cage.py true; then
		echo 'skipped: namespaces cannot be made here'
		return
	fi
	"$make" -s wire-quick SEED=6 || return 1
	# it has teeth: BusyBox wget asks for /a where the URL is http://h?a, and sends fragments
	for without in --allow=query-after-empty-path --without=fragment-sent; do
		$python -B fuzz/wire/wire.py judge --client=busybox-wget --count=600 "$without" >"$log/wire-teeth"
		[ $? = 1 ] || {
			echo "wire: nothing is found with $without"
			return 1
		}
	done
}

# The same without AVX2, and without any vectors: other ways, the same answers.
vectors() { # VECTORS=
	"$make" -s $jobs VARIANT=vectors-"$1" VECTORS="$1" vectors-"$1"_CFLAGS='-O2 -Werror' \
		build/vectors-"$1"/urivet build/vectors-"$1"/standalone build/vectors-"$1"/conform tables &&
		STANDALONE_SLOW=20 build/vectors-"$1"/standalone &&
		model strict 50000 8 build/vectors-"$1"/urivet &&
		$python -B fuzz/corpus.py --check build/vectors-"$1"/urivet &&
		build/vectors-"$1"/conform gate build/grammar/gate.dfa 1 3
}

# Criterion and its libraries leak a little at exit; the library allocates nothing.
sanitized() { ASAN_OPTIONS=detect_leaks=0 "$@"; }

first build "$make" -s $jobs all onefile tables build/unit build/loader build/conform build/cases build/read_as build/invariant build/judge build/peers build/endpoints build/parameters CFLAGS=-Werror
first build-asan "$make" -s $jobs VARIANT=asan build/asan/urivet build/asan/unit build/asan/loader build/asan/conform harnesses

step cli-asan cli build/asan/urivet
step cli cli build/urivet
step onefile sh tests/onefile.sh
after js sh tests/js/run.sh
after vectors-no vectors no
after vectors-sse2 vectors sse2
step zoo zoo
step differential differential
step wire wire
step replay-asan replay asan
after replay-msan replay msan
step gateways gateways release 'test_nginx test_serve test_log'
after gateways-asan gateways asan 'test_nginx test_serve test_log'
after gateways-examples gateways release test_examples
step symbols sh tests/symbols.sh
after versions sh tests/versions/run.sh
after header sh tests/header.sh
after stack sh tests/resources/stack.sh
after hardened sh tests/hardened.sh
after reproducible sh tests/reproducible.sh
after bare sh tests/bare.sh
step unit unit build/unit
after unit-asan sanitized unit build/asan/unit
step loader build/loader
after loader-asan build/asan/loader
step python python_package release
after python-asan python_package asan
after python-dist sh tests/python/dist.sh
step postgres "$make" -s $jobs postgres
step duckdb "$make" -s $jobs duckdb
after duckdb-asan "$make" -s $jobs duckdb DUCKDB_TEST=asan
step policies sh -c "cd tests/policies && URIVET=$PWD/build/urivet $python -B -m unittest -q"
step policy-model $python -B tests/policies/differ.py --urivet build/urivet
step versus versus
step names-agree agree
step names-tables $python -B tests/names/tables.py
after names-looks looks
after names-rule $python -B tests/names/names.py --urivet build/urivet
after uts46-tables $python -B tests/names/uts46.py --check
after names names
step model-self sh -c "cd tests/model && $python -B -m unittest -q self_test gateway_self_test"
step model-strict model strict 200000 1 build/urivet
after model-any model any 100000 2 build/urivet
after model-gateway gateway 9 build/urivet
after model-urls $python -B tests/model/urls.py
after model-asan model strict 50000 3 build/asan/urivet
after gateway-asan model gateway 21000 10 build/asan/urivet --requests
step compatibility $python -B tests/model/compatibility.py --urivet build/urivet
after tlds $python -B tests/model/tlds.py --urivet build/urivet
after readers sh -c "$python -B tests/model/generate.py 100000 4 | build/invariant"
after browser $python -B tests/readers/browser.py --read-as build/read_as --count 200000 --seed 1
step conformance "$make" -s conformance-check
after parameters $python -B tests/parameters/compare.py --driver build/parameters --seed 1
step grammar sh tests/grammar/run.sh quick
step acceptance $python -B tests/acceptance/acceptance.py --urivet build/urivet
after addresses addresses
after endpoint $python -B tests/endpoint/endpoint.py --endpoints build/endpoints --count 40000 --seed 1
after connect connect
step corpus $python -B fuzz/corpus.py --check build/urivet
after editions $python -B tests/editions.py
after survivors $python -B tests/mutate/survivors.py
after limits $python -B tests/limits.py
after layers sh tests/layers.sh
after bench sh -c "cd tests/bench && $python -B -m unittest -q self_test"
after planted "$python" -B fuzz/bugs.py --places
step manual sh tests/manual.sh
after readme $python -B tests/readme.py --check build/urivet
after demo sh tests/demo.sh build/urivet

alone gateway-load "$make" -s gateway-load
alone install sh tests/install.sh

for name in $STEPS; do
	grep -qE "^(first|step|after|alone) $name " tests/run.sh || { echo "no step '$name'" >&2; failed=$((failed + 1)); }
done
[ -n "${ROW:-}" ] || echo "$passed passed, $failed failed"
[ $failed = 0 ]
