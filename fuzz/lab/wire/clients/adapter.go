// SPDX-License-Identifier: Apache-2.0

// What the Go clients share: URLs in, each ended by NUL; a line with the status or the error out.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"time"
)

const (
	patience = 3 * time.Second         // what a client is told
	limit    = 3500 * time.Millisecond // whatever it was told, the line is written by then
)

var controls = regexp.MustCompile(`[\x00-\x1f\x7f]+`)

func described(message interface{}) string {
	return "! " + controls.ReplaceAllString(fmt.Sprint(message), " ")
}

// The version of a package of Debian, for a library that does not know its own.
func packaged(name string) string {
	version, _ := exec.Command("dpkg-query", "-W", "-f=${Version}", name).Output()
	return string(version)
}

func answer(fetch func(url string) (int, error), url string) string {
	answers := make(chan string, 1)
	go func() {
		defer func() {
			if thrown := recover(); thrown != nil {
				answers <- described(thrown)
			}
		}()
		status, err := fetch(url)
		if err != nil {
			answers <- described(err)
		} else if status < 100 {
			answers <- "! no status"
		} else {
			answers <- fmt.Sprint(status)
		}
	}()
	select {
	case line := <-answers:
		return line
	case <-time.After(limit):
		return "! timeout"
	}
}

// Gives each URL to fetch, which answers with the status or an error.
func serve(version string, fetch func(url string) (int, error)) {
	if len(os.Args) > 1 && os.Args[1] == "--version" {
		fmt.Println(version)
		return
	}
	in := bufio.NewReader(os.Stdin)
	for {
		url, err := in.ReadString(0)
		if err == io.EOF {
			return
		}
		fmt.Println(answer(fetch, url[:len(url)-1]))
	}
}
