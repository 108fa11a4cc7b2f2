# SPDX-License-Identifier: Apache-2.0
# TclCurl, over libcurl.
source [file join [file dirname [info script]] adapter.tcl]
package require TclCurl

proc fetch {url} {
	set handle [curl::init]
	try {
		$handle configure -url $url -timeout [expr {$::TIMEOUT / 1000}] -bodyvar body
		$handle perform
		return [$handle getinfo responsecode]
	} on error {code} {
		error [curl::easystrerror $code]
	} finally {
		$handle cleanup
	}
}

serve [string trim [curl::version]] fetch
