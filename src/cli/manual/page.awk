# SPDX-License-Identifier: Apache-2.0
# Fills in the lines of a man page that begin with .\" and a word:
#   .\" OPTIONS COMMAND   the options that the command's help lists, as options.mdoc describes them
#   .\" FINDINGS          the catalogue
#   .\" EXAMPLE FILE      the file as it is
# -v urivet=COMMAND runs urivet; -v options=FILE is options.mdoc. Fails if a part is missing.

# Text as roff prints it: no backslash, dot or quote is an instruction.
function escaped(text)
{
	gsub(/\\/, "\\e", text)
	gsub(/-/, "\\-", text)
	gsub(/`/, "\\(ga", text)
	gsub(/\^/, "\\(ha", text)
	gsub(/~/, "\\(ti", text)
	gsub(/'/, "\\(aq", text)
	return text
}

function guarded(text)
{
	return text ~ /^[.']/ ? "\\&" text : text
}

function fail(message)
{
	print "page.awk: " message >"/dev/stderr"
	failed = 1
	exit 1
}

# Reads options.mdoc: '.\" OPTION NAME' or '.\" OPTION NAME COMMAND...' begins a description.
function read_options(    line, words, n, k, keys)
{
	while ((getline line < options) > 0) {
		if (line !~ /^\.\\" OPTION /) {
			for (k = 1; k <= n; k++)
				described[keys[k]] = described[keys[k]] line "\n"
			continue
		}
		n = split(line, words, " ") - 2
		for (k = 1; k <= n; k++)
			keys[k] = words[3] (k > 1 ? " " words[k + 2] : "")
		if (n > 1)
			keys[1] = keys[n--]
	}
	close(options)
}

# A row of the help begins with two spaces and the option: '  -o, --output=FILE   text'.
function write_options(command,    line, name, help, count)
{
	if (!("help" in described))
		read_options()
	help = urivet " help " command
	print ".Bl -tag -width indent"
	while ((help | getline line) > 0) {
		if (line !~ /^  (-[0-9A-Za-z], )?--?[a-z]/)
			continue
		name = line
		sub(/^  (-[0-9A-Za-z], )?--?/, "", name)
		sub(/[^-a-z].*/, "", name)
		if (!((name " " command) in described) && !(name in described))
			fail(options " does not describe --" name " of " command)
		printf "%s", (name " " command) in described ? described[name " " command] : described[name]
		count++
	}
	close(help)
	print ".El"
	if (count == 0)
		fail("no options in the output of " help)
}

function write_findings(    list, line, cell, text, count)
{
	list = urivet " findings --format=tsv"
	print ".Bl -tag -width indent"
	while ((list | getline line) > 0) {
		gsub(/\\x5C/, "\\", line)
		split(line, cell, "\t")
		print ".It Sy " cell[1]
		print cell[3] ", " (cell[4] == "uri" ? "" : cell[4] ", ") "number " cell[2] "\n.br"
		text = escaped(cell[6])
		gsub(/\. /, ".\n", text)
		print guarded(text) "\n.br"
		print guarded(escaped(cell[7])) "\n.br"
		text = escaped(cell[5])
		gsub(/\. /, ".\n", text)
		print guarded(text)
		count++
	}
	close(list)
	print ".El"
	if (count == 0)
		fail("no lines in the output of " list)
}

function write_example(file,    status, line)
{
	print ".Bd -literal -offset indent"
	while ((status = (getline line < file)) > 0) {
		if (line ~ /SPDX-License-Identifier/)
			continue
		line = escaped(line)
		gsub(/\t/, "    ", line)
		print guarded(line)
	}
	close(file)
	print ".Ed"
	if (status < 0)
		fail("cannot read " file)
}

/^\.\\" OPTIONS / { write_options($3); next }
/^\.\\" FINDINGS$/ { write_findings(); next }
/^\.\\" EXAMPLE / { write_example($3); next }
{ print }
