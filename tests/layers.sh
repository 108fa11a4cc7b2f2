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

# The floors of the core and of the command, lowest first: a file includes only from its own floor and from
# lower ones.
floors=$(sed -n 's/^FLOORS *:= //p' Makefile)
command_floors='text records judge show scan commands'
# Prints the includes that go up. Arguments: a folder, what its headers are named from, its floors.
climbs() {
	awk -v from="$2" -v floors="$3" 'BEGIN { n = split(floors, floor); for (i = 1; i <= n; i++) rank[floor[i]] = i }
		/^#include "/ {
			split(FILENAME, at, "/")
			included = substr($2, 2, length($2) - 2)
			split(substr(included, length(from) + 1), to, "/")
			if (index(included, from) == 1 && rank[to[1]] > rank[at[3]])
				print FILENAME " includes " included ", of a floor above"
		}' "$1"/*/*.[ch]
}
# Prints the folders below src whose files include from one another, as tsort reads them: it fails on a cycle.
between() { # folders
	find "$@" -name '*.[ch]' -exec grep -H '^#include "' {} + |
		sed 's|^src/||; s|/[^/]*:#include "\(.*\)/[^/]*".*| \1|; /:#include/d' | awk '$1 != $2 { print $2, $1 }' | sort -u
}
# The same for headers, which are named from a folder on.
headers() { # folder that names begin with, headers
	from=$1
	shift
	grep -H '^#include "' "$@" | sed "s|\(.*\):#include \"\(.*\)\".*|$from/\2 \1|"
}
core=$(for floor in $floors; do ls src/core/"$floor"/*.[ch]; done)
sources=$(echo "$core" | grep '\.c$')
for file in $core; do
	for included in $(sed -n 's/^#include "\(.*\)"/\1/p' "$file"); do
		[ -f "src/core/$included" ] || complain "$file includes $included, which is not named from src/core on"
	done
done
for folder in src/core/*/; do
	case " $floors " in *" $(basename "$folder") "*) ;; *) complain "$folder is no floor" ;; esac
done
for folder in src/cli/*/; do
	case " $command_floors manual " in *" $(basename "$folder") "*) ;; *) complain "$folder is no floor" ;; esac
done
outside='src/cli src/common src/gateway src/policyfile src/bindings'
up=$(climbs src/core '' "$floors"; climbs src/cli cli/ "$command_floors")
[ -z "$up" ] || complain "$up"
between $outside | tsort >/dev/null || complain 'folders include one another in a circle'
# Within a floor headers form no cycle: tsort must find an order.
headers src/core $(echo "$core" | grep '\.h$') | tsort >/dev/null || complain 'headers include one another in a circle'
headers src $(find $outside -name '*.h') | tsort >/dev/null || complain 'headers include one another in a circle'
# The control: an include that goes up, and thereby closes a cycle, is reported.
planted=$(mktemp -d)
mkdir -p "$planted/src/cli/text" "$planted/src/cli/show"
echo '#include "cli/show/b.h"' >"$planted/src/cli/text/a.h"
echo '#include "cli/text/a.h"' >"$planted/src/cli/show/b.h"
[ "$(cd "$planted" && climbs src/cli cli/ "$command_floors")" = 'src/cli/text/a.h includes cli/show/b.h, of a floor above' ] || complain 'an include that goes up is not noticed'
(cd "$planted" && between src/cli | tsort) >/dev/null 2>&1 && complain 'a cycle of folders is not noticed'
(cd "$planted" && headers src src/cli/*/*.h | tsort) >/dev/null 2>&1 && complain 'a cycle of headers is not noticed'
rm -r "$planted"

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
only cli '(cli/|common/|gateway/(network|serve|rules|fronts|gate)\.h)'
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
