// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package urivet

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// A GuardedClient is an http.Client whose methods take URLs as they were received. Its Client is for code that
// wants an http.Client: there, net/url reads a URL before it is judged, and has changed "HTTP://" by then.
type GuardedClient struct {
	*http.Client
	guard *transport
}

// Client returns a client that goes where the policy allows, as Transport does. Set Timeout, Jar and
// CheckRedirect as for any http.Client; requests are errors if its Transport is replaced.
func Client(policy *Policy, options ...Option) *GuardedClient {
	guard := newTransport(policy, settingsOf(options))
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
		if !c.guard.repair || suggestion == "" {
			return nil, report.Err()
		}
		if told := c.guard.repaired; told != nil {
			if err := recovered(func() error { told(url, suggestion); return nil }); err != nil {
				return nil, err
			}
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
	return c.send(http.MethodGet, url, "", nil)
}

// Head sends HEAD to a URL as it was received.
func (c *GuardedClient) Head(url string) (*http.Response, error) {
	return c.send(http.MethodHead, url, "", nil)
}

// Post sends POST to a URL as it was received.
func (c *GuardedClient) Post(url, contentType string, body io.Reader) (*http.Response, error) {
	return c.send(http.MethodPost, url, contentType, body)
}

// PostForm sends POST with a form to a URL as it was received.
func (c *GuardedClient) PostForm(url string, data url.Values) (*http.Response, error) {
	return c.Post(url, "application/x-www-form-urlencoded", strings.NewReader(data.Encode()))
}

func (c *GuardedClient) send(method, url, contentType string, body io.Reader) (*http.Response, error) {
	request, err := c.NewRequest(context.Background(), method, url, body)
	if err != nil {
		return nil, err
	}
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	return c.Do(request)
}

// masked takes out of an error of net/http what may be secret of the URL.
func masked(err error) error {
	var found *url.Error
	if !errors.As(err, &found) {
		return err
	}
	shown := "a URL"
	if to, fault := url.Parse(found.URL); fault == nil && to.Host != "" {
		shown = to.Scheme + "://" + to.Host + "/…"
	}
	copied := *found
	copied.URL = shown
	return &copied
}
