// SPDX-License-Identifier: Apache-2.0
// go run run.go vectors.json: does net/url read the valid vectors as written?
package main

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
)

type file struct {
	Algorithm              string
	Version, NumberOfTests int
	TestGroups             []struct{ Tests []test }
}
type test struct {
	Input, Result string
	Components    struct {
		Scheme, Host, Path, Query, Fragment string
		Port                                int
	}
}

func main() {
	var vectors file
	data, err := os.ReadFile(os.Args[1])
	if err == nil {
		err = json.Unmarshal(data, &vectors)
	}
	count, read, refused, differ := 0, 0, 0, 0
	for _, group := range vectors.TestGroups {
		for _, test := range group.Tests {
			count++
			if test.Result == "invalid" {
				continue
			}
			u, err := url.Parse(test.Input)
			if err != nil {
				refused++
				continue
			}
			port := u.Port()
			if port == "" {
				port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
			}
			want := test.Components
			got := fmt.Sprintln(u.Scheme, u.Hostname(), port, u.EscapedPath(), u.RawQuery, u.EscapedFragment())
			read++
			if got != fmt.Sprintln(want.Scheme, want.Host, want.Port, want.Path, want.Query, want.Fragment) {
				differ++
				fmt.Print(test.Input, " ", got)
			}
		}
	}
	if err != nil || vectors.Algorithm != "consensus-url" || vectors.Version != 1 || count != vectors.NumberOfTests {
		fmt.Println("another version of the vectors, or a file that was cut off", err)
		os.Exit(2)
	}
	fmt.Printf("net/url: %d read, %d refused, %d read otherwise\n", read, refused, differ)
	if differ > 0 || read == 0 {
		os.Exit(1)
	}
}
