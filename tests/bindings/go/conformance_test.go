// SPDX-License-Identifier: Apache-2.0

package urivet

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
)

type object = map[string]any

// latin1 writes octets as the characters of their numbers, and octets reads them.
func latin1(text string) (wide string) {
	for k := range []byte(text) {
		wide += string(rune(text[k]))
	}
	return wide
}

func octets(text any) string {
	var raw []byte
	written, _ := text.(string)
	for _, r := range written {
		raw = append(raw, byte(r))
	}
	return string(raw)
}

// into sets the members of a struct that are named as those of a case.
func into(c object, to any) {
	data, _ := json.Marshal(c)
	json.Unmarshal(data, to)
}

// orNull returns nil for the empty text.
func orNull(text string) any { return map[bool]any{true: latin1(text)}[text != ""] }

func reportOf(r *Report, more object) object {
	findings, components := []any{}, object{}
	for _, f := range r.Findings() {
		findings = append(findings, object{"id": f.ID, "class": f.Class, "component": f.Component, "in": f.Source,
			"offset": f.Start, "length": f.End - f.Start, "count": f.Count, "refuses": f.Refuses})
	}
	for _, name := range strings.Fields("scheme authority userinfo host port path query fragment") {
		if text, has := r.Component(name); has {
			components[name] = latin1(text)
		}
	}
	made := object{"effective_port": map[bool]any{true: int(r.c.uri.port)}[bool(r.c.parsed) && r.c.uri.port != 1<<32-1], "dropped": int(r.c.dropped), "verdict": map[bool]string{true: "accept", false: "reject"}[r.Err() == nil], "reason": r.Public(),
		"parsed": bool(r.c.parsed), "findings": findings, "components": components, "endpoint": nil}
	if e := r.Endpoint(); e != nil {
		made["endpoint"] = object{"scheme": e.Scheme, "host": e.Host, "port": e.Port, "tls": e.TLS, "tls_name": e.TLSName,
			"address": hex.EncodeToString(e.Address.AsSlice()), "host_field": e.HostField, "target": latin1(e.Target), "url": latin1(e.URL)}
	}
	for name, value := range more {
		made[name] = value
	}
	return made
}

var policies = map[string]*Policy{"strict": Strict, "public": Public, "any": Any, "gateway": Gateway}

// The cases; those of kind policy are opened, for the guards too.
var cases = func() (cases []object) {
	data, _ := os.ReadFile(os.Getenv("URIVET_CASES"))
	for _, line := range strings.SplitAfter(string(data), "\n") {
		var c object
		if json.Unmarshal([]byte(line), &c) != nil {
			continue
		} else if c["kind"] == "policy" {
			compiled, _ := hex.DecodeString(c["compiled"].(string))
			policies[c["name"].(string)], _ = LoadBytes(compiled)
		}
		cases = append(cases, c)
	}
	return cases
}()

