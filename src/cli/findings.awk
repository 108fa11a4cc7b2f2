# SPDX-License-Identifier: Apache-2.0
# Puts the catalogue (urivet findings --format=tsv) into a manual, in place of its
# line '.\" FINDINGS'. The manual is named by -v page=FILE.
BEGIN {
	FS = "\t"
}

# Text of the catalogue as text of a manual: no backslash, dot or quote acts in it.
function roff(text)
{
	gsub(/\\x5C/, "\001", text)
	gsub(/\\/, "\\e", text)
	gsub(/\001/, "\\e", text)
	gsub(/-/, "\\-", text)
	gsub(/`/, "\\(ga", text)
	gsub(/\^/, "\\(ha", text)
	gsub(/~/, "\\(ti", text)
	gsub(/'/, "\\(aq", text)
	gsub(/\. /, ".\n", text)
	return text ~ /^[.']/ ? "\\\\&" text : text
}

{
	row[NR] = ".It Sy " $1 "\n" $3 ", " ($4 == "uri" ? "" : $4 ", ") "number " $2 "\n.br\n" roff($6) "\n.br\n" roff($5)
}

END {
	while ((status = (getline line < page)) > 0) {
		if (line != ".\\\" FINDINGS") {
			print line
			continue
		}
		print ".Bl -tag -width indent"
		for (i = 1; i <= NR; i++)
			print row[i]
		print ".El"
	}
	if (status < 0 || NR == 0)
		exit 1
}
