// SPDX-License-Identifier: Apache-2.0

package urivet

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// serve starts a server at an address of loopback, of HTTP/2 for "https://", and counts its connections.
func serve(t testing.TB, address string, answer http.HandlerFunc) (at string, connections *int64) {
	server, host := httptest.NewUnstartedServer(answer), strings.TrimPrefix(address, "https://")
	server.Listener, _ = net.Listen("tcp", host+":0")
	connections, server.EnableHTTP2 = new(int64), host != address
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			atomic.AddInt64(connections, 1)
		}
	}
	map[bool]func(){true: server.StartTLS, false: server.Start}[host != address]()
	t.Cleanup(server.Close)
	return server.Listener.Addr().String(), connections
}

// The server that may be fetched from; it redirects to each `to`.
func front(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	w.Header()["Location"], w.Header()["Connection"] = query["to"], query["connection"]
	http.SetCookie(w, &http.Cookie{Name: "seen", Value: r.Header.Get("Cookie")})
	if r.URL.Path == "/slow" {
		<-r.Context().Done()
	}
	if w.WriteHeader(map[bool]int{true: 302, false: 200}[query.Has("to")]); len(query["to"]) == 0 {
		io.WriteString(w, "front")
	}
}

// resolver returns a resolver whose name server answers by turns, each time with all addresses of a row.
func resolver(t testing.TB, rows ...[]string) *net.Resolver {
	socket, _ := net.ListenPacket("udp", "127.0.0.1:0")
	t.Cleanup(func() { socket.Close() })
	go func() {
		for query := make([]byte, 512); ; {
			_, from, err := socket.ReadFrom(query)
			if err != nil {
				return
			}
			end := 12 + bytes.IndexByte(query[12:], 0)
			answer := append([]byte{query[0], query[1], 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}, query[12:end+5]...)
			if query[end+2] == 1 { // of type A
				row := rows[0]
				rows = append(rows[1:], rows[len(rows)-1])
				for answer[7] = byte(len(row)); len(row) > 0; row = row[1:] {
					answer = append(append(answer, 0xC0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4), net.ParseIP(row[0]).To4()...)
				}
			}
			socket.WriteTo(answer, from)
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return net.Dial("udp", socket.LocalAddr().String())
	}}
}

func textOf(response *http.Response, err error) (string, error) {
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return string(body), err
}

// refute fails the test if the condition is true.
func refute(t testing.TB, wrong bool, shown ...any) {
	if t.Helper(); wrong {
		t.Error(shown...)
	}
}

// gets requests a URL: the body, or "refused", has to be what is wanted.
func gets(t testing.TB, get func(string) (*http.Response, error), to, wanted string) {
	t.Helper()
	got, err := textOf(get(to))
	if errors.Is(err, ErrRefused) {
		got = "refused"
	}
	refute(t, got != wanted, to, ": ", got, err)
}

