# SPDX-License-Identifier: Apache-2.0
# Puts files into a manual as they are, in place of its lines '.\" EXAMPLE FILE'.
/^\.\\" EXAMPLE / {
	print ".Bd -literal -offset indent"
	while ((status = (getline line < $3)) > 0) {
		if (line ~ /SPDX-License-Identifier/)
			continue
		gsub(/\\/, "\\e", line)
		gsub(/-/, "\\-", line)
		gsub(/'/, "\\(aq", line)
		gsub(/\t/, "    ", line)
		print (line ~ /^\./ ? "\\&" : "") line
	}
	if (status < 0)
		exit 1
	print ".Ed"
	next
}

{
	print
}
