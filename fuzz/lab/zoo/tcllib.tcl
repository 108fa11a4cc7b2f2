# SPDX-License-Identifier: Apache-2.0
# tcllib's uri::split.
package require uri

array set default_port {http 80 ws 80 https 443 wss 443 ftp 21}
set refused [join [concat reject - [lrepeat 8 "\\N"]] "\t"]

proc escaped {text} {
	set made ""
	foreach octet [split $text ""] {
		scan $octet %c number
		if {$number <= 32 || $number >= 127 || $number == 92} { set octet [format "\\x%02X" $number] }
		append made $octet
	}
	return $made
}

proc optional {text} {
	if {$text eq ""} { return "\\N" }
	return [escaped $text]
}

proc effective_port {scheme port} {
	global default_port
	set scheme [string tolower $scheme]
	if {$port eq ""} {
		return [expr {[info exists default_port($scheme)] ? $default_port($scheme) : "\\N"}]
	}
	if {![regexp {^[0-9]{1,18}$} $port] || [scan $port %lld] > 65535} { return "\\N" }
	return [scan $port %lld]
}

# uri::split drops the slash before the path, and shows what is empty as what is absent.
proc line {record} {
	array set part {scheme "" user "" pwd "" host "" port "" path "" query "" fragment ""}
	array set part [uri::split $record]
	if {$part(scheme) ni {http https ftp}} { error "another scheme: no parts that compare" }
	set userinfo $part(user)
	if {$part(pwd) ne ""} { append userinfo ":" $part(pwd) }
	regexp {^\[(.*)\]$} $part(host) -> part(host)
	set columns [list accept -]
	foreach text [list $part(scheme) $userinfo $part(host) $part(port)] { lappend columns [optional $text] }
	lappend columns [escaped "/$part(path)"]
	foreach text [list $part(query) $part(fragment)] { lappend columns [optional $text] }
	lappend columns [effective_port $part(scheme) $part(port)]
	return [join $columns "\t"]
}

if {[lindex $argv 0] eq "--version"} {
	puts "tcllib uri [package present uri], Tcl [info patchlevel]"
	exit
}
fconfigure stdin -translation binary
fconfigure stdout -translation binary
set records [split [read stdin] "\0"]
foreach record [lrange $records 0 end-1] {
	if {[catch {line $record} answer]} { set answer $refused }
	puts $answer
}