// Each attack gets the secret without the guard, and is refused with it before anything connects there.
func TestAttacks(t *testing.T) {
	at, _ := serve(t, "127.0.0.1", front)
	inside, connections := serve(t, "127.0.0.2", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "secret") })
	_, port, _ := net.SplitHostPort(inside)
	name, to := "http://a.good.test:"+port+"/", func(location string) string { return "http://" + at + "/?to=" + url.QueryEscape(location) }
	outside := "http://a.good.test:" + strings.Split(at, ":")[1] + "/?connection=close"
	both, out, in := []string{"127.0.0.2", "127.0.0.1"}, []string{"127.0.0.1"}, []string{"127.0.0.2"}
	for _, attack := range []struct {
		what string
		urls []string
		rows [][]string
	}{
		{"an address", []string{"http://" + inside}, nil},
		{"a mapped address", []string{"http://[::ffff:127.0.0.2]:" + port + "/"}, nil},
		{"a name", []string{name}, [][]string{in}},
		{"a redirect to an address", []string{to("http://" + inside + "/")}, nil},
		{"a redirect without a scheme", []string{to("//" + inside + "/")}, nil},
		{"a redirect with another scheme", []string{to("HTTP://" + inside + "/")}, nil},
		{"a redirect to a name", []string{to(name)}, [][]string{in}},
		{"rebinding", []string{outside, name}, [][]string{out, in}},
		{"a second redirect", []string{to(to("http://" + inside + "/"))}, nil},
	} {
		for _, guarded := range []bool{true, false} {
			dialer := &net.Dialer{Resolver: resolver(t, append(attack.rows, in)...)}
			get := map[bool]func(string) (*http.Response, error){true: Client(policies["loopback"], &Options{Dialer: dialer}).Get,
				false: (&http.Client{Transport: &http.Transport{DialContext: dialer.DialContext}}).Get}[guarded]
			before, wanted := atomic.LoadInt64(connections), map[bool]string{true: "refused", false: "secret"}[guarded]
			if len(attack.urls) > 1 {
				gets(t, get, attack.urls[0], "front")
			}
			gets(t, get, attack.urls[len(attack.urls)-1], wanted)
			refute(t, guarded && atomic.LoadInt64(connections) != before, attack.what, ": connected")
		}
	}
	client := Client(policies["loopback"], &Options{Dialer: &net.Dialer{Resolver: resolver(t, both)}})
	for _, one := range []string{to("http:\\\\" + inside + "/"), "http://" + at + "/?to=/a&to=/b", "http://" + at + "\\@" + inside, "HTTP://" + at + "/",
		"http://u:p@" + at + "/", "file:///etc/passwd", "", "http://[fe80::1%25lo]:" + port + "/", to("http://u@" + at + "/"), to("HTTP://" + at + "/"), to("file:///x"), to("/\\" + inside + "/"), to("http:" + inside), to("http:/" + inside), name + "%zz"} {
		gets(t, client.Get, one, "refused")
	}
	gets(t, client.Get, outside, "front") // of several addresses, the accepted one
	client = Client(policies["loopback"], &Options{Dialer: &net.Dialer{Resolver: resolver(t, in)}})
	_, err := client.Get(name)
	refute(t, strings.Contains(fmt.Sprint(err), "127.0.0.2"), err)
	// the environment names a proxy, which the control uses; it is read once
	os.Setenv("HTTP_PROXY", "http://"+inside)
	defer os.Unsetenv("HTTP_PROXY")
	gets(t, (&http.Client{Transport: http.DefaultTransport.(*http.Transport).Clone()}).Get, name, "secret")
	gets(t, Client(policies["loopback"], &Options{Dialer: &net.Dialer{Resolver: resolver(t, out)}}).Get, outside, "front")
	// a base with a protocol of its own, which the control uses, does not lend it to the guard
	files := &http.Transport{}
	files.RegisterProtocol("http", http.NewFileTransport(http.Dir("testdata")))
	gets(t, (&http.Client{Transport: files}).Get, "http://"+at+"/none", "404 page not found\n")
	gets(t, Client(policies["loopback"], &Options{Base: files}).Get, "http://"+at+"/none", "front")
	proxy := &url.URL{Scheme: "http", Host: inside}
	client = Client(policies["loopback"], &Options{Proxy: proxy})
	proxy.Host = "127.0.0.1:1" // which the client has copied
	gets(t, client.Get, name, "secret")
	// the base lends its HTTP/2, with a connection that it keeps from when the name led inside; the control uses that
	kept, _ := serve(t, "https://0.0.0.0", func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, r.Proto+strings.Split(fmt.Sprint(r.Context().Value(http.LocalAddrContextKey)), ":")[0])
	})
	kept, net.DefaultResolver = "https://a.good.test"+kept[strings.LastIndex(kept, ":"):], resolver(t, in, out)
	first := &http.Transport{ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
	gets(t, (&http.Client{Transport: first}).Get, kept, "HTTP/2.0127.0.0.2")
	base := &http.Transport{TLSNextProto: first.TLSNextProto, TLSClientConfig: first.TLSClientConfig}
	gets(t, (&http.Client{Transport: base.Clone()}).Get, kept, "HTTP/2.0127.0.0.2")
	gets(t, Client(policies["loopback"], &Options{Base: base}).Get, kept, "HTTP/2.0127.0.0.1")
}

