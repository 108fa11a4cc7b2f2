// SPDX-License-Identifier: Apache-2.0

// A reader for urivet to compare with others: make versus MINE=mine.go
// Change read() so that it asks your parser; the rest is how records come in and answers go out.
package main

import (
	"bufio"
	"fmt"
	"io"
	"net/url"
	"os"
	"strconv"
	"strings"
)

// The parts, each nil where it is absent; an error is a refusal.
func read(text string) (scheme, userinfo, host, port, path, query, fragment *string, err error) {
	u, err := url.Parse(text)
	if err != nil {
		return
	}
	scheme, host, port = some(u.Scheme), some(u.Hostname()), some(u.Port())
	if u.User != nil {
		text := u.User.String()
		userinfo = &text
	}
	escaped := u.EscapedPath() + u.Opaque
	return scheme, userinfo, host, port, &escaped, some(u.RawQuery), some(u.EscapedFragment()), nil
}

// A text that is there.
func some(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// ---- from here on nothing is to be changed

var defaultPorts = map[string]string{"http": "80", "ws": "80", "https": "443", "wss": "443", "ftp": "21"}

// Octets that are printable as they are, others as \xHH.
func column(part *string) string {
	if part == nil {
		return `\N`
	}
	var made strings.Builder
	for _, octet := range []byte(*part) {
		if octet > 0x20 && octet < 0x7f && octet != '\\' {
			made.WriteByte(octet)
		} else {
			fmt.Fprintf(&made, `\x%02X`, octet)
		}
	}
	return made.String()
}

func effective(scheme, port *string) string {
	if port != nil && *port != "" {
		if number, err := strconv.ParseUint(*port, 10, 16); err == nil {
			return strconv.FormatUint(number, 10)
		}
	} else if scheme != nil {
		if number, known := defaultPorts[strings.ToLower(*scheme)]; known {
			return number
		}
	}
	return `\N`
}

func answer(record string) string {
	scheme, userinfo, host, port, path, query, fragment, err := read(record)
	if err != nil {
		return "reject\t-" + strings.Repeat("\t\\N", 8)
	}
	if host != nil && strings.HasPrefix(*host, "[") && strings.HasSuffix(*host, "]") {
		host = some((*host)[1 : len(*host)-1])
	}
	return strings.Join([]string{"accept", "-", column(scheme), column(userinfo), column(host), column(port),
		column(path), column(query), column(fragment), effective(scheme, port)}, "\t")
}

func main() {
	in := bufio.NewReader(os.Stdin)
	for {
		record, err := in.ReadString(0)
		if err == nil || record != "" {
			fmt.Println(answer(strings.TrimSuffix(record, "\x00")))
		}
		if err == io.EOF {
			return
		}
		if err != nil {
			os.Exit(2)
		}
	}
}
