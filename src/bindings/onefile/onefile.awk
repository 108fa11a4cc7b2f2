# SPDX-License-Identifier: Apache-2.0
# Writes the library as one file: what is included by name is put in where it is included.
#
#   awk -f onefile.awk -v version=1.0.0 -v header=yes FILE.h...   the public headers, in this order
#   awk -f onefile.awk -v version=1.0.0 FILE.c...                 the sources, in this order
#   ... -v small=REGEX          functions are to be small rather than fast, but for those of such .c files
#   ... -v without=tlds        that table has no rows: for builds that do without it
#   ... -v unnamed=special     strings of that table are empty
#
# A header stands once, a template as often as it is included. A table (.def) becomes one macro that
# holds its rows, and each place that includes it asks for the macro: its rows are in the file once.
# Contracts, which only proofs read, are left out.

BEGIN {
	print "/* SPDX-License-Identifier: Apache-2.0 */"
	print "/* urivet " version " as one file, made by `make onefile`: change the library instead. */"
	if (header != "yes")
		begin_sources()
	for (k = 1; k < ARGC; k++)
		put_file(ARGV[k])
	if (small != "")
		print "#pragma clang attribute pop"
	exit failed
}

# clang takes attributes from a stack.
function become(what) {
	print "#pragma clang attribute push(__attribute__((" what ")), apply_to = function)"
}

# Without a C library there is no <string.h>; whoever builds so has these functions.
function begin_sources() {
	print "#include \"urivet.h\""
	print "#if defined(__STDC_HOSTED__) && __STDC_HOSTED__ == 0"
	print "#include <stddef.h>"
	print "void *memcpy(void *to, const void *from, size_t length);"
	print "void *memmove(void *to, const void *from, size_t length);"
	print "void *memset(void *to, int octet, size_t length);"
	print "int memcmp(const void *a, const void *b, size_t length);"
	print "size_t strlen(const char *string);"
	print "int strcmp(const char *a, const char *b);"
	print "#else"
	print "#include <string.h>"
	print "#endif"
	if (small != "")
		become("minsize")
}

function fail(why) {
	print "onefile: " why > "/dev/stderr"
	failed = 1
	exit 1
}

function put_file(path,    line, inside) {
	print ""
	print "/* ---- " path " ---- */"
	if (small != "" && path ~ small)
		print "#pragma clang attribute pop"
	if (path ~ /\/peer\.c$/) # socket addresses are the C library's
		print "#if !defined(__STDC_HOSTED__) || __STDC_HOSTED__ != 0"
	while ((inside = (getline line < path)) > 0)
		put_line(line, path)
	if (inside < 0)
		fail("cannot read " path)
	close(path)
	if (path ~ /\/peer\.c$/)
		print "#endif"
	if (small != "" && path ~ small)
		become("minsize")
}

function put_line(line, path) {
	if (line ~ /SPDX-License-Identifier/)
		return
	if (in_contract || line ~ /^[ \t]*\/\*@/) {
		in_contract = line !~ /\*\//
		return
	}
	if (line ~ /^#include /)
		put_include(line)
	else if (header == "yes" && line ~ /^#define (FINDING|READER)\(/)
		enumerates = line # the rows are written as what this makes of them
	else if (header == "yes" && line ~ /^#undef (FINDING|READER)$/)
		enumerates = ""
	else
		print line
}

function put_include(line,    name) {
	name = line
	sub(/^#include [<"]/, "", name)
	sub(/[>"].*/, "", name)
	if (name ~ /\.def$/)
		put_table(name)
	else if (line ~ /^#include "/)
		put_header(name)
	else if (name != "string.h" && name !~ /^urivet[.\/]/)
		print line
}

function put_header(name) {
	if (name in included && name !~ /\/(masks|escapes)\.h$/)
		return
	included[name] = 1
	put_file("src/core/" name)
}

# ---- Tables

function put_table(name,    path) {
	path = (name ~ /^urivet\// ? "include/" : "src/core/") name
	if (!(path in rows))
		read_table(path)
	if (header == "yes") {
		put_enumerators(path)
		return
	}
	if (!(path in defined)) {
		defined[path] = 1
		if (macro_of(path) == "URIVET_ROWS_OF_" toupper(without))
			rows[path] = ""
		if (macro_of(path) == "URIVET_ROWS_OF_" toupper(unnamed))
			gsub(/"([^"\\]|\\.)*"/, "\"\"", rows[path])
		printf "#define %s \\\n%s\n", macro_of(path), rows[path]
	}
	printf "%s%s\n%s", before[path], macro_of(path), after[path]
}

function macro_of(path) {
	sub(/.*\//, "", path)
	sub(/\.def$/, "", path)
	return "URIVET_ROWS_OF_" toupper(path)
}

# Rows, and the lines of the preprocessor that stand before and after them.
function read_table(path,    line, in_comment) {
	rows[path] = before[path] = after[path] = ""
	while ((getline line < path) > 0) {
		if (in_comment || line ~ /^[ \t]*\/\*/) {
			in_comment = line !~ /\*\/[ \t]*$/
			continue
		}
		if (line ~ /^#/) {
			if (rows[path] == "")
				before[path] = before[path] line "\n"
			else
				after[path] = after[path] line "\n"
		} else if (line !~ /^[ \t]*$/) {
			if (without_strings(line) ~ /\/\*/)
				fail(path ": a comment stands beside a row: " line)
			if (after[path] != "")
				fail(path ": a row stands after a line of the preprocessor: " line)
			rows[path] = rows[path] (rows[path] == "" ? "" : " \\\n") line
		}
	}
	close(path)
	if (rows[path] == "")
		fail("no rows in " path)
}

function without_strings(line) {
	gsub(/"([^"\\]|\\.)*"/, "", line)
	return line
}

# In the header: constants with their numbers.
function put_enumerators(path,    prefix, line, n, k, part, column) {
	prefix = path ~ /findings/ ? "URIVET_F_" : "URIVET_READER_"
	n = split(rows[path], line, "\n")
	for (k = 1; k <= n; k++) {
		if (line[k] !~ /^[A-Z_]+\(/)
			continue
		column = line[k] ~ /^FINDING_AS\(/ ? 2 : 1
		sub(/^[A-Z_]+\(/, "", line[k])
		split(line[k], part, /, */)
		printf "\t%s%s = %s,\n", prefix, part[column], part[column + 1]
	}
}
