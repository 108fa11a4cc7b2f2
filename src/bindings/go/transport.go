// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package urivet

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"reflect"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

// An Option changes what Transport and Client do.
type Option func(*settings)

type settings struct {
	base     *http.Transport
	dialer   *net.Dialer
	proxy    *url.URL
	repair   bool
	repaired func(written, fetched string)
	limit    int64 // of a body; 0: none
	fault    error // refuses every request
}

// need sets a fault unless something is as it has to be.
func (s *settings) need(ok bool, fault string) {
	if !ok && s.fault == nil {
		s.fault = errors.New("urivet: " + fault)
	}
}

// WithDialer makes connections with a copy of the dialer: its timeouts, resolver and local address. Its
// Control is called after the address was accepted; ControlContext is refused.
func WithDialer(dialer *net.Dialer) Option {
	return func(s *settings) {
		s.dialer = dialer
		s.need(dialer != nil, "WithDialer needs a dialer")
	}
}

// WithProxy sends every request to a proxy, which is trusted: it makes the connections, and addresses are
// its own to judge. URLs and redirects are judged as ever.
func WithProxy(proxy *url.URL) Option {
	return func(s *settings) {
		s.proxy = proxy
		s.need(proxy != nil && proxy.Host != "", "WithProxy needs a URL with a host")
	}
}

// WithResponseLimit ends each response body by an *http.MaxBytesError after so many octets. No compression is
// asked for then, so the octets are those of the body itself.
func WithResponseLimit(octets int64) Option {
	return func(s *settings) {
		s.limit = octets
		s.need(octets > 0, "WithResponseLimit needs a number above 0")
	}
}

// WithTransport lets a Client start from base, as Transport does.
func WithTransport(base *http.Transport) Option { return func(s *settings) { s.base = base } }

// WithRepair lets a Client take the suggested spelling of a URL that is refused as the program wrote it.
// Redirects are never repaired. The callback, if not nil, learns what was fetched instead.
func WithRepair(repaired func(written, fetched string)) Option {
	return func(s *settings) { s.repair, s.repaired = true, repaired }
}

func settingsOf(options []Option) (s settings) {
	for _, option := range options {
		if s.need(option != nil, "an option is nil"); option != nil {
			option(&s)
		}
	}
	return s
}

type dialFunc = func(ctx context.Context, network, address string) (net.Conn, error)

// transport judges what it sends, and where it connects to.
type transport struct {
	settings
	policy *Policy
	inner  *http.Transport
}

// Transport returns a RoundTripper like a clone of base (nil: http.DefaultTransport) that goes where the
// policy allows: it judges the URL and the Host field of each request, the Location field of each redirect,
// and each address before it is connected to. It uses no proxy unless WithProxy names one.
//
// Every request is an error if base has a dialer, proxy or protocol of its own (DialContext other than that of
// http.DefaultTransport, TLSNextProto other than for HTTP/2), and if policy is nil or only observes.
func Transport(policy *Policy, base *http.Transport, options ...Option) http.RoundTripper {
	s := settingsOf(options)
	s.need(s.base == nil, "WithTransport is for Client; Transport has an argument for it")
	s.need(!s.repair, "WithRepair is for Client: net/url has changed what a transport gets")
	s.base = base
	return newTransport(policy, s)
}

// The dialer of http.DefaultTransport, which a clone of it has, too.
var standardDial = func() dialFunc {
	if standard, ok := http.DefaultTransport.(*http.Transport); ok {
		return standard.DialContext
	}
	return nil
}()

// isStandard returns true if the function is the same closure as standardDial.
func isStandard(dial dialFunc) bool {
	return standardDial != nil && *(*unsafe.Pointer)(unsafe.Pointer(&dial)) == *(*unsafe.Pointer)(unsafe.Pointer(&standardDial))
}

func newTransport(policy *Policy, s settings) *transport {
	base, ok := s.base, true
	if base == nil {
		base, ok = http.DefaultTransport.(*http.Transport)
	}
	if s.need(ok, "http.DefaultTransport is another RoundTripper: give a *http.Transport as base"); !ok {
		base = &http.Transport{}
	}
	t := &transport{s, policy, base.Clone()}
	_, isHTTP2 := base.TLSNextProto["h2"] // Clone() has filled it
	t.need(policy.inside().c != nil, "no policy")
	t.need(!policy.Observes(), "a policy that only observes guards nothing: take `mode: observe` out of it")
	t.need(base.Dial == nil && base.DialTLS == nil && base.DialTLSContext == nil && (base.DialContext == nil || isStandard(base.DialContext)),
		"the dialing functions of a transport cannot be guarded: use WithDialer")
	t.need(base.Proxy == nil || reflect.ValueOf(base.Proxy).Pointer() == reflect.ValueOf(http.ProxyFromEnvironment).Pointer(),
		"the Proxy of a transport is not used: name it by WithProxy, or take it out")
	t.need(len(base.TLSNextProto) == 0 || isHTTP2 && len(base.TLSNextProto) == 1, "TLSNextProto for other protocols than h2 cannot be guarded")
	t.inner.Proxy, t.inner.DisableCompression = nil, base.DisableCompression || s.limit > 0
	if isHTTP2 {
		t.inner.ForceAttemptHTTP2, t.inner.TLSNextProto = true, nil // the clone makes its own connections
	}
	if t.fault == nil {
		t.dialers(base.DialContext)
	}
	return t
}

