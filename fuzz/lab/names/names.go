// SPDX-License-Identifier: Apache-2.0

// Go's golang.org/x/net/idna, which net/http and crypto/x509 have a copy of: its four profiles.
package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"runtime"

	"golang.org/x/net/idna"
)

var profiles = map[string]*idna.Profile{
	"lookup":       idna.Lookup,
	"punycode":     idna.Punycode,
	"display":      idna.Display,
	"registration": idna.Registration,
}

func translate(configuration, host string) (string, error) {
	if configuration != "shown" {
		return profiles[configuration].ToASCII(host)
	}
	middle, err := idna.Display.ToUnicode(host)
	if err != nil {
		return "", err
	}
	return idna.Lookup.ToASCII(middle)
}

func answer(out *bufio.Writer, configuration, host string) {
	made, err := translate(configuration, host)
	if err != nil {
		out.WriteString("!\n")
		return
	}
	for _, octet := range []byte(made) {
		if octet > 0x21 && octet < 0x7f && octet != '\\' {
			out.WriteByte(octet)
		} else {
			fmt.Fprintf(out, "\\x%02X", octet)
		}
	}
	out.WriteByte('\n')
}

func main() {
	if os.Args[len(os.Args)-1] == "--version" {
		fmt.Printf("x/net/idna, Unicode %s, %s\n", idna.UnicodeVersion, runtime.Version())
		return
	}
	data, err := io.ReadAll(os.Stdin)
	if err != nil {
		os.Exit(2)
	}
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for _, host := range bytes.Split(bytes.TrimSuffix(data, []byte{0}), []byte{0}) {
		answer(out, os.Args[1], string(host))
	}
}