// Every URL of the cases, with names that lead inside: nothing is connected to, and only the control tries addresses inside.
func TestEveryCase(t *testing.T) {
	var tried map[string]bool
	dialer := &net.Dialer{Resolver: resolver(t, []string{"127.0.0.2"}), Control: func(_, address string, _ syscall.RawConn) error {
		to := netip.MustParseAddrPort(address).Addr()
		tried[map[bool]string{true: "inside", false: "outside"}[to.IsLoopback() || to.IsPrivate() || !to.IsGlobalUnicast()]] = true
		return errors.New("tried")
	}}
	for guarded, get := range map[bool]func(string) (*http.Response, error){true: Client(Public, &Options{Dialer: dialer}).Get,
		false: (&http.Client{Transport: &http.Transport{DialContext: dialer.DialContext}}).Get} {
		tried = map[string]bool{}
		for _, c := range cases {
			if c["kind"] == "check" {
				textOf(get(octets(c["input"])))
			}
		}
		refute(t, tried["inside"] == guarded || !tried["outside"], guarded, tried)
	}
}

// Requests that net/http would send elsewhere than their URL says: many of them arrive without the guard.
func TestRequests(t *testing.T) {
	at, connections := serve(t, "127.0.0.1", front)
	arrived := int64(0)
	for what, change := range map[string]func(*http.Request){
		"": func(*http.Request) {},
		"host: whose fields say something else than its URL": func(r *http.Request) { r.Host = "b.test" },
		"opaque: that is more than its URL":                  func(r *http.Request) { r.URL.Opaque = "//b.test/" },
		"connect: that is more than its URL":                 func(r *http.Request) { r.Method = "CONNECT" },
		"authority":                                          func(r *http.Request) { r.URL.Host = at + "/x@b.test" },
		"at":                                                 func(r *http.Request) { r.URL.Host = "b.test@" + at },
		"mapped":                                             func(r *http.Request) { r.URL.Host = "[::ffff:127.0.0.1]" + at[strings.Index(at, ":"):] },
		"zone":                                               func(r *http.Request) { r.URL.Host = "[fe80::1%lo]" },
		"userinfo: userinfo-present":                         func(r *http.Request) { r.URL.User = url.User("a") },
		"changed: addr-loopback":                             func(r *http.Request) { r.URL.Host = "127.0.0.2:80" },
		"asterisk":                                           func(r *http.Request) { r.Method, r.URL.Path = "OPTIONS", "*" },
		"path":                                               func(r *http.Request) { r.URL.Path = "x" },
		"raw path":                                           func(r *http.Request) { r.URL.Path, r.URL.RawPath = "/a/../b", "/a/%2e%2e/b" },
		"raw query":                                          func(r *http.Request) { r.URL.RawQuery = "a#b" },
		"line":                                               func(r *http.Request) { r.URL.RawQuery = "a HTTP/1.1\r\nHost: b.test\r\n\r\n" },
		"scheme":                                             func(r *http.Request) { r.URL.Scheme = "HTTP" },
		"no scheme":                                          func(r *http.Request) { r.URL.Scheme = "" },
		"field: a header with a second Host field":                   func(r *http.Request) { r.Header["host"] = []string{"b.test"} },
		"two bodies: a header with a second Transfer-Encoding field": func(r *http.Request) { r.Header["transfer-encoding"] = []string{"chunked"} },
		"no URL: that is more than its URL":                          func(r *http.Request) { r.URL = nil },
	} {
		for guarded, transport := range map[bool]http.RoundTripper{true: Transport(policies["loopback"], nil), false: &http.Transport{DisableKeepAlives: true}} {
			request, _ := http.NewRequest("GET", "http://"+at+"/", nil)
			change(request)
			before := atomic.LoadInt64(connections)
			response, err := transport.RoundTrip(request)
			if err == nil {
				response.Body.Close()
			}
			arrivals := atomic.LoadInt64(connections) - before
			if !guarded {
				arrived += arrivals
			}
			_, message, _ := strings.Cut(what, ": ")
			refute(t, guarded && (!strings.Contains(fmt.Sprint(err), message) || errors.Is(err, ErrRefused) != (what != "") || (arrivals > 0) != (what == "")), what, response, err)
		}
	}
	refute(t, arrived < 10, "the control sends few: ", arrived)
	_, err := Transport(policies["loopback"], nil).RoundTrip(nil)
	refute(t, !errors.Is(err, ErrRefused), err)
}

