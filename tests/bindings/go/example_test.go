// SPDX-License-Identifier: Apache-2.0

package urivet_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"

	"urivet.invalid/urivet"
)

func ExampleClient() {
	client := urivet.Client(urivet.Public, nil)
	_, err := client.Get("http://169.254.169.254/latest/meta-data/")
	var refused *urivet.Refused
	if errors.As(err, &refused) {
		fmt.Println(refused.Public)
		fmt.Println(err)
	}
	// Output:
	// not-allowed
	// urivet: refused a URL: addr-not-global,addr-metadata,addr-link-local
}

func ExamplePolicy_Check() {
	report := urivet.Strict.Check("http://example.com:80/%7euser")
	fmt.Println(report.OK(), report.Reasons())
	fmt.Println(report.Suggestion())
	fmt.Println(urivet.Strict.Check(report.Suggestion()).Endpoint().Host)
	// Output:
	// false [escaped-unreserved]
	// http://example.com/~user
	// example.com
}

func ExampleHandler() {
	files := http.FileServer(http.Dir("/srv/files"))
	request := httptest.NewRequest("GET", "http://example.com/", nil)
	request.RequestURI = "/..%2f..%2fetc/passwd"
	answer := httptest.NewRecorder()
	urivet.Handler(files, urivet.Gateway).ServeHTTP(answer, request)
	fmt.Print(answer.Code, " ", answer.Body)
	// Output:
	// 400 unclear
}