// dialers sets the clone's proxy, and its dialer, which judges addresses or dials the proxy.
func (t *transport) dialers(dial dialFunc) {
	dialer := &net.Dialer{}
	if t.dialer != nil {
		*dialer = *t.dialer
	} else if dial != nil {
		dialer.Timeout, dialer.KeepAlive = 30*time.Second, 30*time.Second // as http.DefaultTransport
	}
	t.inner.DialContext = dialer.DialContext
	if t.proxy != nil {
		t.inner.Proxy = http.ProxyURL(t.proxy) // every connection is to the proxy
		return
	}
	control := dialer.Control
	// of Go 1.20 and later; it replaces Control
	field := reflect.ValueOf(*dialer).FieldByName("ControlContext")
	t.need(!field.IsValid() || field.IsNil(), "a dialer with ControlContext cannot be guarded: use Control")
	dialer.Control = func(network, address string, connection syscall.RawConn) error {
		if err := t.judge(network, address); err != nil || control == nil {
			return err
		}
		return recovered(func() error { return control(network, address, connection) })
	}
}

// recovered returns the error of a callback, or an error if it panics: a panic of a goroutine of net/http
// would end the program.
func recovered(callback func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = fmt.Errorf("urivet: a callback panicked with a value of type %T", value)
		}
	}()
	return callback()
}

// judge judges the address of a connection.
func (t *transport) judge(network, address string) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil || !strings.HasPrefix(network, "tcp") || to.Addr().Zone() != "" {
		return refused("an address that is not of TCP, or has a zone", nil)
	}
	return t.policy.CheckAddress(to.Addr().AsSlice(), int(to.Port())).Err()
}

// RoundTrip sends a request that the policy accepts.
func (t *transport) RoundTrip(request *http.Request) (*http.Response, error) {
	if err := t.judgeRequest(request); err != nil {
		if request != nil && request.Body != nil {
			request.Body.Close()
		}
		return nil, err
	}
	response, err := t.inner.RoundTrip(request)
	var refusal *Refused
	if errors.As(err, &refusal) {
		return nil, refusal // without the address, which errors of package net tell
	} else if err != nil {
		return nil, err
	}
	if err := t.judgeRedirect(request, response); err != nil {
		response.Body.Close()
		return nil, err
	}
	if t.limit > 0 {
		response.Body = http.MaxBytesReader(nil, response.Body, t.limit)
	}
	return response, nil
}

// CloseIdleConnections is for http.Client.
func (t *transport) CloseIdleConnections() { t.inner.CloseIdleConnections() }

func (t *transport) judgeRequest(request *http.Request) error {
	if t.fault != nil {
		return t.fault
	} else if request == nil || request.URL == nil || request.URL.Opaque != "" || request.Method == http.MethodConnect {
		return refused("a request that is more than its URL", nil)
	}
	for name := range request.Header {
		// net/http leaves out the fields with these names, and sends them in another letter case
		switch canonical := http.CanonicalHeaderKey(name); canonical {
		case "Host", "Content-Length", "Transfer-Encoding", "Trailer":
			if name != canonical {
				return refused("a header with a second "+canonical+" field", nil)
			}
		}
	}
	to := request.URL
	report := t.policy.Check(to.String())
	if !report.OK() {
		return refused("a URL", report)
	}
	endpoint := report.Endpoint()
	if endpoint == nil || endpoint.Scheme != to.Scheme || (to.Scheme != "http" && to.Scheme != "https") {
		return refused("a URL without a place to connect to", report)
	}
	// what net/http reads of the fields of the URL is what was judged
	host, same := to.Hostname(), false
	if address, err := netip.ParseAddr(host); err == nil {
		same = address == endpoint.Address
	} else {
		same = !endpoint.Address.IsValid() && strings.ToLower(strings.TrimSuffix(host, ".")) == endpoint.Host
	}
	port := to.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[to.Scheme]
	}
	if !same || port != fmt.Sprint(endpoint.Port) || to.RequestURI() != endpoint.Target {
		return refused("a URL whose fields say something else than its text", report)
	}
	if request.Host != "" && request.Host != to.Host && request.Host != endpoint.HostField {
		return refused("a Host field of another origin", nil)
	}
	return nil
}

// judgeRedirect judges the Location field as it was received.
func (t *transport) judgeRedirect(request *http.Request, response *http.Response) error {
	locations := response.Header["Location"]
	if response.StatusCode/100 != 3 || len(locations) == 0 {
		return nil
	} else if len(locations) > 1 {
		return refused("a redirect with several Location fields", nil)
	}
	report := t.policy.CheckReference(request.URL.String(), locations[0])
	if !report.OK() || report.Endpoint() == nil {
		return refused("a redirect", report)
	}
	return nil
}
