// SPDX-License-Identifier: Apache-2.0

package urivet

import (
	"context"
	"crypto/tls"
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
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// serve starts a server at an address of loopback and counts its connections.
func serve(t testing.TB, address string, answer http.HandlerFunc) (at string, connections *int64) {
	server := httptest.NewUnstartedServer(answer)
	server.Listener, _ = net.Listen("tcp", address+":0")
	connections = new(int64)
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			atomic.AddInt64(connections, 1)
		}
	}
	server.Start()
	t.Cleanup(server.Close)
	return server.Listener.Addr().String(), connections
}

// The server that may be fetched from; it redirects to each `to`.
func front(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	w.Header()["Location"] = query["to"]
	if query.Has("close") {
		w.Header().Set("Connection", "close")
	}
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
		for query, turn := make([]byte, 512), 0; ; {
			_, from, err := socket.ReadFrom(query)
			if err != nil {
				return
			}
			end := 12
			for ; query[end] != 0; end += int(query[end]) + 1 {
			}
			answer := append([]byte{query[0], query[1], 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}, query[12:end+5]...)
			if query[end+2] == 1 { // of type A
				row := rows[len(rows)-1]
				if turn < len(rows) {
					row = rows[turn]
				}
				turn++
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

// Each attack gets the secret without the guard, and is refused with it before anything connects there.
func TestAttacks(t *testing.T) {
	at, _ := serve(t, "127.0.0.1", front)
	inside, connections := serve(t, "127.0.0.2", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "secret") })
	_, port, _ := net.SplitHostPort(inside)
	name, to := "http://a.good.test:"+port+"/", func(location string) string { return "http://" + at + "/?to=" + url.QueryEscape(location) }
	both, out, in := []string{"127.0.0.2", "127.0.0.1"}, []string{"127.0.0.1"}, []string{"127.0.0.2"}
	for _, attack := range []struct {
		what string
		urls []string
		rows [][]string
	}{
		{"an address", []string{"http://" + inside}, nil},
		{"a name", []string{name}, [][]string{in}},
		{"a redirect to an address", []string{to("http://" + inside + "/")}, nil},
		{"a redirect without a scheme", []string{to("//" + inside + "/")}, nil},
		{"a redirect to a name", []string{to(name)}, [][]string{in}},
		{"rebinding", []string{"http://a.good.test:" + strings.Split(at, ":")[1] + "/?close", name}, [][]string{out, in}},
		{"a second redirect", []string{to(to("http://" + inside + "/"))}, nil},
	} {
		for _, dial := range []string{"Control", "DialContext", "none"} {
			dialer := &net.Dialer{Resolver: resolver(t, append(attack.rows, in)...)}
			base := &http.Transport{}
			var client interface {
				Get(string) (*http.Response, error)
			} = Client(policies["loopback"], WithDialer(dialer))
			if dial == "DialContext" {
				net.DefaultResolver = dialer.Resolver
				base.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
					if address == inside {
						t.Error(attack.what, ": the dialer of the program got the address")
					}
					return new(net.Dialer).DialContext(ctx, network, address)
				}
				client = Client(policies["loopback"], WithTransport(base))
			} else if dial == "none" {
				base.DialContext = dialer.DialContext
				client = &http.Client{Transport: base}
			}
			before := atomic.LoadInt64(connections)
			var got string
			var err error
			for _, one := range attack.urls {
				got, err = textOf(client.Get(one))
			}
			if net.DefaultResolver = new(net.Resolver); dial == "none" {
				if got != "secret" {
					t.Errorf("%s: the control does not get there: %q %v", attack.what, got, err)
				}
			} else if !errors.Is(err, ErrRefused) || atomic.LoadInt64(connections) != before || strings.Contains(err.Error(), "127.0.0.2") && dial == "Control" && attack.rows != nil {
				t.Errorf("%s by %s: %q %v", attack.what, dial, got, err)
			}
		}
	}
	client := Client(policies["loopback"], WithDialer(&net.Dialer{Resolver: resolver(t, both)}))
	for _, one := range []string{to("http:\\\\" + inside + "/"), "http://" + at + "/?to=/a&to=/b", "http://" + at + "\\@" + inside, "HTTP://" + at + "/",
		"http://u:p@" + at + "/", "file:///etc/passwd", "", "http://[::ffff:127.0.0.2]:" + port + "/", to("http://u@" + at + "/"), to("HTTP://" + at + "/"), to("file:///x"), name + "%zz"} {
		if _, err := textOf(client.Get(one)); !errors.Is(err, ErrRefused) {
			t.Errorf("%q: %v", one, err)
		}
	}
	// of several addresses, the accepted one
	if got, err := textOf(client.Get("http://b.good.test:" + strings.Split(at, ":")[1] + "/")); got != "front" {
		t.Error(got, err)
	}
	// the environment names a proxy, which the control uses; it is read once
	os.Setenv("HTTP_PROXY", "http://"+inside)
	defer os.Unsetenv("HTTP_PROXY")
	if got, err := textOf((&http.Client{Transport: http.DefaultTransport.(*http.Transport).Clone()}).Get(name)); got != "secret" {
		t.Error(got, err)
	}
	client = Client(policies["loopback"], WithDialer(&net.Dialer{Resolver: resolver(t, out)}))
	before := atomic.LoadInt64(connections)
	if got, err := textOf(client.Get("http://a.good.test:" + strings.Split(at, ":")[1] + "/")); got != "front" || atomic.LoadInt64(connections) != before {
		t.Error(got, err)
	}
	proxy, _ := url.Parse("http://" + inside)
	if got, err := textOf(Client(policies["loopback"], WithProxy(proxy)).Get(name)); got != "secret" {
		t.Error(got, err)
	}
}

