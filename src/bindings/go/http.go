// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package urivet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
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

// Options are those of Client and Transport. The zero value has none.
type Options struct {
	// Base is what the guarded transport is a clone of; nil: http.DefaultTransport.
	Base *http.Transport
	// Dialer makes the connections: its timeouts, resolver and local address. Its Control is called after the
	// address was accepted; ControlContext is refused.
	Dialer *net.Dialer
	// Proxy gets every request, and is trusted: it makes the connections, and addresses are its own to judge. URLs
	// and redirects are judged as ever.
	Proxy *url.URL
	// ResponseLimit ends each response body by an *http.MaxBytesError after so many octets; 0: never. No
	// compression is asked for then, so the octets are those of the body itself.
	ResponseLimit int64
	// Repair, if not nil, lets a Client take the suggested spelling of a URL that is refused as the program wrote it,
	// and learns what is fetched instead. Redirects are never repaired.
	Repair func(written, fetched string)
}

// A GuardedClient is an http.Client whose methods take URLs as they were received. Its Client is for code that
// wants an http.Client: there, net/url reads a URL before it is judged, and has changed "HTTP://" by then.
type GuardedClient struct {
	*http.Client
	guard *transport
}

// Client returns a client that goes where the policy allows, as Transport does; nil options are none. Set Timeout,
// Jar and CheckRedirect as for any http.Client; requests are errors if its Transport is replaced.
func Client(policy *Policy, options *Options) *GuardedClient {
	guard := newTransport(policy, options)
	return &GuardedClient{&http.Client{Transport: guard}, guard}
}

func (c *GuardedClient) fault() error {
	if c == nil || c.Client == nil || c.guard == nil || c.Transport != http.RoundTripper(c.guard) {
		return errors.New("urivet: the guard of a GuardedClient was taken out: give a Transport of urivet to an http.Client of your own")
	}
	return c.guard.fault
}

// NewRequest returns a request for a URL that the policy accepts as written.
func (c *GuardedClient) NewRequest(ctx context.Context, method, url string, body io.Reader) (*http.Request, error) {
	if err := c.fault(); err != nil {
		return nil, err
	}
	report := c.guard.policy.Check(url)
	if !report.OK() {
		suggestion := report.Suggestion()
		if c.guard.Repair == nil || suggestion == "" {
			return nil, report.Err()
		}
		if err := recovered(func() error { c.guard.Repair(url, suggestion); return nil }); err != nil {
			return nil, err
		}
		url = suggestion
	}
	request, err := http.NewRequestWithContext(ctx, method, url, body)
	return request, masked(err)
}

// Do sends a request. Errors tell scheme and host of a URL, and no more of it. A panic of CheckRedirect is one.
func (c *GuardedClient) Do(request *http.Request) (response *http.Response, err error) {
	if err = c.fault(); err == nil {
		err = recovered(func() (err error) {
			response, err = c.Client.Do(request)
			return err
		})
	}
	return response, masked(err)
}

// Get sends GET to a URL as it was received.
func (c *GuardedClient) Get(url string) (*http.Response, error) {
	return c.send(c.NewRequest(context.Background(), http.MethodGet, url, nil))
}

// Head sends HEAD to a URL as it was received.
func (c *GuardedClient) Head(url string) (*http.Response, error) {
	return c.send(c.NewRequest(context.Background(), http.MethodHead, url, nil))
}

// Post sends POST to a URL as it was received.
func (c *GuardedClient) Post(url, contentType string, body io.Reader) (*http.Response, error) {
	request, err := c.NewRequest(context.Background(), http.MethodPost, url, body)
	if err == nil {
		request.Header.Set("Content-Type", contentType)
	}
	return c.send(request, err)
}

// PostForm sends POST with a form to a URL as it was received.
func (c *GuardedClient) PostForm(url string, data url.Values) (*http.Response, error) {
	return c.Post(url, "application/x-www-form-urlencoded", strings.NewReader(data.Encode()))
}

func (c *GuardedClient) send(request *http.Request, err error) (*http.Response, error) {
	if err != nil {
		return nil, err
	}
	return c.Do(request)
}

// masked takes out of an error of net/http what may be secret of the URL.
func masked(err error) error {
	var found *url.Error
	if !errors.As(err, &found) {
		return err
	}
	copied := *found
	copied.URL = "a URL"
	if to, fault := url.Parse(found.URL); fault == nil && to.Host != "" {
		copied.URL = to.Scheme + "://" + to.Host + "/…"
	}
	return &copied
}

// transport judges what it sends, and where it connects to.
type transport struct {
	Options
	policy *Policy
	inner  *http.Transport
	fault  error // refuses every request
}

// Transport returns a RoundTripper like a clone of the base of the options that goes where the policy allows: it
// judges the URL and the Host field of each request, the Location field of each redirect, and each address before
// it is connected to. It uses no proxy unless the options name one.
//
// Every request is an error if the base has a dialer, proxy or protocol of its own (DialContext other than that of
// http.DefaultTransport, TLSNextProto other than for HTTP/2), and if policy is nil or only observes.
func Transport(policy *Policy, options *Options) http.RoundTripper {
	t := newTransport(policy, options)
	t.need(t.Repair == nil, "Repair is for Client: net/url has changed what a transport gets")
	return t
}

// need sets a fault unless something is as it has to be.
func (t *transport) need(ok bool, fault string) {
	if !ok && t.fault == nil {
		t.fault = errors.New("urivet: " + fault)
	}
}