// Settings that cannot be guarded, and callbacks that panic, are an error for each request.
func TestRefusals(t *testing.T) {
	at, _ := serve(t, "127.0.0.1", front)
	loopback, to, dial := policies["loopback"], "http://"+at+"/", func(string, string) (net.Conn, error) { return nil, errors.New("dialled") }
	with := func(base *http.Transport) *GuardedClient { return Client(loopback, &Options{Base: base}) }
	observing, err := Load(os.Getenv("URIVET_OBSERVE"))
	refute(t, err != nil || !observing.Observes() || observing.Name() == "", err)
	other := func(string, *tls.Conn) http.RoundTripper { return nil }
	replaced, redirects := Client(loopback, nil), Client(loopback, nil)
	replaced.Transport = http.DefaultTransport
	redirects.CheckRedirect = func(*http.Request, []*http.Request) error { panic("secret") }
	panics := func(string, string, syscall.RawConn) error { panic("secret") }
	for what, client := range map[string]*GuardedClient{
		"nil policy: no policy": Client(nil, nil), "zero policy: no policy": Client(&Policy{}, nil), "observing: a policy that only observes guards nothing: take `mode: observe` out of it": Client(observing, nil),
		"Dial: the dialing functions of a transport cannot be guarded: use Dialer": with(&http.Transport{Dial: dial}), "DialTLS: the dialing functions": with(&http.Transport{DialTLS: dial}),
		"DialContext: the dialing functions":                       with(&http.Transport{DialContext: (&net.Dialer{}).DialContext}),
		"DialTLSContext: the dialing functions":                    with(&http.Transport{DialTLSContext: (&net.Dialer{}).DialContext}),
		"protocol: TLSNextProto for other protocols than h2":       with(&http.Transport{TLSNextProto: map[string]func(string, *tls.Conn) http.RoundTripper{"x": other}}),
		"Proxy: the Proxy of a transport is not used":              with(&http.Transport{Proxy: http.ProxyURL(&url.URL{Scheme: "http", Host: at})}),
		"empty proxy: Proxy needs a host":                          Client(loopback, &Options{Proxy: &url.URL{Path: at}}),
		"no limit: ResponseLimit is below 0":                       Client(loopback, &Options{ResponseLimit: -1}),
		"a panic: a callback panicked with a value of type string": Client(loopback, &Options{Dialer: &net.Dialer{Control: panics}}),
		"a redirect: a callback panicked":                          redirects,
		"replaced: the guard of a GuardedClient was taken out":     replaced,
		"no guard: the guard of a GuardedClient was taken out":     {Client: http.DefaultClient},
		"zero: the guard of":                                       {},
		"nil: the guard of":                                        nil,
	} {
		_, err := textOf(client.Get(to + "?to=/secret"))
		_, message, _ := strings.Cut(what, ": ")
		refute(t, err == nil || errors.Is(err, ErrRefused) || strings.Contains(err.Error(), "secret") || !strings.Contains(err.Error(), "urivet: "+message), what, err)
		request, _ := http.NewRequest("GET", to+"?to=/", nil)
		_, err = client.Do(request)
		refute(t, err == nil, what)
	}
	var repaired string
	client := Client(loopback, &Options{Repair: func(written, fetched string) { repaired = fetched }})
	gets(t, client.Get, to+"a b", "front")
	gets(t, client.Get, to+"?to=/a+b", "refused") // a redirect
	refute(t, !strings.HasSuffix(repaired, "/a%20b"), repaired)
	_, err = Client(loopback, &Options{Repair: func(string, string) { panic(1) }}).Get(to + "a b")
	refute(t, err == nil, "a panic of the callback is no error")
	_, err = (&http.Client{Transport: Transport(loopback, &Options{Repair: func(string, string) {}})}).Get(to)
	refute(t, err == nil || !strings.Contains(err.Error(), "urivet: Repair is for Client: net/url has changed what a transport gets"), err)
	var refusal *Refused
	_, err = client.Get("http://10.0.0.1/?secret")
	refute(t, !errors.As(err, &refusal) || refusal.Public != "not-allowed" || strings.Contains(fmt.Sprintf("%v %+v %#v", err, refusal.Report, refusal.Report), "10.0"), err)
}

