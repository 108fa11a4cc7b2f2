// SPDX-License-Identifier: Apache-2.0

// Package urivet judges URLs, requests and addresses by a policy, and guards net/http with it: for programs that
// fetch what a stranger chose, and for servers that route what a stranger sent. It is the C library of urivet,
// which is inside; cgo compiles it. README.md shows clients, servers, policies and errors.
//
//	client := urivet.Client(urivet.Public)
//	response, err := client.Get(link)
//	var refused *urivet.Refused
//	if errors.As(err, &refused) {
//		http.Error(w, refused.Public, http.StatusBadRequest) // what a stranger may be told
//	}
//
// Get judges the link as it was received, before net/url changes it. The client then judges the Location field of
// each redirect, and each address before it is connected to. Proxies of the environment are not used. For code that
// wants an *http.Client take client.Client, or &http.Client{Transport: urivet.Transport(policy, base)}.
//
// Errors of a GuardedClient have scheme and host of a URL at most; those of an http.Client have path and query.
package urivet