// The dialer of http.DefaultTransport, which a clone of it has, too.
var standardDial = func() unsafe.Pointer {
	if standard, ok := http.DefaultTransport.(*http.Transport); ok {
		return closure(standard.DialContext)
	}
	return nil
}()

// closure returns what two equal closures have in common, and no others.
func closure(dial func(ctx context.Context, network, address string) (net.Conn, error)) unsafe.Pointer {
	return *(*unsafe.Pointer)(unsafe.Pointer(&dial))
}

func newTransport(policy *Policy, options *Options) *transport {
	t := &transport{policy: policy, inner: &http.Transport{}}
	if options != nil {
		t.Options = *options
	}
	base, ok := t.Base, true
	if base == nil {
		base, ok = http.DefaultTransport.(*http.Transport)
	}
	t.need(ok, "http.DefaultTransport is another RoundTripper: give a *http.Transport as Base")
	t.need(policy.inside() != refusing, "no policy")
	t.need(!policy.Observes(), "a policy that only observes guards nothing: take `mode: observe` out of it")
	t.need(t.Proxy == nil || t.Proxy.Host != "", "Proxy needs a host")
	t.need(t.ResponseLimit >= 0, "ResponseLimit is below 0")
	if t.fault != nil {
		return t
	}
	t.inner = base.Clone()
	_, isHTTP2 := base.TLSNextProto["h2"] // Clone() has filled it
	t.need(base.Dial == nil && base.DialTLS == nil && base.DialTLSContext == nil && (base.DialContext == nil || closure(base.DialContext) == standardDial),
		"the dialing functions of a transport cannot be guarded: use Dialer")
	t.need(base.Proxy == nil || reflect.ValueOf(base.Proxy).Pointer() == reflect.ValueOf(http.ProxyFromEnvironment).Pointer(),
		"the Proxy of a transport is not used: name it in the options, or take it out")
	t.need(len(base.TLSNextProto) == 0 || isHTTP2 && len(base.TLSNextProto) == 1, "TLSNextProto for other protocols than h2 cannot be guarded")
	t.inner.Proxy, t.inner.DisableCompression = nil, base.DisableCompression || t.ResponseLimit > 0
	if isHTTP2 {
		t.inner.ForceAttemptHTTP2, t.inner.TLSNextProto = true, nil // the clone makes its own connections
	}
	dialer := &net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second} // as http.DefaultTransport
	if t.Dialer != nil {
		*dialer = *t.Dialer
	}
	t.inner.DialContext = dialer.DialContext
	if t.Proxy != nil {
		proxy := *t.Proxy
		t.inner.Proxy = http.ProxyURL(&proxy) // every connection is to the proxy
		return t
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
	return t
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
	if t.ResponseLimit > 0 {
		response.Body = http.MaxBytesReader(nil, response.Body, t.ResponseLimit)
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
		if canonical := http.CanonicalHeaderKey(name); name != canonical && strings.Contains(",Host,Content-Length,Transfer-Encoding,Trailer,", ","+canonical+",") {
			return refused("a header with a second "+canonical+" field", nil)
		}
	}
	to := request.URL
	report := t.policy.Check(to.String())
	if !report.OK() {
		return refused("a URL", report)
	}
	endpoint := report.Endpoint()
	if endpoint == nil || endpoint.Scheme != to.Scheme || (to.Scheme != "http" && to.Scheme != "https") {
		return refused("a URL without a place to connect to", nil)
	}
	// what net/http reads of the fields of the URL is what was judged
	host := strings.ToLower(strings.TrimSuffix(to.Hostname(), "."))
	if address, err := netip.ParseAddr(host); err == nil && address == endpoint.Address {
		host = endpoint.Host // however it is written
	}
	port := to.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[to.Scheme]
	}
	if host != endpoint.Host || port != fmt.Sprint(endpoint.Port) || to.RequestURI() != endpoint.Target ||
		request.Host != "" && request.Host != to.Host && request.Host != endpoint.HostField {
		return refused("a request whose fields say something else than its URL", nil)
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
	if !report.OK() {
		return refused("a redirect", report)
	} else if report.Endpoint() == nil {
		return refused("a redirect without a place to connect to", nil)
	}
	return nil
}

// A Server is an http.Handler that answers requests whose target or Host field its policy refuses by 400 and one
// word, before Next sees them. It judges them as they were received, and the parameters for which the policy has
// rules. FromContext returns the report.
type Server struct {
	Next   http.Handler
	Policy *Policy
	// Listener has the scheme and port by which clients reach the server, for one behind a proxy. Without them the
	// scheme is not known, and the port is that of the connection.
	Listener Request
	// Observe is called for each request that would be refused, and nothing is refused. Log does so for a policy with
	// `mode: observe` that is given no other.
	Observe func(*http.Request, *Report)
}

// Handler returns a Server for the policy, usually Gateway or one that Load returns.
func Handler(next http.Handler, policy *Policy) *Server { return &Server{Next: next, Policy: policy} }

// Log writes why a request would be refused to the standard logger.
func Log(_ *http.Request, report *Report) { log.Printf("urivet: would be %s", report) }

type contextKey struct{}

// FromContext returns the report of the request that a Handler has judged, or nil.
func FromContext(ctx context.Context) *Report {
	report, _ := ctx.Value(contextKey{}).(*Report)
	return report
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.Next == nil || s.Policy.inside() == refusing {
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
	observe := s.Observe
	if observe == nil && s.Policy.Observes() {
		observe = Log
	}
	if !report.OK() && (observe == nil || recovered(func() error { observe(r, report); return nil }) != nil) {
		http.Error(w, report.Public(), http.StatusBadRequest)
		return
	}
	s.Next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), contextKey{}, report)))
}
