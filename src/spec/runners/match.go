// SPDX-License-Identifier: Apache-2.0
// go run match.go gate|strict <RECORDS: is each NUL-terminated record matched? Writes 1 or 0 for each.
package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"regexp"
)

func main() {
	var engines map[string]map[string]struct{ Accept, Refuse string }
	text, err := os.ReadFile("expressions.json")
	if err == nil {
		err = json.Unmarshal(text, &engines)
	}
	records, failed := io.ReadAll(os.Stdin)
	if err != nil || failed != nil || len(os.Args) != 2 {
		os.Exit(2)
	}
	one := engines["RE2"][os.Args[1]]
	accept, refuse := regexp.MustCompile(one.Accept), regexp.MustCompile(one.Refuse)
	all := bytes.Split(records, []byte{0})
	for _, url := range all[:len(all)-1] {
		answer := "0"
		if accept.Match(url) && !refuse.Match(url) {
			answer = "1"
		}
		os.Stdout.WriteString(answer)
	}
}