// What each method sends, and the text of each error.
func TestTexts(t *testing.T) {
	at, _ := serve(t, "127.0.0.1", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Seen", fmt.Sprint(r.Method, " ", r.Header.Get("Content-Type"), " ", string(body)))
		if r.URL.RawQuery == "hop" {
			http.Redirect(w, r, "/b?secret", http.StatusFound)
		}
	})
	client, to, good := Client(policies["loopback"], nil), "http://"+at+"/", "http://example.com/"
	post := func(url string) (*http.Response, error) { return client.Post(url, "text/x", strings.NewReader("y")) }
	empty := func(url string) (*http.Response, error) { return client.Post(url, "text/x", nil) }
	form := func(to string) (*http.Response, error) { return client.PostForm(to, url.Values{"a": {"b c"}}) }
	for wanted, send := range map[string]func(string) (*http.Response, error){"GET": client.Get, "HEAD": client.Head, "POST text/x y": post, "POST text/x": empty, "POST application/x-www-form-urlencoded a=b+c": form} {
		response, err := send(to)
		_, fault := textOf(response, err)
		refute(t, fault != nil || response.Header.Get("Seen") != wanted, wanted, err)
		gets(t, send, "http://10.0.0.1/", "refused")
	}
	_, missing := Load("none/such")
	_, cut := Load(os.Args[0])
	_, short := LoadBytes([]byte("urivet"))
	_, masked := client.NewRequest(context.Background(), "G T", to+"?secret", nil)
	_, inside := client.Get("http://127.0.0.1:1024/secret")
	stops := Client(policies["loopback"], nil)
	stops.CheckRedirect = func(*http.Request, []*http.Request) error { return errors.New("stopped") }
	_, hop := stops.Get(to + "?hop")
	parameters := Public.CheckParameters(Public.Check(good+"?u=ftp://x/"), Parameters{Names: []string{"u"}})
	for _, row := range []struct {
		err    error
		wanted string
	}{
		{missing, "open none/such: no such file or directory"}, {cut, os.Args[0] + ": urivet: "}, {short, "urivet: it is too short for a compiled policy (`urivet policy compile` writes a policy)"},
		{hop, `Get "a URL": stopped`},
		{masked, `net/http: invalid method "G T"`}, {inside, `Get "http://127.0.0.1:1024/…": dial tcp 127.0.0.1:1024: `}, {new(Report).Err(), "urivet: refused what was not judged"},
		{Public.Check("http://10.0.0.1/").Err(), "urivet: refused a URL: addr-not-global,addr-private"},
		{Gateway.CheckRequest("GET", "/a%2fb", "a.example.com").Err(), "urivet: refused a request: escaped-slash"},
		{Public.CheckReference(good, "//10.0.0.1/").Err(), "urivet: refused a reference: addr-not-global,addr-private"},
		{Public.CheckSameOrigin(good, "//a.example.com/").Err(), "urivet: refused a reference: cross-origin"},
		{Public.CheckAddress([]byte{10, 0, 0, 1}, 80).Err(), "urivet: refused an address: addr-not-global,addr-private"},
		{parameters.Err(), "urivet: refused a URL: param-refused"}, {parameters.Parameters()[0].Report.Err(), "urivet: refused a parameter: scheme-not-allowed"},
		{Gateway.CheckRequestOf(Request{Scheme: "https", Port: -1}, "GET", "/", "a.test").Err(), "urivet: refused a request: policy-invalid"},
		{Gateway.CheckRequestOf(Request{Scheme: "https", Port: 65536}, "GET", "/", "a.test").Err(), "urivet: refused a request: policy-invalid"},
		{Gateway.CheckRequestOf(Request{Scheme: "HTTPS", Port: 443}, "GET", "/", "a.test").Err(), "urivet: refused a request: policy-invalid"},
	} {
		refute(t, !strings.HasPrefix(fmt.Sprint(row.err), row.wanted), row.err, ", not ", row.wanted)
	}
	refute(t, Gateway.CheckRequest("GET", "/%7e", "a.example.com").Suggestion() != "" || Strict.Check("HTTP://a/").String() != "refused: scheme-case" || Strict.Check("http://a/").String() != "accepted" || Explain("none").ID != "", "a report in short")
}

