// SPDX-License-Identifier: Apache-2.0
// Go's httputil.ReverseProxy, with a rule on the path as Go decoded it.
package main

import (
	"fmt"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"runtime"
	"strings"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == "--version" {
		fmt.Println("net/http/httputil of", runtime.Version())
		return
	}
	proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: os.Getenv("UPSTREAM")})
	rule := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/admin") || strings.HasSuffix(r.URL.Path, ".inc") {
			http.Error(w, "refused", http.StatusForbidden)
			return
		}
		proxy.ServeHTTP(w, r)
	})
	fmt.Fprintln(os.Stderr, http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), rule))
}