// What the module answers to a case of each kind.
var kinds = map[string]func(p *Policy, c object) object{
	"catalogue": func(p *Policy, c object) object {
		numbers := object{}
		for name := range c["findings"].(object) {
			numbers[Explain(name).ID] = Explain(name).Number
		}
		return object{"version": Version(), "findings": numbers}
	},
	"policy": func(p *Policy, c object) object {
		compiled, _ := hex.DecodeString(c["compiled"].(string))
		_, err := LoadBytes(compiled)
		return object{"opens": err == nil, "fault": map[bool]any{true: c["fault"]}[err == nil || strings.Contains(err.Error(), c["fault"].(string))]}
	},
	"check": func(p *Policy, c object) object {
		r := p.Check(octets(c["input"]))
		return reportOf(r, object{"suggestion": orNull(r.Suggestion())})
	},
	"verdicts": func(p *Policy, c object) object {
		accepted := []string{}
		for _, name := range strings.Fields("strict public any gateway hooks lists loopback") {
			if by := policies[name]; by.OK(octets(c["input"])) {
				accepted = append(accepted, name)
			}
		}
		return object{"accepted_by": accepted}
	},
	"json": func(p *Policy, c object) object {
		data, _ := p.Check(octets(c["input"])).MarshalJSON()
		return object{"json": latin1(string(data))}
	},
	"request": func(p *Policy, c object) object {
		unknown := c["host_unknown"].(bool)
		listener := Request{octets(c["scheme"]), int(c["port"].(float64)), c["host"] == nil && !unknown, unknown}
		r := p.CheckRequestOf(listener, octets(c["method"]), octets(c["target"]), octets(c["host"]))
		return reportOf(r, object{"form": r.Form()})
	},
	"resolve": func(p *Policy, c object) object {
		target := Any.CheckReference(octets(c["base"]), octets(c["reference"])).Text()
		return object{"target": orNull(target), "outcome": map[bool]string{true: "resolved", false: "unresolved"}[target != ""]}
	},
	"compare": func(p *Policy, c object) object {
		return object{"rung": Compare(octets(c["a"]), octets(c["b"]), c["no_fragment"].(bool))}
	},
	"normalise": func(p *Policy, c object) object {
		text, ok := Normalise(octets(c["input"]), c["level"] == "scheme")
		return object{"result": map[bool]any{true: latin1(text)}[ok]}
	},
	"display": func(p *Policy, c object) object { return object{"html": latin1(Any.DisplayHTML(octets(c["input"])))} },
	"iri": func(p *Policy, c object) object {
		iri := p.SuggestIRI(octets(c["input"]))
		return object{"outcome": iri.Outcome, "finding": orNull(iri.Finding), "code_point": iri.Character,
			"offset": iri.Start, "length": iri.End - iri.Start, "result": orNull(iri.URL)}
	},
	"scan": func(p *Policy, c object) object {
		all := []any{}
		for _, f := range Scan(octets(c["text"])) {
			all = append(all, object{"offset": f.Start, "length": f.End - f.Start, "kind": f.Kind, "uri": latin1(f.URL)})
		}
		return object{"found": all}
	},
	"reference": func(p *Policy, c object) object {
		check := map[bool]func(base, reference string) *Report{true: p.CheckSameOrigin, false: p.CheckReference}[c["same_origin"].(bool)]
		r := check(octets(c["base"]), octets(c["reference"]))
		return reportOf(r, object{"target": latin1(r.Text())})
	},
	"parameters": func(p *Policy, c object) object {
		r, which, all := p.Check(octets(c["input"])), Parameters{SameOrigin: c["same_origin"].(bool), Twice: c["times"] == 2.0}, []any{}
		if c["is_target"].(bool) {
			r = p.CheckRequestOf(Request{Scheme: "https", Port: 443}, "GET", octets(c["input"]), "app.example.com")
		}
		into(c, &which)
		r = policies[c["parameter_policy"].(string)].CheckParameters(r, which)
		for _, f := range r.Parameters() {
			ids := []string{}
			for _, found := range f.Report.Findings() {
				ids = append(ids, found.ID)
			}
			all = append(all, object{"name": latin1(f.Name), "raw": latin1(f.Raw), "result": f.Result, "value": orNull(f.Value),
				"judged": orNull(f.Report.Text()), "ids": strings.Join(ids, ",")})
		}
		return reportOf(r, object{"parameters": all})
	},
	"batch": func(p *Policy, c object) object {
		var short struct{ Offsets []int32 }
		var long struct{ Offsets []int64 }
		into(c, &short)
		into(c, &long)
		bitmap, accepted := CheckColumn(p, []byte(octets(c["data"])), long.Offsets)
		if other, _ := CheckColumn(p, []byte(octets(c["data"])), short.Offsets); string(other) != string(bitmap) {
			return nil
		}
		return object{"bitmap": hex.EncodeToString(bitmap), "accepted": accepted}
	},
	"address": func(p *Policy, c object) object {
		data, _ := hex.DecodeString(c["address"].(string))
		return reportOf(p.CheckAddress(data, int(c["port"].(float64))), nil)
	},
}

// Arguments of the cases; every other member is an answer.
var arguments = " kind name compiled policy input method host host_unknown scheme port base reference same_origin a b no_fragment level text address" +
	" data offsets is_target parameter_policy names times absolute "

func TestConformance(t *testing.T) {
	counts := map[string]int{}
	for _, c := range cases {
		kind, got := c["kind"].(string), object{}
		counts[kind]++
		answer, _ := json.Marshal(kinds[kind](policies[octets(c["policy"])], c))
		json.Unmarshal(answer, &got)
		for name, wanted := range c {
			if value, has := got[name]; has && !reflect.DeepEqual(value, wanted) || !has && name != "target" && !strings.Contains(arguments, " "+name+" ") {
				t.Errorf("%s: %v, not %v: %v", name, value, wanted, c)
			}
		}
	}
	t.Logf("conformance: %d cases, all answered: %v", len(cases), counts)
	refute(t, len(counts) < len(kinds) || counts["check"] < 400, "few cases: ", counts)
}

