// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package urivet

import (
	"context"
	"log"
	"net"
	"net/http"
)

// A ServerOption changes what Handler does.
type ServerOption func(*server)

type server struct {
	next     http.Handler
	policy   *Policy
	listener Request
	observes bool
	observe  func(*http.Request, *Report)
}

// Observe refuses nothing and calls the function for each request that would be refused. If it is nil, the
// reasons are logged.
func Observe(observe func(*http.Request, *Report)) ServerOption {
	return func(s *server) {
		if s.observes = true; observe != nil {
			s.observe = observe
		}
	}
}

// Listener says by which scheme and port clients reach the server, for one behind a proxy. Without it the
// scheme is not known, and the port is that of the connection.
func Listener(scheme string, port int) ServerOption {
	return func(s *server) { s.listener.Scheme, s.listener.Port = scheme, port }
}

// Handler answers requests whose target or Host field the policy (usually Gateway, or one that Load returns)
// refuses by 400 and one word, before next sees them. It judges them as they were received. The policy's rules
// for parameters are judged with it. FromContext returns the report.
func Handler(next http.Handler, policy *Policy, options ...ServerOption) http.Handler {
	logged := func(_ *http.Request, report *Report) { log.Printf("urivet: would be %s", report) }
	s := &server{next: next, policy: policy, observes: policy.Observes(), observe: logged}
	for _, option := range options {
		if option == nil {
			return &server{} // an error for each request
		}
		option(s)
	}
	return s
}

type contextKey struct{}

// FromContext returns the report of the request that a Handler has judged, or nil.
func FromContext(ctx context.Context) *Report {
	report, _ := ctx.Value(contextKey{}).(*Report)
	return report
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.next == nil || s.policy.inside().c == nil {
		http.Error(w, "urivet: no handler, no policy, or a nil option", http.StatusInternalServerError)
		return
	}
	listener := s.listener
	if local, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr); ok && listener.Port == 0 {
		listener.Port = local.Port
	}
	host := r.Host
	if fields := r.Header["Host"]; len(fields) > 1 || len(fields) == 1 && fields[0] != host {
		host += " and another" // HTTP/2 can have both: two hosts are none
	}
	listener.NoHost = host == ""
	report := s.policy.CheckRequestOf(listener, r.Method, r.RequestURI, host)
	if !report.OK() && (!s.observes || recovered(func() error { s.observe(r, report); return nil }) != nil) {
		http.Error(w, report.Public(), http.StatusBadRequest)
		return
	}
	s.next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), contextKey{}, report)))
}