// Of nothing, of a policy whose original is gone, and of 64 MiB.
func TestBadInput(t *testing.T) {
	for _, report := range []*Report{(*Policy)(nil).Check("http://example.com/"), new(Policy).CheckRequest("GET", "/", "a.test"), new(Report), nil} {
		refute(t, report.OK() || report.Err() == nil || report.Public() != "not-allowed" || report.Endpoint() != nil || report.Suggestion() != "" || report.Form() == "", report)
	}
	to := "https://a.example.com/?u=%2F%2F10.0.0.1%2F&x"
	for _, p := range []*Policy{nil, {}, Public} {
		bitmap, accepted := CheckColumn(p, []byte(to), []int64{0, 22, 1 << 62, -1, 0})
		report := p.CheckParameters(Public.Check(to), Parameters{Names: []string{"", "\x00", strings.Repeat("n", 1<<24), "u"}})
		isPublic := p == Public
		refute(t, report.OK() || len(report.Parameters()) != 2 || (bitmap[0] == 1) != isPublic || (accepted == 1) != isPublic || p.CheckAll([]string{to})[0] != isPublic, p, bitmap, report)
	}
	none, _ := CheckColumn(Public, nil, []int32(nil))
	refute(t, len(none) > 0 || Public.CheckParameters(nil, Parameters{}).OK(), "of nothing")
	compiled, _ := os.ReadFile(os.Getenv("URIVET_OBSERVE"))
	original, err := LoadBytes(compiled)
	if copied := *original; err == nil {
		original = nil
		for k := 0; k < 3; k++ {
			runtime.GC()
			LoadBytes(compiled[:len(compiled)-1])
		}
		refute(t, !copied.OK("http://a.test/") || copied.OK("http://a.test/%2e") || !copied.Observes(), "a copy does not outlive its original")
	}
	long := "http://example.com/" + strings.Repeat("a", map[bool]int{false: 64 << 20, true: 2 << 20}[testing.Short()])
	for what, report := range map[string]*Report{"Check": Any.Check(long), "target": Gateway.CheckRequest("GET", long, "a.test"), "host": Gateway.CheckRequest("GET", "/", long),
		"method": Gateway.CheckRequest(long, "/", "a.test"), "reference": Public.CheckReference("http://a.example.com/", long), "base": Public.CheckReference(long, "?x")} {
		data, err := report.MarshalJSON()
		refute(t, report.OK() || report.Suggestion() != "" || err != nil || !json.Valid(data), what, report, len(data), err)
	}
	normal, ok := Normalise(long, true)
	refute(t, Any.OK(long) || Any.SuggestIRI(long).URL != "" || Any.DisplayHTML(long) != "" || !ok || normal != long || len(Scan(long)) != 1, "a long text")
	gets(t, Client(Public, nil).Get, long, "refused")
}

// A body of 8 MiB, which 8 KiB of compressed data stand for, ends at the limit.
func TestResponseLimit(t *testing.T) {
	var packs bool
	at, _ := serve(t, "127.0.0.1", func(w http.ResponseWriter, r *http.Request) {
		out := io.Writer(w)
		if packs = strings.Contains(r.Header.Get("Accept-Encoding"), "gzip"); packs {
			w.Header().Set("Content-Encoding", "gzip")
			packed := gzip.NewWriter(w)
			defer packed.Close()
			out = packed
		}
		out.Write(make([]byte, 8<<20))
	})
	for limit, wanted := range map[int64]int{1: 1, 1 << 16: 1 << 16, 8 << 20: 8 << 20, 0: 8 << 20} {
		got, err := textOf(Client(policies["loopback"], &Options{ResponseLimit: limit}).Get("http://" + at + "/"))
		var tooLarge *http.MaxBytesError
		refute(t, packs != (limit == 0) || len(got) != wanted || errors.As(err, &tooLarge) != (wanted < 8<<20), limit, len(got), err)
	}
}