// Every URL of the cases, with names that lead inside: nothing is connected to, and only the control tries addresses inside.
func TestEveryCase(t *testing.T) {
	var tried map[string]bool
	dialer := &net.Dialer{Resolver: resolver(t, []string{"127.0.0.2"}), Control: func(_, address string, _ syscall.RawConn) error {
		to := netip.MustParseAddrPort(address).Addr()
		tried[map[bool]string{true: "inside", false: "outside"}[to.IsLoopback() || to.IsPrivate() || !to.IsGlobalUnicast()]] = true
		return errors.New("tried")
	}}
	for guarded, get := range map[bool]func(string) (*http.Response, error){true: Client(Public, WithDialer(dialer)).Get,
		false: (&http.Client{Transport: &http.Transport{DialContext: dialer.DialContext}}).Get} {
		tried = map[string]bool{}
		for _, c := range cases {
			if c["kind"] == "check" {
				textOf(get(octets(c["input"])))
			}
		}
		if tried["inside"] == guarded || !tried["outside"] {
			t.Error(guarded, tried)
		}
	}
}

// Requests that net/http would send elsewhere than their URL says, and settings that cannot be guarded.
func TestRefusals(t *testing.T) {
	at, _ := serve(t, "127.0.0.1", front)
	for what, change := range map[string]func(*http.Request){
		"":        func(*http.Request) {},
		"host":    func(r *http.Request) { r.Host = "b.test" },
		"opaque":  func(r *http.Request) { r.URL.Opaque = "//b.test/" },
		"connect": func(r *http.Request) { r.Method = "CONNECT" },
		"fields":  func(r *http.Request) { r.URL.Host = at + "/x@b.test" },
		"path":    func(r *http.Request) { r.URL.Path = "x" },
		"no URL":  func(r *http.Request) { r.URL = nil },
	} {
		request, _ := http.NewRequest("GET", "http://"+at+"/", nil)
		change(request)
		if response, err := Transport(policies["loopback"], nil).RoundTrip(request); errors.Is(err, ErrRefused) != (what != "") {
			t.Error(what, response, err)
		}
	}
	dial := func(string, string) (net.Conn, error) { return nil, errors.New("dialled") }
	panics := func(string, string, syscall.RawConn) error { panic("secret") }
	observing, err := Load(os.Getenv("URIVET_OBSERVE"))
	if err != nil || !observing.Observes() || observing.Name() == "" {
		t.Error(err)
	}
	other := func(string, *tls.Conn) http.RoundTripper { return nil }
	for what, client := range map[string]*GuardedClient{
		"nil policy": Client(nil), "zero policy": Client(&Policy{}), "nil option": Client(policies["loopback"], nil), "observing": Client(observing),
		"Dial":     Client(policies["loopback"], WithTransport(&http.Transport{Dial: dial})),
		"DialTLS":  Client(policies["loopback"], WithTransport(&http.Transport{DialTLS: dial})),
		"protocol": Client(policies["loopback"], WithTransport(&http.Transport{TLSNextProto: map[string]func(string, *tls.Conn) http.RoundTripper{"x": other}})),
		"Proxy":    Client(policies["loopback"], WithTransport(&http.Transport{Proxy: http.ProxyURL(&url.URL{Scheme: "http", Host: at})})),
		"both":     Client(policies["loopback"], WithDialer(&net.Dialer{}), WithTransport(&http.Transport{DialContext: (&net.Dialer{}).DialContext})),
		"a panic":  Client(policies["loopback"], WithDialer(&net.Dialer{Control: panics})),
		"an unusual connection": Client(policies["loopback"], WithTransport(&http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
			one, _ := net.Pipe()
			return one, nil
		}})),
	} {
		if got, err := textOf(client.Get("http://" + at + "/secret?secret")); err == nil || strings.Contains(err.Error(), "secret") {
			t.Error(what, got, err)
		}
		if _, err := client.Client.Get("http://" + at + "/"); err == nil {
			t.Error(what)
		}
	}
	var repaired string
	client := Client(policies["loopback"], WithRepair(func(written, fetched string) { repaired = fetched }))
	if got, err := textOf(client.Get("http://" + at + "/a b")); got != "front" || !strings.HasSuffix(repaired, "/a%20b") {
		t.Error(got, err, repaired)
	}
	var refusal *Refused
	if _, err = client.Get("http://10.0.0.1/?secret"); !errors.As(err, &refusal) || refusal.Public != "not-allowed" || strings.Contains(fmt.Sprintf("%v %+v %#v", err, refusal.Report, refusal.Report), "10.0") {
		t.Error(err)
	}
	for _, report := range []*Report{(*Policy)(nil).Check("http://example.com/"), new(Policy).CheckRequest("GET", "/", "a.test"), nil} {
		if report.OK() || report.Err() == nil || report.Public() != "not-allowed" || report.Endpoint() != nil || report.Suggestion() != "" {
			t.Error(report)
		}
	}
}

