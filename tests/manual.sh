#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Checks that the man pages format without a warning, refer to existing pages and are short. Each command has
# a page with all its options; the other pages name all findings, readers, keys of policy files, and the
# declarations of the public header.
cd "$(dirname "$0")/.." || exit 2
status=0
complain() {
	echo "$*"
	status=1
}
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
${MAKE:-make} -s docs || exit 1
commands_pages=$(cd src/cli/manual && ls urivet*.[1-8])
pages="$commands_pages urivet.3 urivet-policy.3"

for page in $pages; do
	warnings=$(groff -mandoc -Tascii -ww "build/$page" 2>&1 >/dev/null)
	[ -z "$warnings" ] || complain "$page: $warnings"
	groff -mandoc -Tascii -P-c "build/$page" 2>/dev/null | sed 's/.\x08//g' >"$tmp/$page"
	# '.It Fl Fl a , b' loses a dash: a long option needs two
	grep -nE "(^|[[:space:]'(|[])-[a-z][a-z-]+" "$tmp/$page" | grep -v -e '-lurivet' -e '-lurivet-policy' &&
		complain "$page: an option with one dash"
	grep -nE '^\.\\" (HEADER|FINDINGS|EXAMPLE|OPTIONS|OPTION)' "build/$page" && complain "$page: a part was not put in"
	for name in $(sed -nE 's/^\.Xr (urivet[-a-z]*) ([1-8]).*/\1.\2/p' "build/$page"); do
		[ -f "$tmp/$name" ] || [ -f "build/$name" ] || complain "$page refers to $name, which does not exist"
	done
done
for page in $commands_pages; do
	[ "$page" = urivet-findings.7 ] || [ "$(wc -w <"$tmp/$page")" -lt 1500 ] || complain "$page has 1,500 words or more"
	grep -q "^\.Xr ${page%.*} ${page##*.}\b" build/urivet*.[1-8] || complain "no page refers to $page"
	if command -v mandoc >/dev/null; then
		mandoc -T lint -W warning "build/$page" || complain "$page: mandoc warns"
	fi
done
[ "$(wc -l <"$tmp/urivet.1")" -lt 132 ] || complain 'urivet.1 is longer than two screens of 66 lines'

# ---- the pages of commands, compared with the command's own output
for id in $(build/urivet findings --format=tsv | cut -f1); do
	grep -qw -- "$id" "$tmp/urivet-findings.7" || complain "urivet-findings.7 does not name $id"
done
commands=$(build/urivet help | sed -n 's/^  \([a-z]*\)  .*/\1/p')
[ -n "$commands" ] || complain 'urivet help names no commands'
options=0
for command in $commands completion; do
	build/urivet help "$command" >"$tmp/help"
	page=$(sed -nE 's/^Manual page: (.*)\((.)\)$/\1.\2/p' "$tmp/help")
	[ -f "$tmp/$page" ] || { complain "urivet help $command names no page"; continue; }
	grep -qE "^ *(urivet )?$command( |\$)|^ *urivet-$command\(" "$tmp/urivet.1" || complain "urivet.1 does not name $command"
	grep -qE "urivet $command( |\$)" "$tmp/$page" || complain "$page does not describe $command"
	for section in NAME SYNOPSIS DESCRIPTION OPTIONS 'EXIT STATUS' EXAMPLES 'SEE ALSO'; do
		grep -q "^\.Sh $section\$" "build/$page" || complain "$page has no section $section"
	done
	for option in $(grep -oE '^  (-., )?-[a-z0-9-]+' "$tmp/help" | tr -d ','); do
		options=$((options + 1))
		grep -qE "^ +(-.*[ ,])?$option([^a-z-]|\$)" "$tmp/$page" || complain "$page has no entry for $option"
	done