// What the plain client does, the guarded one does: cookies, contexts, timeouts, kept connections, HTTP/2.
func TestAsPlain(t *testing.T) {
	at, connections := serve(t, "127.0.0.1", front)
	client := Client(policies["loopback"], nil)
	client.Jar, _ = cookiejar.New(nil)
	var group sync.WaitGroup
	report := policies["loopback"].Check("http://" + at + "/?u=%2Fa")
	for k := 0; k < 200; k++ {
		refute(t, k == 20 && atomic.LoadInt64(connections) != 1, "connections are not kept")
		ask := func() {
			data, err := report.MarshalJSON()
			found := Public.CheckParameters(report, Parameters{Names: []string{"u"}}).Parameters()[0]
			refute(t, err != nil || report.Endpoint().Host != "127.0.0.1" || len(data) == 0 || found.Report.Text() != "/a", string(data), err, found)
			gets(t, client.Get, "http://"+at+"/?to=/next", "front")
		}
		if k < 20 {
			ask()
			continue
		}
		group.Add(1)
		go func() { defer group.Done(); ask() }()
	}
	group.Wait()
	refute(t, len(client.Jar.Cookies(&url.URL{Scheme: "http", Host: at})) != 1, "no cookie")
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	request, _ := client.NewRequest(ctx, "GET", "http://"+at+"/slow", nil)
	_, err := client.Do(request)
	refute(t, !errors.Is(err, context.DeadlineExceeded), err)
	client.Timeout = 20 * time.Millisecond
	var timeout net.Error
	_, err = client.Get("http://" + at + "/slow")
	refute(t, !errors.As(err, &timeout) || !timeout.Timeout(), err)
	at, _ = serve(t, "https://127.0.0.1", front)
	base := &http.Transport{ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
	refute(t, !newTransport(Public, &Options{Base: &http.Transport{}}).inner.ForceAttemptHTTP2, "no HTTP/2, which the plain one has")
	for _, isHTTP2 := range []bool{true, false} {
		if base = base.Clone(); !isHTTP2 {
			base.TLSClientConfig.NextProtos = nil
			base.ForceAttemptHTTP2, base.TLSNextProto = false, map[string]func(string, *tls.Conn) http.RoundTripper{}
		}
		client := &http.Client{Transport: Transport(policies["loopback"], &Options{Base: base})}
		gets(t, client.Get, "https://"+at+"/?to=https://127.0.0.2/", "refused")
		response, err := client.Get("https://" + at)
		_, err = textOf(response, err)
		refute(t, err != nil || response.ProtoMajor != map[bool]int{true: 2, false: 1}[isHTTP2], isHTTP2, response, err)
	}
}

func TestHandler(t *testing.T) {
	next := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, FromContext(r.Context()).OK()) })
	var seen []string
	observing, _ := Load(os.Getenv("URIVET_OBSERVE"))
	observe := func(policy *Policy) *Server {
		return &Server{Next: next, Policy: policy, Observe: func(_ *http.Request, report *Report) { seen = append(seen, report.Reasons()...) }}
	}
	for _, row := range []struct {
		target, host string
		handler      http.Handler
		wanted       string
	}{
		{"/a?b", "www.example.com", Handler(next, Gateway), "200 true"},
		{"/a/%2e%2e/b", "www.example.com", Handler(next, Gateway), "400 unclear"},
		{"/a/%2e%2e/b", "www.example.com", observe(Gateway), "200 false"},
		{"/a/%2e%2e/b", "www.example.com", Handler(next, observing), "200 false"},
		{"/a/%2e%2e/b", "www.example.com", &Server{Next: next, Policy: Gateway, Observe: func(*http.Request, *Report) { panic(1) }}, "400 unclear"},
		{"/a", "www.example.com,www.example.com", Handler(next, Gateway), "200 true"},
		{"/a", "www.example.com,b.example.com", Handler(next, Gateway), "400"},
		{"/a", "www.example.com,,b.example.com", Handler(next, Gateway), "400"},
		{"/a", "www.example.com@x", Handler(next, Gateway), "400"},
		{"/a", "", Handler(next, Gateway), "400"},
		{"/a", "www.example.com:81", Handler(next, Gateway), "400"},
		{"/a", "www.example.com:81", &Server{Next: next, Policy: Gateway, Listener: Request{Scheme: "http", Port: 81}}, "200 true"},
		{"/a", "www.example.com", &Server{Next: next, Policy: Gateway, Listener: Request{Scheme: "gopher", Port: 81}}, "400"},
		{"/a", "www.example.com", Handler(next, nil), "500"},
		{"/a", "www.example.com", observe(&Policy{}), "500"},
		{"/a", "www.example.com", Handler(nil, Gateway), "500"},
	} {
		at := context.WithValue(context.Background(), http.LocalAddrContextKey, &net.TCPAddr{Port: 80})
		request, recorder := httptest.NewRequest("GET", "/", nil).WithContext(at), httptest.NewRecorder()
		hosts := strings.Split(row.host, ",") // the second one is a field beside :authority of HTTP/2
		if request.RequestURI, request.Host = row.target, hosts[0]; len(hosts) > 1 {
			request.Header["Host"] = hosts[1:]
		}
		row.handler.ServeHTTP(recorder, request)
		got := fmt.Sprint(recorder.Code, " ", recorder.Body)
		refute(t, !strings.HasPrefix(got, row.wanted), row.target, " ", row.host, ": ", got, ", not ", row.wanted)
	}
	// the port of a server is its own
	at, _ := serve(t, "127.0.0.1", Handler(next, Gateway).ServeHTTP)
	gets(t, http.Get, "http://"+at+"/a?b", "true")
	refute(t, len(seen) == 0, "Observe told nothing")
}

