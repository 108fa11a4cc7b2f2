// SPDX-License-Identifier: Apache-2.0

// Go's net/url.
package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/url"
	"os"
	"runtime"
	"strconv"
	"strings"
)

const refused = "reject\t-\t\\N\t\\N\t\\N\t\\N\t\\N\t\\N\t\\N\t\\N"

var defaultPorts = map[string]string{"http": "80", "ws": "80", "https": "443", "wss": "443", "ftp": "21"}

func escaped(text string, present bool) string {
	if !present {
		return `\N`
	}
	var made strings.Builder
	for i := 0; i < len(text); i++ {
		if octet := text[i]; octet > 0x20 && octet < 0x7f && octet != '\\' {
			made.WriteByte(octet)
		} else {
			fmt.Fprintf(&made, `\x%02X`, octet)
		}
	}
	return made.String()
}

func effectivePort(scheme, port string) string {
	if port == "" {
		if number, known := defaultPorts[strings.ToLower(scheme)]; known {
			return number
		}
		return `\N`
	}
	number, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return `\N`
	}
	return strconv.FormatUint(number, 10)
}

func line(record string) string {
	u, err := url.Parse(record)
	if err != nil {
		return refused
	}
	path := u.EscapedPath()
	if u.Opaque != "" {
		path = u.Opaque
	}
	return strings.Join([]string{"accept", "-",
		escaped(u.Scheme, u.Scheme != ""),
		escaped(u.User.String(), u.User != nil),
		escaped(u.Hostname(), u.Host != ""),
		escaped(u.Port(), u.Port() != ""),
		escaped(path, true),
		escaped(u.RawQuery, u.RawQuery != "" || u.ForceQuery),
		escaped(u.EscapedFragment(), u.Fragment != ""),
		effectivePort(u.Scheme, u.Port())}, "\t")
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == "--version" {
		fmt.Println(runtime.Version())
		return
	}
	data, err := io.ReadAll(os.Stdin)
	if err != nil {
		os.Exit(2)
	}
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	data = bytes.TrimSuffix(data, []byte{0})
	for _, record := range bytes.Split(data, []byte{0}) {
		fmt.Fprintln(out, line(string(record)))
	}
}
