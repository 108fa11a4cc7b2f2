# SPDX-License-Identifier: Apache-2.0
# Tcl's http.
source [file join [file dirname [info script]] adapter.tcl]
package require http

proc fetch {url} {
	set token [http::geturl $url -timeout $::TIMEOUT]
	set found [list [http::status $token] [http::ncode $token] [http::error $token]]
	http::cleanup $token
	lassign $found status code trouble
	if {$status ne "ok"} { error "$status $trouble" }
	return $code
}

serve "Tcl http [package present http], Tcl [info patchlevel]" fetch
