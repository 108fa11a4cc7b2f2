// SPDX-License-Identifier: Apache-2.0

package urivet

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"
)

// A text of a case: octets as the characters of their numbers.
type octets string

func (o *octets) UnmarshalJSON(data []byte) error {
	var text string
	err := json.Unmarshal(data, &text)
	var raw []byte
	for _, r := range text {
		raw = append(raw, byte(r))
	}
	*o = octets(raw)
	return err
}

type finding struct {
	ID, Class, Component, In string
	Offset, Length, Count    int
	Refuses                  bool
}

type place struct {
	Scheme, Host string
	Port         int
	TLS          bool
	Address      string
	HostField    octets `json:"host_field"`
	TLSName      octets `json:"tls_name"`
	Target, URL  octets
}

type testCase struct {
	Kind, Policy, Name, Compiled, Fault, Version string
	Opens                                        bool
	Input, Target, Base, Reference, JSON         octets
	Method, Host                                 *octets
	HostUnknown                                  bool `json:"host_unknown"`
	SameOrigin                                   bool `json:"same_origin"`
	Scheme, Form, Verdict, Reason, Address       string
	Port, Accepted                               int
	Parsed                                       bool
	Findings                                     json.RawMessage
	Components                                   map[string]octets
	Suggestion                                   *octets
	Endpoint                                     *place
	AcceptedBy                                   []string `json:"accepted_by"`
	Data                                         octets
	Offsets                                      []int
	Bitmap, Outcome                              string
}

func textOf(o *octets) string {
	if o == nil {
		return ""
	}
	return string(*o)
}

func sameReport(t *testing.T, c *testCase, r *Report) {
	t.Helper()
	var wanted, got []finding
	if err := json.Unmarshal(c.Findings, &wanted); err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Findings() {
		got = append(got, finding{f.ID, f.Class, f.Component, f.Source, f.Start, f.End - f.Start, f.Count, f.Refuses})
	}
	if len(wanted)+len(got) > 0 && !reflect.DeepEqual(wanted, got) {
		t.Errorf("findings: %v, not %v", got, wanted)
	}
	if r.OK() != (c.Verdict == "accept") || r.Public() != c.Reason || bool(r.c.parsed) != c.Parsed || (r.Err() == nil) != r.OK() {
		t.Errorf("%v %s, not %s %s", r, r.Public(), c.Verdict, c.Reason)
	}
	for _, name := range strings.Fields("scheme authority userinfo host port path query fragment") {
		text, has := r.Component(name)
		if wanted, is := c.Components[name]; c.Components != nil && (has != is || text != string(wanted)) {
			t.Errorf("%s: %q, not %q", name, text, wanted)
		}
	}
	if c.Kind == "request" || c.Kind == "address" {
		return
	}
	if e, wanted := r.Endpoint(), c.Endpoint; (e == nil) != (wanted == nil) {
		t.Errorf("endpoint: %v, not %v", e, wanted)
	} else if got := (place{}); e != nil {
		got = place{e.Scheme, e.Host, e.Port, e.TLS, hex.EncodeToString(e.Address.AsSlice()), octets(e.HostField), octets(e.TLSName), octets(e.Target), octets(e.URL)}
		if got != *wanted {
			t.Errorf("endpoint: %v, not %v", got, *wanted)
		}
	}
}

func TestConformance(t *testing.T) {
	file, err := os.Open(os.Getenv("URIVET_CASES"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	policies := map[string]*Policy{"strict": Strict, "public": Public, "any": Any, "gateway": Gateway}
	names := []string{"strict", "public", "any", "gateway"}
	counts, left := map[string]int{}, map[string]int{}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		c := &testCase{}
		line := lines.Bytes()
		if err := json.Unmarshal(line, c); err != nil && !bytes.Contains(line, []byte(`"kind":"catalogue"`)) {
			t.Fatalf("%v: %.100s", err, line)
		}
		counts[c.Kind]++
		p := policies[c.Policy]
		t.Run(c.Kind, func(t *testing.T) {
			switch c.Kind {
			case "catalogue":
				if c.Version != Version() {
					t.Error(Version())
				}
			case "policy":
				data, _ := hex.DecodeString(c.Compiled)
				opened, err := LoadBytes(data)
				if policies[c.Name], names = opened, append(names, c.Name); (err == nil) != c.Opens {
					t.Error(err)
				} else if err != nil && !strings.Contains(err.Error(), c.Fault) && !strings.Contains(err.Error(), "urivet policy compile") {
					t.Errorf("%v, not %s", err, c.Fault)
				}
			case "check":
				r := p.Check(string(c.Input))
				sameReport(t, c, r)
				if r.Suggestion() != textOf(c.Suggestion) {
					t.Errorf("suggestion: %q, not %q", r.Suggestion(), textOf(c.Suggestion))
				}
			case "verdicts":
				for _, name := range names {
					wanted := false
					for _, by := range c.AcceptedBy {
						wanted = wanted || by == name
					}
					if policies[name].OK(string(c.Input)) != wanted {
						t.Errorf("%q by %s", c.Input, name)
					}
				}
			case "json":
				if got, _ := p.Check(string(c.Input)).MarshalJSON(); string(got) != string(c.JSON) {
					t.Errorf("%s, not %s", got, c.JSON)
				}
			case "request":
				r := p.CheckRequestOf(Request{c.Scheme, c.Port, c.Host == nil && !c.HostUnknown, c.HostUnknown}, textOf(c.Method), string(c.Target), textOf(c.Host))
				sameReport(t, c, r)
				if r.Form() != c.Form {
					t.Errorf("form: %s, not %s", r.Form(), c.Form)
				}
			case "reference":
				check := p.CheckReference
				if c.SameOrigin {
					check = p.CheckSameOrigin
				}
				r := check(string(c.Base), string(c.Reference))
				sameReport(t, c, r)
				if r.Text() != string(c.Target) {
					t.Errorf("target: %q, not %q", r.Text(), c.Target)
				}
			case "resolve":
				if target := Any.CheckReference(string(c.Base), string(c.Reference)).Text(); target != string(c.Target) {
					t.Errorf("target: %q, not %q", target, c.Target)
				}
			case "address":
				data, _ := hex.DecodeString(c.Address)
				sameReport(t, c, p.CheckAddress(data, c.Port))
			default:
				left[c.Kind]++
				counts[c.Kind]--
			}
		})
	}
	t.Logf("conformance: %v; not offered: %v", counts, left)
}