// What the plain client does, the guarded one does: cookies, contexts, timeouts, kept connections, HTTP/2.
func TestAsPlain(t *testing.T) {
	at, connections := serve(t, "127.0.0.1", front)
	client := Client(policies["loopback"])
	client.Jar, _ = cookiejar.New(nil)
	var group sync.WaitGroup
	report := policies["loopback"].Check("http://" + at)
	for k := 0; k < 200; k++ {
		if k == 20 && atomic.LoadInt64(connections) != 1 {
			t.Error("connections are not kept")
		}
		ask := func() {
			if data, err := report.MarshalJSON(); err != nil || report.Endpoint().Host != "127.0.0.1" || len(data) == 0 {
				t.Error(string(data), err)
			}
			if got, err := textOf(client.Get("http://" + at + "/?to=/next")); got != "front" {
				t.Error(got, err)
			}
		}
		if k < 20 {
			ask()
			continue
		}
		group.Add(1)
		go func() { defer group.Done(); ask() }()
	}
	group.Wait()
	if to, _ := url.Parse("http://" + at); len(client.Jar.Cookies(to)) != 1 {
		t.Error("no cookie")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	request, _ := client.NewRequest(ctx, "GET", "http://"+at+"/slow", nil)
	if _, err := client.Do(request); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	client.Timeout = 20 * time.Millisecond
	var timeout net.Error
	if _, err := client.Get("http://" + at + "/slow"); !errors.As(err, &timeout) || !timeout.Timeout() {
		t.Error(err)
	}
	server := httptest.NewUnstartedServer(http.HandlerFunc(front))
	server.EnableHTTP2 = true
	server.StartTLS()
	defer server.Close()
	base := server.Client().Transport.(*http.Transport)
	if !newTransport(Public, settings{base: &http.Transport{}}).inner.ForceAttemptHTTP2 {
		t.Error("no HTTP/2, which the plain one has")
	}
	for _, isHTTP2 := range []bool{true, false} {
		if base = base.Clone(); !isHTTP2 {
			base.TLSClientConfig.NextProtos = nil
			base.ForceAttemptHTTP2, base.TLSNextProto = false, map[string]func(string, *tls.Conn) http.RoundTripper{}
		}
		response, err := (&http.Client{Transport: Transport(policies["loopback"], base)}).Get(server.URL)
		if _, err = textOf(response, err); err != nil || response.ProtoMajor != map[bool]int{true: 2, false: 1}[isHTTP2] {
			t.Error(isHTTP2, response, err)
		}
	}
}

func TestHandler(t *testing.T) {
	next := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, FromContext(r.Context()).OK()) })
	var seen []string
	observing, _ := Load(os.Getenv("URIVET_OBSERVE"))
	observe := Observe(func(_ *http.Request, report *Report) { seen = append(seen, report.Reasons()...) })
	for _, row := range []struct {
		target, host string
		handler      http.Handler
		wanted       string
	}{
		{"/a?b", "www.example.com", Handler(next, Gateway), "200 true"},
		{"/a/%2e%2e/b", "www.example.com", Handler(next, Gateway), "400 unclear"},
		{"/a/%2e%2e/b", "www.example.com", Handler(next, Gateway, observe), "200 false"},
		{"/a/%2e%2e/b", "www.example.com", Handler(next, observing), "200 false"},
		{"/a/%2e%2e/b", "www.example.com", Handler(next, Gateway, Observe(func(*http.Request, *Report) { panic(1) })), "400 unclear"},
		{"/a", "www.example.com@x", Handler(next, Gateway), "400"},
		{"/a", "", Handler(next, Gateway), "400"},
		{"/a", "www.example.com:81", Handler(next, Gateway), "400"},
		{"/a", "www.example.com:81", Handler(next, Gateway, Listener("http", 81)), "200 true"},
		{"/a", "www.example.com", Handler(next, Gateway, Listener("gopher", 81)), "400"},
		{"/a", "www.example.com", Handler(next, nil), "500"},
		{"/a", "www.example.com", Handler(next, Gateway, nil), "500"},
		{"/a", "www.example.com", Handler(nil, Gateway), "500"},
	} {
		request, recorder := httptest.NewRequest("GET", "/", nil), httptest.NewRecorder()
		request.RequestURI, request.Host = row.target, row.host
		row.handler.ServeHTTP(recorder, request)
		if got := fmt.Sprint(recorder.Code, " ", recorder.Body); !strings.HasPrefix(got, row.wanted) {
			t.Errorf("%s %s: %s, not %s", row.target, row.host, got, row.wanted)
		}
	}
	// the port of a server is its own
	at, _ := serve(t, "127.0.0.1", Handler(next, Gateway).ServeHTTP)
	if got, err := textOf(http.Get("http://" + at + "/a?b")); got != "true" || len(seen) == 0 {
		t.Error(got, err, seen)
	}
}

