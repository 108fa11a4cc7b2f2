// SPDX-License-Identifier: Apache-2.0

// Go's net/http.
package main

import (
	"io"
	"net/http"
	"runtime"
)

func main() {
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	client := http.Client{Timeout: patience, CheckRedirect: stay}
	serve("net/http of "+runtime.Version(), func(url string) (int, error) {
		response, err := client.Get(url)
		if err != nil {
			return 0, err
		}
		defer response.Body.Close()
		_, err = io.Copy(io.Discard, response.Body)
		return response.StatusCode, err
	})
}
