// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package urivet

import (
	"context"
	"log"
	"net"
	"net/http"
)

// A Server is an http.Handler that answers requests whose target or Host field its policy refuses by 400 and one
// word, before Next sees them. It judges them as they were received, and the parameters for which the policy has
// rules. FromContext returns the report.
type Server struct {
	Next   http.Handler
	Policy *Policy
	// Listener has the scheme and port by which clients reach the server, for one behind a proxy. Without them the
	// scheme is not known, and the port is that of the connection.
	Listener Request
	// Observe refuses nothing, as a policy with `mode: observe`, and calls Observed for each request that would be
	// refused. If that is nil, the reasons are logged.
	Observe  bool
	Observed func(*http.Request, *Report)
}

// Handler returns a Server for the policy, usually Gateway or one that Load returns.
func Handler(next http.Handler, policy *Policy) *Server { return &Server{Next: next, Policy: policy} }

type contextKey struct{}

// FromContext returns the report of the request that a Handler has judged, or nil.
func FromContext(ctx context.Context) *Report {
	report, _ := ctx.Value(contextKey{}).(*Report)
	return report
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.Next == nil || s.Policy.isNone() {
		http.Error(w, "urivet: no handler or no policy", http.StatusInternalServerError)
		return
	}
	listener := s.Listener
	if local, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr); ok && listener.Port == 0 {
		listener.Port = local.Port
	}
	host := r.Host
	if fields := r.Header["Host"]; len(fields) > 1 || len(fields) == 1 && fields[0] != host {
		host += " and another" // HTTP/2 can have both: two hosts are none
	}
	listener.NoHost = host == ""
	report := s.Policy.CheckRequestOf(listener, r.Method, r.RequestURI, host)
	if !report.OK() && !s.lets(r, report) {
		http.Error(w, report.Public(), http.StatusBadRequest)
		return
	}
	s.Next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), contextKey{}, report)))
}

// lets returns true if a request that is refused is only observed.
func (s *Server) lets(r *http.Request, report *Report) bool {
	if !s.Observe && !s.Policy.Observes() {
		return false
	} else if s.Observed == nil {
		log.Printf("urivet: would be %s", report)
		return true
	}
	return recovered(func() error { s.Observed(r, report); return nil }) == nil
}
