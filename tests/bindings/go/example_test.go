// SPDX-License-Identifier: Apache-2.0

package urivet_test

import (
	"errors"
	"fmt"

	"urivet.invalid/urivet"
)

func ExampleClient() {
	_, err := urivet.Client(urivet.Public, nil).Get("http://169.254.169.254/latest/meta-data/")
	var refused *urivet.Refused
	fmt.Println(errors.As(err, &refused), refused.Public)
	fmt.Println(err)
	// Output:
	// true not-allowed
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

func ExamplePolicy_CheckAll() {
	fmt.Println(urivet.Public.CheckAll([]string{"https://example.com/", "http://10.0.0.1/"}))
	data, offsets := []byte("https://example.com/http://10.0.0.1/"), []int32{0, 20, 36} // a column of Apache Arrow
	fmt.Println(urivet.CheckColumn(urivet.Public, data, offsets))
	// Output:
	// [true false]
	// [1] 1
}

func ExamplePolicy_CheckParameters() {
	report := urivet.Strict.Check("https://app.example.com/go?next=//evil.example/")
	report = urivet.Public.CheckParameters(report, urivet.Parameters{Names: []string{"next"}, SameOrigin: true})
	fmt.Println(report.OK(), report.Reasons())
	for _, found := range report.Parameters() {
		fmt.Println(found.Name, found.Result, found.Value, found.Report.Reasons())
	}
	// Output:
	// false [param-refused]
	// next refused //evil.example/ [host-internal-suffix cross-origin]
}