type (
	binary  string
	byPanic struct{}
	field   struct{ value any }
)

func (b binary) MarshalBinary() ([]byte, error) { return []byte(b), nil }
func (byPanic) Policy() *Policy                 { panic("secret") }
func (f field) Field() reflect.Value            { return reflect.ValueOf(f.value) }

func TestText(t *testing.T) {
	var row struct{ To PublicURL }
	for text, ok := range map[string]bool{"https://example.com/": true, "http://127.0.0.1/": false} {
		var stream bytes.Buffer
		gob.NewEncoder(&stream).Encode(struct{ To binary }{binary(text)})
		for _, err := range []error{json.Unmarshal([]byte(`{"To":"`+text+`"}`), &row), gob.NewDecoder(&stream).Decode(&row), row.To.UnmarshalParam(text)} {
			refute(t, errors.Is(err, ErrRefused) == ok || ok && row.To != "https://example.com/", text, err)
		}
		refute(t, (gob.NewEncoder(&stream).Encode(PublicURL(text)) == nil) != ok, text)
	}
	refute(t, json.Unmarshal([]byte(`{"To":""}`), &row) == nil, "an empty text is accepted")
	var to StrictURL
	for _, source := range []any{"http://localhost/", nil, []byte("http://localhost/"), 1, "javascript:x", []byte{0xFF}} {
		isText := strings.Contains(fmt.Sprintf("%s", source), "localhost")
		err := to.Scan(source)
		value, fault := to.Value()
		refute(t, (err == nil) != (isText || source == nil) || err == nil && (fault != nil || (value == nil) != (source == nil)), source, err, value, fault)
	}
	_, err := PublicURL("http://127.0.0.1/").Value()
	_, fault := json.Marshal(PublicURL("http://127.0.0.1/"))
	refute(t, !errors.Is(err, ErrRefused) || !errors.Is(fault, ErrRefused), err, fault)
	refute(t, URL[byPanic]("http://example.com/").Err() == nil || URL[By]("http://example.com/").Err() == nil, "a policy that panics accepts")
	for value, ok := range map[any]bool{"https://example.com/": true, row.To: true, "http://127.0.0.1/": false, "": false, 1: false, nil: false} {
		refute(t, Validation[field](Public)(field{value}) != ok || Validation[field](nil)(field{value}), value)
	}
}

// Whatever the octets are: OK and Check agree, and what is accepted leads where net/url says.
func FuzzCheck(f *testing.F) {
	for _, text := range []string{"", "http://example.com/a?b#c", "http://[::1]:80/", "http://a\\@b/", "x:y", "http://u@h/%zz"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, policy := range []*Policy{Strict, Public, Any, Gateway} {
			report := policy.Check(text)
			if report.OK() != (len(report.Reasons()) == 0) || report.OK() && report.Suggestion() == "" {
				t.Fatalf("%q: %v", text, report)
			}
			if to, err := url.Parse(text); report.Endpoint() != nil && (err != nil || to.RequestURI() != report.Endpoint().Target) {
				t.Fatalf("%q: %v %v", text, to, err)
			}
		}
	})
}
