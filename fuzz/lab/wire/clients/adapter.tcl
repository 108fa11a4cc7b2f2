# SPDX-License-Identifier: Apache-2.0
# What the Tcl clients share: URLs in, a line each out.
set TIMEOUT 3000	;# milliseconds, for the client's own timeouts

# The command gets a URL once and returns the status; what it raises is an error to report.
proc serve {version fetch} {
	if {$::argv eq "--version"} {
		puts $version
		exit
	}
	fconfigure stdin -translation binary -blocking 1 -buffering none
	fconfigure stdout -translation lf
	set url ""
	while {[set octet [read stdin 1]] ne "" || ![eof stdin]} {
		if {$octet ne "\0"} {
			append url $octet
			continue
		}
		if {[catch {{*}$fetch [encoding convertfrom utf-8 $url]} answer]} {
			set answer "! [string range [regsub -all {[^ -~]+} $answer " "] 0 300]"
		}
		puts $answer
		flush stdout
		set url ""
	}
}