func TestText(t *testing.T) {
	var row struct{ To PublicURL }
	for text, ok := range map[string]bool{`{"To":"https://example.com/"}`: true, `{"To":"http://127.0.0.1/"}`: false, `{"To":""}`: false} {
		if err := json.Unmarshal([]byte(text), &row); errors.Is(err, ErrRefused) == ok || ok && row.To != "https://example.com/" {
			t.Error(text, err)
		}
	}
	var to StrictURL
	for _, source := range []any{nil, "http://localhost/", []byte("http://localhost/"), 1, "javascript:x", []byte{0xFF}} {
		isText := strings.Contains(fmt.Sprintf("%s", source), "localhost")
		if err := to.Scan(source); (err == nil) != (isText || source == nil) {
			t.Error(source, err)
		} else if value, err := to.Value(); err != nil || (value == nil) != (source == nil) {
			t.Error(value, err)
		}
	}
	_, err := PublicURL("http://127.0.0.1/").Value()
	if _, fault := json.Marshal(PublicURL("http://127.0.0.1/")); !errors.Is(err, ErrRefused) || !errors.Is(fault, ErrRefused) {
		t.Error(err, fault)
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
			if report.OK() != policy.OK(text) || report.OK() != (len(report.Reasons()) == 0) || report.OK() && report.Suggestion() == "" {
				t.Fatalf("%q: %v", text, report)
			}
			if to, err := url.Parse(text); report.Endpoint() != nil && (err != nil || to.RequestURI() != report.Endpoint().Target) {
				t.Fatalf("%q: %v %v", text, to, err)
			}
		}
	})
}

func Benchmark(b *testing.B) {
	at, _ := serve(b, "127.0.0.1", front)
	to := "https://www.example.com/a/b?c=d"
	guarded, plain := Client(policies["loopback"]), &http.Client{Transport: &http.Transport{}}
	for name, call := range map[string]func(){
		"OK":             func() { Public.OK(to) },
		"Check":          func() { Public.Check(to) },
		"url.Parse":      func() { url.Parse(to) },
		"Client":         func() { textOf(guarded.Get("http://" + at + "/")) },
		"Client (plain)": func() { textOf(plain.Get("http://" + at + "/")) },
	} {
		b.Run(name, func(b *testing.B) {
			for k := 0; k < b.N; k++ {
				call()
			}
		})
	}
}
