# SPDX-License-Identifier: Apache-2.0
# Puts what a C header says into a manual page, in place of these lines of it:
#   .\" HEADER FILE NAMES         the functions, for NAME
#   .\" HEADER FILE SYNOPSIS      their prototypes
#   .\" HEADER FILE CONVENTIONS   its first comment
#   .\" HEADER FILE DESCRIPTION   every declaration and its comment
#   .\" HEADER FILE TABLES        constants that are too many to stand there
# FILE may be HEADERS: the files that -v headers='...' lists.
#
# What it relies on is the style of the header: a comment of its own lines speaks of the declarations
# that follow it without an empty line between; one on the line of a member or constant speaks of
# that; '/* ---- Title ---- */' begins a section; an indented run of lines in a comment is a drawing if
# it has gaps, else a list, of which a line that begins a sentence begins an item. `code` and *words*
# are marked so. Functions begin with URIVET_API or 'static inline'.

BEGIN {
	MANY = 32 # rows of a table that stand in the description; more would hide what comes after
}

# ---- Text ------------------------------------------------------------------------

# Characters that troff would take for its own, or print as another.
function escaped(text)
{
	gsub(/\\/, "\\e", text)
	gsub(/'/, "\\(aq", text)
	gsub(/~/, "\\(ti", text)
	gsub(/\^/, "\\(ha", text)
	return text
}

# Names are not hyphenated.
function unbroken(text,    all)
{
	while (match(text, /[*&]?[A-Za-z0-9]+_[A-Za-z0-9_]+/)) {
		all = all substr(text, 1, RSTART - 1) "\\%" substr(text, RSTART, RLENGTH)
		text = substr(text, RSTART + RLENGTH)
	}
	return all text
}

# All that stands between two marks, in a font.
function marked(text, mark, font,    parts, n, k, all)
{
	n = split(text, parts, mark)
	if (n % 2 == 0)
		return text
	for (k = 1; k <= n; k++)
		all = all (k % 2 ? parts[k] : font parts[k] "\\fP")
	return all
}

# Functions are named in bold, before their parentheses.
function named(text,    all)
{
	while (match(text, /urivet_[a-z0-9_]+\(\)/)) {
		all = all substr(text, 1, RSTART - 1) "\\fB" substr(text, RSTART, RLENGTH - 2) "\\fP()"
		text = substr(text, RSTART + RLENGTH)
	}
	return all text
}

# A paragraph: each sentence begins a line, and no line begins with a dot, which would be a request.
function paragraph(text,    all, end)
{
	gsub(/[ \t]+/, " ", text)
	sub(/^ /, "", text)
	sub(/ $/, "", text)
	text = escaped(text)
	while (match(text, /[.?] [A-Z`]/)) {
		end = RSTART
		all = all marked(unbroken(substr(text, 1, end)), "`", "\\fB\\%") "\n"
		text = substr(text, end + 2)
	}
	text = named(all marked(unbroken(text), "`", "\\fB\\%"))
	while (match(text, /\*[a-z]+\*/))
		text = substr(text, 1, RSTART - 1) "\\fI" substr(text, RSTART + 1, RLENGTH - 2) "\\fP" \
		       substr(text, RSTART + RLENGTH)
	return (text ~ /^\./ ? "\\&" : "") text "\n"
}

function indented(line)
{
	return line ~ /^  +[^ ]/
}

# An indented run of a comment: a drawing as it is, else a list, or a paragraph if it is one item.
function run(lines, from, to,    k, all, item, literal)
{
	for (k = from; k <= to; k++)
		if (lines[k] ~ /[^ ]  +[^ ]|\|--/)
			literal = 1
	if (literal) {
		for (k = from; k <= to; k++)
			all = all (lines[k] ~ /^[.']/ ? "\\&" : "") escaped(lines[k]) "\n"
		return ".Bd -literal\n" all ".Ed\n"
	}
	for (k = from; k <= to; k++) {
		if (k == from || lines[k] ~ /^ *- / || (lines[k] ~ /^ *[A-Z]/ && lines[k - 1] ~ /\.$/)) {
			if (item != "")
				all = all ".It\n" paragraph(item)
			item = ""
			sub(/^ *- /, "", lines[k])
		}
		item = item " " lines[k]
	}
	if (all == "")
		return ".Pp\n" paragraph(item)
	return ".Bl -bullet -compact\n" all ".It\n" paragraph(item) ".El\n"
}

# A comment as text of a manual.
function prose(comment,    lines, n, k, j, text, all)
{
	n = split(comment, lines, "\n")
	for (k = 1; k <= n + 1; k++) {
		if (k <= n && lines[k] != "" && !indented(lines[k]) && lines[k + 1] !~ /^---+$/ && lines[k] !~ /^---+$/) {
			text = text " " lines[k]
			continue
		}
		if (text != "")
			all = all (all != "" && all !~ /\n\.(Ss [^\n]*|Pp)\n$/ ? ".Pp\n" : "") paragraph(text)
		text = ""
		if (k <= n && lines[k + 1] ~ /^---+$/)
			all = all ".Ss " escaped(lines[k]) "\n"
		if (k > n || !indented(lines[k]))
			continue
		for (j = k; j < n && indented(lines[j + 1]);)
			j++
		all = all run(lines, k, j)
		k = j
	}
	return all
}

# ---- Declarations ----------------------------------------------------------------

# What is declared goes into the group that the comment before it speaks of.
function flush()
{
	if (items != "") {
		if (!listed)
			description = description ".Bl -tag -width indent\n"
		listed = 1
		description = description items prose(comment) inner
	}
	items = inner = comment = ""
}

function section(title)
{
	flush()
	if (listed)
		description = description ".El\n"
	listed = 0
	if (title != "")
		description = description ".Ss " escaped(title) "\n"
}

# The name that a declarator gives: the last word outside brackets.
function name_of(declarator)
{
	if (match(declarator, /\(\*[a-z_0-9]+\)/))
		return substr(declarator, RSTART + 2, RLENGTH - 3)
	gsub(/\[[^]]*\]/, "", declarator)
	return match(declarator, /[A-Za-z_0-9]+ *$/) ? substr(declarator, RSTART) : declarator
}

# A function by its prototype on one line, without what follows its parameters.
function add_function(text,    head, name, list, n, k, c, depth, one, parameters, shown)
{
	sub(/^(URIVET_API|static inline) /, "", text)
	head = substr(text, 1, index(text, "(") - 1)
	name = name_of(head)
	if (name in functions)
		return
	functions[name] = 1
	list = substr(text, index(text, "(") + 1)
	sub(/\)[^)]*$/, "", list)
	n = length(list)
	for (k = 1; k <= n + 1; k++) {
		c = substr(list, k, 1)
		depth += (c == "(") - (c == ")")
		if (k <= n && (c != "," || depth > 0)) {
			one = one c
			continue
		}
		sub(/^ */, "", one)
		parameters = parameters ".Fa \"" one "\"\n"
		if (one != "void")
			shown = shown " " name_of(one)
		one = ""
	}
	head = substr(head, 1, length(head) - length(name))
	sub(/ *$/, "", head)
	names = names (names == "" ? "" : " ,\n") ".Nm " name
	synopsis = synopsis ".Ft " head "\n.Fo " name "\n" parameters ".Fc\n"
	items = items ".It Fn " name shown "\n"
}

function add_macro(line,    name, value)
{
	if (match(line, /^#define [A-Za-z_0-9]+\([a-z_, ]*\)/)) {
		name = substr(line, 9, RLENGTH - 8)
		value = name
		sub(/\(.*/, "", name)
		gsub(/^[^(]*\(|,|\)$/, "", value)
		items = items ".It Fn " name " " value "\n"
		return
	}
	name = $2
	value = line
	sub(/^#define [A-Z_0-9]+ */, "", value)
	items = items ".It Dv " name " No = " value "\n"
}

# Members that stand under one comment, and then that comment.
function flush_members()
{
	if (members != "")
		list = list members (lead != "" ? paragraph(lead) : "")
	members = lead = ""
}

function add_member(text, kind, note,    name, parts)
{
	sub(/^ */, "", text)
	sub(/ *$/, "", text)
	if (kind == "enum") {
		split(text, parts, / *= */)
		name = ".It Dv " parts[1] (text ~ /=/ ? " No = " parts[2] : "") "\n"
	} else {
		match(text, /[(]?[*]?[A-Za-z_0-9]+(\[[^]]*\])*([)].*)?$/)
		name = ".It Vt \"" substr(text, 1, RSTART - 1) "\" Ns Va " substr(text, RSTART) "\n"
	}
	if (note == "") {
		members = members name
		return
	}
	flush_members()
	list = list name paragraph(note)
}

# The constants that an enum takes from a file of rows, MACRO(NAME, NUMBER, "name", "text" ...), by
# '#define MACRO(name, number, ...) PREFIX##name = number,' and '#include <FILE>'.
function add_rows(file, prefix, enum,    line, head, parts, strings, n, text, rows, all, longest)
{
	sub(/^[^<]*</, folder, file)
	sub(/>.*/, "", file)
	while ((getline line < file) > 0) {
		if (line !~ /^[A-Z_]+\([^"]*[0-9], *"/)
			continue
		head = substr(line, 1, index(line, "\"") - 1)
		gsub(/^[^(]*\(| /, "", head)
		n = split(head, parts, ",")
		gsub(/\\"/, "\001", line)
		split(line, strings, "\"")
		text = "`" strings[2] "`" (strings[3] ~ /^, *$/ ? ": " strings[4] : "")
		gsub(/\001/, "\"", text)
		head = prefix parts[n - 2] " = " parts[n - 1]
		if (length(head) > length(longest))
			longest = head
		sub(/=/, "No =", head)
		all = all ".It Dv " head "\n" paragraph(text)
		rows++
	}
	close(file)
	if (!rows)
		exit 1
	if (rows <= MANY) {
		list = list all
		return
	}
	tables = tables ".Ss Constants of " enum "\n.Bl -tag -compact -width \"" longest "\"\n" all ".El\n"
	before = "They are listed under\n.Sx Constants of " enum " .\n"
}

# The body of a struct, union or enum, as a list.
function body(text, kind, type,    lines, n, k, line, code, note, parts, m, j, prefix)
{
	list = members = lead = before = ""
	n = split(text, lines, "\n")
	for (k = 1; k <= n; k++) {
		line = lines[k]
		gsub(/\t/, " ", line)
		if (match(line, /[A-Z_0-9]+##/))
			prefix = substr(line, RSTART, RLENGTH - 2)
		if (line ~ /^ *# *include </)
			add_rows(line, prefix, type)
		if (line ~ /^ *#/)
			continue
		if (line ~ /^ *$/) {
			flush_members()
			continue
		}
		note = ""
		if (match(line, /\/\*/)) {
			note = substr(line, RSTART + 2)
			line = substr(line, 1, RSTART - 1)
			while (note !~ /\*\// && k < n) {
				k++
				sub(/^[ \t]*\*? ?/, "", lines[k])
				note = note " " (lines[k] == "/" ? "*/" : lines[k])
			}
			sub(/ *\*\/.*/, "", note)
		}
		if (line ~ /^ *$/ && code == "") {
			flush_members()
			lead = note
			continue
		}
		code = code " " line
		if (kind != "enum" && code !~ /;/)
			continue
		gsub(/  +/, " ", code)
		m = split(code, parts, kind == "enum" ? "," : ";")
		for (j = 1; j <= m; j++)
			if (parts[j] !~ /^ *$/)
				add_member(parts[j], kind, note)
		code = ""
	}
	flush_members()
	return before \
	       (list == "" ? "" : ".Bl -tag -width indent -compact\n" list ".El\n")
}

# ---- The header ------------------------------------------------------------------

# A comment that begins on this line, without its frame.
function read_comment(file, line,    all)
{
	sub(/^\/\* ?/, "", line)
	while (line !~ /\*\//) {
		all = all (all == "" ? "" : "\n") line
		if ((getline line < file) <= 0)
			exit 1
		sub(/^ \*( |$)/, "", line)
	}
	sub(/ *\*\/.*/, "", line)
	return all (line == "" || line == "/" ? "" : (all == "" ? "" : "\n") line)
}

# This line and the next ones, up to what ends them; the lines of a body stay apart.
function read_until(file, line, end,    next_line)
{
	while (line !~ end) {
		if ((getline next_line < file) <= 0)
			exit 1
		if (end !~ /}/)
			sub(/^[ \t]+/, " ", next_line)
		line = line (end ~ /}/ ? "\n" : "") next_line
	}
	return line
}

function read_type(file, line,    kind, name)
{
	split(line, type_words, " ")
	kind = type_words[1]
	name = kind " " type_words[2]
	line = read_until(file, line, "\n};|^[^\n]*};")
	# of a union without a name the members are the structure's own
	gsub(/\n[ \t]+union \{/, "", line)
	gsub(/\n[ \t]+};/, "", line)
	gsub(/URIVET_ALIGNED /, "", line)
	sub(/^[^{]*\{/, "", line)
	sub(/ *};.*/, "", line)
	items = items ".It Vt " name "\n"
	inner = inner body(line, kind, name)
}

# Reads headers, of which only the first one has conventions.
function read_headers(files,    list, n, k)
{
	names = synopsis = description = conventions = tables = ""
	n = split(files, list, " ")
	for (k = 1; k <= n; k++)
		read_header(list[k], k > 1)
	if (names == "")
		exit 1
}

function read_header(file, is_part,    line, text, first, status)
{
	folder = substr(file, 1, index(file, "urivet") - 1)
	if (is_part)
		synopsis = synopsis ".In " substr(file, index(file, "urivet/")) "\n"
	first = 1
	while ((status = (getline line < file)) > 0) {
		if (line ~ /^\/\* ---- .* -+ \*\/$/) {
			gsub(/^\/\* -+ | -+ \*\/$/, "", line)
			section(line)
		} else if (line ~ /^\/\*/) {
			text = read_comment(file, line)
			if (text ~ /SPDX/)
				continue
			flush()
			if (!first)
				comment = text
			else if (!is_part)
				conventions = prose(text)
			first = 0
		} else if (line ~ /^(struct|union|enum) [a-z_0-9]+ \{/) {
			read_type(file, line)
		} else if (line ~ /^URIVET_API extern /) {
			line = read_until(file, line, ";")
			sub(/^URIVET_API extern /, "", line)
			sub(/;.*/, "", line)
			items = items ".It Vt \"" line "\"\n"
		} else if (line ~ /^URIVET_API /) {
			add_function(read_until(file, line, ";"))
		} else if (line ~ /^static inline /) {
			line = read_until(file, line, "[)] *;?$|[{]")
			text = line
			sub(/ *[{].*/, "", text)
			sub(/\);$/, ")", text)
			add_function(text)
			if (line ~ /;$/)
				continue
			while (line !~ /}$/ && (getline line < file) > 0)
				continue
		} else if (line ~ /^#define / && comment != "") {
			$0 = line
			add_macro(line)
		} else if (line ~ /^(typedef|struct|union) .*urivet_.*;/ && comment != "") {
			sub(/;.*/, "", line)
			items = items ".It Vt \"" line "\"\n"
		} else if (line == "") {
			flush()
		}
	}
	section("")
	close(file)
	if (status < 0)
		exit 1
}

/^\.\\" HEADER / {
	part = $4
	if (header != $3)
		read_headers((header = $3) == "HEADERS" ? headers : $3)
	text = description
	if (part == "NAMES")
		text = names "\n"
	else if (part == "SYNOPSIS")
		text = synopsis
	else if (part == "CONVENTIONS")
		text = conventions
	else if (part == "TABLES")
		text = tables
	printf "%s", text
	next
}

{
	print
}
