// SPDX-License-Identifier: Apache-2.0

// fasthttp.
package main

import "github.com/valyala/fasthttp"

func main() {
	client := fasthttp.Client{
		DialDualStack:             true,
		MaxIdemponentCallAttempts: 1,
	}
	serve("fasthttp "+packaged("golang-github-valyala-fasthttp-dev"), func(url string) (int, error) {
		request, response := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
		request.SetRequestURI(url)
		err := client.DoTimeout(request, response, patience)
		return response.StatusCode(), err
	})
}
