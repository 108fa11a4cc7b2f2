// SPDX-License-Identifier: Apache-2.0
// Go's net/http: files through ServeMux, and a handler of its own for /admin/, as services have.
package main

import (
	"fmt"
	"net/http"
	"os"
	"runtime"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == "--version" {
		fmt.Println("net/http of", runtime.Version())
		return
	}
	mux := http.NewServeMux()
	mux.Handle("/", http.FileServer(http.Dir(os.Getenv("ROOT"))))
	mux.HandleFunc("/admin/", func(w http.ResponseWriter, r *http.Request) { fmt.Fprintln(w, "SECRET") })
	fmt.Fprintln(os.Stderr, http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), mux))
}