// What functions return beside what the cases have, as fmt writes it.
func TestAnswers(t *testing.T) {
	both := func(values ...any) string { return fmt.Sprint(values) }
	request, spoof := Gateway.CheckRequest("GET", "/index.html?a", "example.com:80"), Strict.Check("http://a@b.example/")
	nested := Public.CheckParameters(Strict.Check("https://a.com/?u=%2F%2F10.0.0.1&v=1&u=/b"), Parameters{Names: []string{"u"}})
	report, _ := json.Marshal(Strict.Check("x"))
	zero, _ := json.Marshal(struct{ To PublicURL }{})
	rows := [][2]any{
		{both(request.Component("port")), "[80 true]"}, {both(request.Component("host")), "[example.com true]"}, {both(request.Component("path")), "[/index.html true]"},
		{both(request.Component("query")), "[a true]"}, {both(request.Component("fragment")), "[ false]"}, {both(request.Component("none")), "[ false]"},
		{request.Form(), "origin"}, {request.Text(), "/index.html?a"}, {request.Endpoint(), "<nil>"}, {request.Suggestion(), ""}, {Strict.Check("https://example.com?x=1").Suggestion(), "https://example.com/?x=1"}, {Any.Check("ws://b\u00fccher.de/").Suggestion(), "ws://xn--bcher-kva.de/"},
		{Strict.Check("ws://b\u00fccher.de/").Suggestion(), ""}, {Public.Check("http://b\u00fccher.local/").Suggestion(), ""}, {Strict.Check("http://b\u00fccher.local/").Suggestion(), "http://xn--bcher-kva.local/"},
		{spoof.Findings()[0].Text == Explain("userinfo-present").Text && spoof.Findings()[0].Reference == "RFC 3986, 3.2.1; RFC 9110, 4.2.4", "true"},
		{spoof, "refused: userinfo-present"}, {spoof.Reasons(), "[userinfo-present]"}, {spoof.Public(), "unclear"}, {both(spoof.Component("userinfo")), "[a true]"}, {spoof.Findings()[0].ID + " " + spoof.Findings()[0].Class + " " + spoof.Findings()[0].Component, "userinfo-present ambiguous userinfo"},
		{Strict.Check("http://a.example:80").Reasons(), "[]"}, {len(Strict.Check("http://a.example:80").Findings()), "2"},
		{fmt.Sprintf("%+v", *Strict.Check("https://example.com:443/a?b#c").Endpoint()), "{Scheme:https Host:example.com Port:443 TLS:true Address:invalid IP HostField:example.com TLSName:example.com Target:/a?b URL:https://example.com/a?b}"},
		{Strict.Check("http://[::1]/").Endpoint().Address, "::1"}, {Any.Check("mailto:a@b.example").Endpoint(), "<nil>"},
		{Strict.Name() + Public.Name() + Any.Name() + Gateway.Name() + (*Policy)(nil).Name(), "strictpublicanygateway"}, {policies["hooks"].Name(), "hooks"},
		{Public.CheckAll([]string{"http://10.0.0.1/", "http://example.com/", ""}), "[false true false]"},
		{both(CheckColumn(Public, []byte("http://example.com/x"), []int32{0, 19, 20})), "[[1] 1]"}, {both(CheckColumn(Public, []byte("http://example.com/"), []int64{0})), "[[] 0]"},
		{fmt.Sprintf("%+v", Strict.SuggestIRI("http://fa\u00df.de/")), "{URL: Outcome:disagree Finding:idn-deviation-char Character:223 Start:9 End:11}"},
		{Public.SuggestIRI("http://user@\u00fc.com/"), "{ unmappable userinfo-present 0 0 0}"}, {Strict.SuggestIRI("http://a/").Outcome, "ascii"},
		{both(Normalise("HTTP://A:80/%7e", false)), "[http://a:80/~ true]"}, {both(Normalise("HTTP://A:80/%7e", true)), "[http://a/~ true]"}, {both(Normalise("http://[", true)), "[ false]"},
		{Compare("http://a", "http://a/", false) + Compare("http://a/#x", "http://a/#y", false) + Compare("http://a/#x", "http://a/#y", true), "schemedifferentidentical"},
		{Scan("see (www.b.example), http://a/"), "[{http://www.b.example abbreviated 5 18} {http://a/ uri 21 30}]"},
		{len(nested.Parameters()), "3"}, {nested.Parameters()[0].Name + nested.Parameters()[0].Raw + nested.Parameters()[0].Result + nested.Parameters()[0].Value, "u%2F%2F10.0.0.1refused//10.0.0.1"},
		{nested.Parameters()[0].Report.Text(), "https://10.0.0.1"}, {nested.Parameters()[0].Report.Reasons(), "[addr-not-global addr-private]"}, {nested.Parameters()[1].Report == nil, "true"}, {nested.Parameters()[2].Report.Text(), "/b"},
		{string(zero), `{"To":""}`}, {strings.HasPrefix(string(report), `{"uri":"x","verdict":"reject","policy":"strict"`), "true"},
	}
	for _, row := range rows {
		refute(t, fmt.Sprint(row[0]) != row[1], row[0], ", not ", row[1])
	}
}
