#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Checks the architecture by reading the sources: includes go down only, one place reads input, one writes
# output, nothing allocates, and every file says what it is for.
cd "$(dirname "$0")/.." || exit 2
status=0
complain() {
	echo "$*"
	status=1
}

# The floors of the core, lowest first: a file includes only from its own floor and from lower ones.
floors=$(sed -n 's/^FLOORS *:= //p' Makefile)
rank() { # floor
	n=0
	for name in $floors; do
		n=$((n + 1))
		[ "$name" = "$1" ] && break
	done
	echo $n
}
core=$(for floor in $floors; do ls src/core/"$floor"/*.[ch]; done)
sources=$(echo "$core" | grep '\.c$')
for file in $core; do
	self=$(basename "$(dirname "$file")")
	for included in $(sed -n 's/^#include "\(.*\)"/\1/p' "$file"); do
		[ -f "src/core/$included" ] || complain "$file includes $included, which is not named from src/core on"
		[ "$(rank "${included%%/*}")" -le "$(rank "$self")" ] || complain "$file includes $included, of a floor above"
	done
done
for folder in src/core/*/; do
	case " $floors " in *" $(basename "$folder") "*) ;; *) complain "$folder is no floor" ;; esac
done
# Within a floor headers form no cycle: tsort must find an order.
for header in $(echo "$core" | grep '\.h$'); do
	sed -n "s|^#include \"\(.*\)\"|src/core/\1 $header|p" "$header"
done | tsort >/dev/null || complain 'headers include one another in a circle'

# The core needs freestanding headers and string.h, nothing else.
grep -n '^#include <' $core | grep -vE 'src/core/plain/vector(_sse2|_avx2|_neon)?.c:.*<(cpuid|stdatomic|emmintrin|immintrin|arm_neon).h>|src/core/check/peer.c:.*<(sys/socket|netinet/in).h>|<(stdbool|stddef|stdint|string|urivet|urivet/[a-z]+)\.(h|def)>' &&
	complain 'the core includes a header it may not'
grep -nE '\b(malloc|calloc|realloc|free|printf|sprintf|setlocale|isalpha|isdigit|strto[a-z]+|atoi|sscanf|strlen)\(' $core |
	grep -v 'src/core/text/names.h.*strlen' && complain 'the core calls what it may not'

# The code without its contracts, which mention the octets too.
code() {
	awk '/\/\*@/ { contract = 1 } !contract { print FILENAME ":" FNR ":" $0 } /\*\// { contract = 0 }' "$@"
}

# One place dereferences the input, one the output.
[ "$(code src/core/text/text.h | grep -c -- '\.data\[')" = 1 ] || complain 'text.h reads input in more than one place'
code $core | grep -E '(\.|->)data\[' | grep -vE '^src/core/text/(text|out)\.h' && complain 'input or output is touched outside text.h and out.h'
# Only load_16() and load_32() load vectors from the text, and only window_at() and window_of_brief() of
# masks.h call them.
for isa in sse2 avx2 neon; do
	loads=$(sed -n '/^RULE .*load.*(struct text t, uint32_t at)/,/^}/p' src/core/plain/vector_$isa.c | grep -c 't\.data')
	[ "$(grep -c '\.data' src/core/plain/vector_$isa.c)" = "$loads" ] || complain "vector_$isa.c reads the text outside of its loads"
done
[ "$(grep -c 'load_[0-9]*(t, ' src/core/plain/masks.h)" = "$(sed -n '/^RULE struct window/,/^}/p' src/core/plain/masks.h | grep -c 'load_[0-9]*(t, ')" ] ||
	complain 'masks.h loads outside of its windows'
grep -n 'load_[0-9]*(t' src/core/plain/vector*.[ch] | grep -v 'load_[0-9]*(struct text' | grep -vE ':.*load(_neon)?\(t' && complain 'a vector is loaded outside of masks.h'
grep -lE '_mm(256)?_|immintrin|emmintrin|arm_neon|\bv[a-z0-9]+q?(_n)?_u(8|16|32|64)\b' $core | grep -vE 'src/core/plain/vector_(sse2|avx2|neon)\.c' && complain 'intrinsics outside of vector_*.c'
grep -n 'verdict = URIVET_' $sources | grep -v 'src/core/check/check.c.*REJECT' && complain 'a verdict is set outside report.c'
[ "$(grep -c 'verdict = ' src/core/report/report.c)" = 1 ] || complain 'report.c sets the verdict in more than one place'

# What the command and the library that loads policies include: public headers, their own and common ones.
# The command starts the helper for gateways by the headers of src/gateway; neither includes the other's own.
only() { # folder, pattern of paths
	for included in $(find src/"$1" -name '*.[ch]' -exec sed -n 's/^#include "\(.*\)"/\1/p' {} + | sort -u); do
		echo "$included" | grep -qE "^($2)" && [ -f "src/$included" ] || complain "src/$1 includes $included"
	done
}
only common 'common/'
only policyfile '(policyfile|common)/'
only cli '(cli/|common/|gateway/(serve|rules|fronts|gate)\.h)'
only gateway/serve '(gateway/(serve/|[a-z]+\.h)|common/)'

# The database extensions include only the public header and their own, and what is nothing in releases.
for folder in $(sed -n '/"common\/exact.h"/d; s/^#include "\([a-z]*\)\/.*"/\1/p' src/bindings/postgres/*.[ch] src/bindings/duckdb/*.[ch] | sort -u); do
	[ -d "src/$folder" ] && complain "an extension of a database includes from src/$folder"
done

for file in $(git ls-files '*.c' '*.h' '*.def' '*.sh' '*.py' '*.mk' '*.map' Makefile 2>/dev/null); do
	head -n 2 "$file" | grep -q 'SPDX-License-Identifier: Apache-2.0' || complain "$file: no SPDX line"
done
grep -nE '.{101,}' $core && complain 'a line is longer than 100 columns'

# Functions of the core stay readable: 48 lines at most.
awk 'FNR == 1 { start = 0 }
	/^[a-z].*\(.*[^;]$/ { head = FNR; name = $0 }
	/^{$/ { start = head }
	/^}$/ { if (start && FNR - start + 1 > 48) { print FILENAME ":" start ": " FNR - start + 1 " lines: " name; bad = 1 } start = 0 }
	END { exit bad }' $sources || complain 'a function is too long'

[ $status = 0 ] && echo "layers: $(cat $core | wc -l) lines of core, includes go down"
exit $status