done
[ $options -gt 150 ] || complain 'the help of the commands names few options'
for reader in $(build/urivet check --readings --format=json http://h/ | grep -oE '"reader":"[^"]*"' | cut -d'"' -f4); do
	grep -q "^\.It Sy $reader\$" build/urivet-readers.7 || complain "urivet-readers.7 does not describe the reader $reader"
done

# ---- urivet(3), compared with the preprocessed headers
headers=$(ls include/urivet.h include/urivet/*.h | grep -v /policy.h)
for header in $headers; do
	echo "#include <${header#include/}>"
done >"$tmp/headers.h"
${CC:-cc} -E -P -Iinclude "$tmp/headers.h" | awk '
	/^(struct|union|enum) urivet_[a-z_0-9]* *\{/ { kind = $1; name = $2; sub(/^[^{]*\{/, "") }
	kind {
		last = /};/ && !/^[ \t]+};/ # a union without a name ends in the middle
		gsub(/__attribute__ *\(\([^;]*\)\)/, "")
		sub(/};.*/, "")
		n = split($0, parts, kind == "enum" ? "," : ";")
		for (k = 1; k <= n; k++) {
			sub(/ *=.*/, "", parts[k])
			gsub(/\[[^]]*\]|\(\*|\).*/, "", parts[k])
			if (match(parts[k], /[A-Za-z_0-9]+ *$/))
				print kind " " name, substr(parts[k], RSTART)
		}
		if (last)
			kind = ""
		next
	}
	!/^typedef / {
		while (match($0, /urivet_[a-z_0-9]+\(/)) {
			print "function", substr($0, RSTART, RLENGTH - 1)
			$0 = substr($0, RSTART + RLENGTH)
		}
	}' | sort -u >"$tmp/declared"
for kind in function 'struct urivet_report verdict' 'enum urivet_verdict URIVET_REJECT'; do
	grep -q "^$kind" "$tmp/declared" || complain "the header declares no $kind"
done
entry() { # of the description: what is indented deeper than its first line
	awk -v head="     $1" '/^DESCRIPTION/ { description = 1 } description && $0 == head { on = 1; next }
		on && /^ ? ? ? ? ?[^ ]/ { exit } on' "$tmp/urivet.3"
}
while read -r kind name member; do
	case $kind in
	function)
		[ "$(grep -cE "^ +$name\(" "$tmp/urivet.3")" -ge 2 ] || complain "urivet.3 lacks the prototype or entry of $name"
		awk -v name="$name" '$1 " " $2 == ".It Fn" { on = on || $3 == name; next } on { exit $1 ~ /^[.](It|El)$/ }' \
			build/urivet.3 || complain "urivet.3 says nothing of $name: it has no comment in its header"
		;;
	*)
		entry "$kind $name" | grep -qw -- "$member" || grep -q "^     $member = [0-9]" "$tmp/urivet.3" ||
			complain "urivet.3 does not name $member of $kind $name"
		;;
	esac
done <"$tmp/declared"
for macro in $(sed -n '/\/\*/!d; :next; n; s/^#define \(URIVET_[A-Z_]*\).*/\1/p; t next' $headers); do
	grep -qE "^ +$macro( =|\()" "$tmp/urivet.3" || complain "urivet.3 does not describe $macro"
done

# its examples that are complete functions compile, as C and as C++
awk '/^\.Bd -literal/ { getline; on = /^static .*[(]/ } /^\.Ed/ || /^ \.\.\./ { on = 0 } on {
	gsub(/\\-/, "-"); gsub(/\\e/, "\\"); print }' src/core/urivet.3 >"$tmp/functions"
[ "$(grep -c '^static .*(' "$tmp/functions")" -ge 6 ] || complain 'urivet.3 has few examples that are functions'
{
	cat <<'END'
#include <netdb.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>
#include "headers.h"
int request(const char *host, uint32_t port, const char *tls_name, const char *field, const char *target);
END
	# skips the prototype of libcurl's callback, because libcurl may not be installed
	awk '/curl_socket_t/ { skip = 1 } !skip { print } /^}/ { skip = 0 }' "$tmp/functions"
} >"$tmp/examples.c"
${CC:-cc} -std=c11 -D_DEFAULT_SOURCE -Wall -Wextra -Wno-unused-function -Wno-unused-const-variable -Werror -Iinclude -I"$tmp" \
	-fsyntax-only "$tmp/examples.c" || complain 'the examples of urivet.3 do not compile'

# ---- urivet-policy(5)
for key in $(sed -n 's/^	{"\([a-z0-9_]*\)", *"\([a-z0-9_.]*\)", *KEY_.*/\1/p' src/policyfile/keys.c); do
	grep -q -- "\.It Sy $key" src/cli/manual/urivet-policy.5 || complain "urivet-policy.5 does not describe $key"
done

[ $status = 0 ] && echo "manual: formats, names everything, $(wc -l <"$tmp/declared") declarations too"
exit $status
