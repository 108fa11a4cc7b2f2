// SPDX-License-Identifier: Apache-2.0

// Package urivet judges URLs, requests and addresses by a policy, and guards net/http with it: for programs that
// fetch what a stranger chose, and for servers that route what a stranger sent. It is the C library of urivet,
// which is inside; cgo compiles it. README.md and the examples show clients, servers, policies and errors.
//
// Client.Get judges a link as it was received, before net/url changes it. The client then judges the Location field of
// each redirect, and each address before it is connected to. Proxies of the environment are not used. For code that
// wants an *http.Client take client.Client, or &http.Client{Transport: urivet.Transport(policy, nil)}.
//
// Errors of a GuardedClient have scheme and host of a URL at most; those of an http.Client have path and query.
package urivet

/*
#cgo CFLAGS: -std=c11 -O2 -DURIVET_STATIC -fvisibility=hidden
#include <stdlib.h>
#include <string.h>
#include "urivet.h"

// What a Report keeps of a struct urivet_report: all but its room. Its pointers are into memory of C.
struct judged {
	uint64_t head[URIVET_REPORT_OCTETS / 8];
	struct urivet_uri uri;
	uint32_t count, dropped;
	uint32_t refuses; // bit k: the finding at k refuses
	bool accepted, parsed;
	uint8_t reason;
	enum urivet_target_form form;
	size_t target; // octets of the target of a reference
};
_Static_assert(URIVET_REPORT_OCTETS % 8 == 0, "a report has whole words");

enum kind { OF_NOTHING, OF_URL, OF_REQUEST, OF_REFERENCE, OF_ADDRESS, OF_PARAMETER };
enum { FINDINGS_AT = offsetof(struct urivet_report, finding) / 8 };

// What is judged beside the texts.
struct asked {
	int kind;
	bool has_host, host_unknown, same_origin;
	uint32_t scheme, port;
};

static struct urivet_text text_of(_GoString_ s)
{
	return urivet_text_of(_GoStringLen(s) > 0 ? _GoStringPtr(s) : "", _GoStringLen(s));
}

static const struct urivet_report *report_of(const struct judged *judged) { return (const void *)judged->head; }
static int finding_named(_GoString_ name) { return urivet_finding_named(text_of(name).data, _GoStringLen(name)); }
static int compare(_GoString_ a, _GoString_ b, bool no_fragment) { return urivet_compare(text_of(a), text_of(b), no_fragment, NULL, 0); }

static void keep(struct judged *out, struct urivet_report *report, const struct urivet_policy *policy)
{
	report->size = URIVET_REPORT_OCTETS;
	memcpy(out->head, report, sizeof out->head);
	out->uri = report->uri;
	out->count = report->count;
	out->dropped = report->dropped;
	out->refuses = 0;
	for (uint32_t k = 0; k < report->count; k++)
		if (urivet_finding_refuses(report, &report->finding[k], policy))
			out->refuses |= 1u << k;
	out->accepted = report->verdict == URIVET_ACCEPT;
	out->parsed = report->parsed;
	out->reason = (uint8_t)urivet_reason(report, policy);
}

static void request_of(struct urivet_request *request, struct asked asked, _GoString_ host, _GoString_ method)
{
	urivet_request_init(request, sizeof *request);
	if (_GoStringLen(method) > 0)
		request->method = text_of(method);
	if (asked.has_host)
		request->host = text_of(host);
	request->host_unknown = asked.host_unknown;
	request->scheme = asked.scheme;
	request->port = asked.port > 0 ? asked.port : URIVET_NO_PORT;
}

// `other` is the Host field of a request, the base of a reference, or an address.
static void judge(struct judged *out, const struct urivet_policy *policy, struct asked asked, _GoString_ given,
                  _GoString_ other, _GoString_ method, char *target, size_t capacity)
{
	struct urivet_report report;
	const struct urivet_text text = text_of(given), base = text_of(other);
	if (asked.kind == OF_URL) {
		urivet_check(&report, text.data, text.length, policy);
	} else if (asked.kind == OF_REQUEST) {
		struct urivet_request request;
		request_of(&request, asked, other, method);
		urivet_check_request(&report, text.data, text.length, &request, policy, &out->form);
	} else if (asked.kind == OF_REFERENCE) {
		urivet_check_reference(&report, target, capacity, base, text, asked.same_origin ? URIVET_REFERENCE_SAME_ORIGIN : 0, policy);
		out->target = urivet_resolve(NULL, 0, URIVET_READER_RFC3986, base, text, true, NULL);
	} else {
		urivet_check_address(&report, base.data, base.length, asked.port, policy);
	}
	keep(out, &report, policy);
}

static bool endpoint(struct urivet_endpoint *to, char *room, size_t capacity, const struct judged *judged, _GoString_ text)
{
	const size_t needed = urivet_endpoint(to, room, capacity, report_of(judged), text_of(text).data, _GoStringLen(text));
	return needed > 0 && needed <= capacity;
}

static size_t json(char *room, size_t capacity, const struct judged *judged, struct asked asked, _GoString_ text,
                   _GoString_ other, const struct urivet_policy *policy)
{
	const struct urivet_text host = text_of(other);
	return urivet_format_report(room, capacity, report_of(judged), text_of(text).data, _GoStringLen(text), asked.has_host ? &host : NULL, policy);
}

// A parameter of a query, and texts in the buffer.
struct parameter {
	size_t position; // where the next one is looked for
	struct urivet_parameter pair;
	struct urivet_parameter_texts texts;
	int result;
};

// Judges the next parameter of what was judged. After the last one, adds to `of` what all of them refuse, and returns false.
static bool next_parameter(struct parameter *next, struct judged *inner, struct judged *of, const struct urivet_policy *policy,
                           const struct urivet_parameter_rules *rules, struct asked asked, _GoString_ text, _GoString_ other,
                           _GoString_ method, char *buffer, size_t capacity)
{
	struct urivet_report report, whole;
	struct urivet_request request;
	const struct urivet_parameter_input input = {text_of(text), asked.kind == OF_REQUEST ? &request : NULL, buffer, capacity};
	const struct urivet_text query = urivet_part(&of->uri, URIVET_QUERY, input.text, urivet_text_of(NULL, 0));
	struct urivet_parameter_scan scan = {query.data, query.length, next->position, false};
	request_of(&request, asked, other, method);
	if (urivet_parameter_next(&scan, &next->pair)) {
		next->position = scan.position;
		next->result = urivet_check_parameter(&report, &next->texts, &next->pair, report_of(of), &input, rules);
		keep(inner, &report, rules->policy);
		return true;
	}
	memcpy(&whole, of->head, sizeof of->head);
	urivet_check_parameters(&whole, &report, &input, rules, policy);
	keep(of, &whole, policy);
	return false;
}

static bool accepts(const struct urivet_policy *policy, _GoString_ given)
{
	struct urivet_report work;
	const struct urivet_text text = text_of(given);
	return urivet_verdict_of(text.data, text.length, policy, &work) == URIVET_ACCEPT;
}

static size_t check_column(const struct urivet_policy *policy, const char *data, size_t length, const void *offsets, size_t count, bool large, char *bitmap)
{
	struct urivet_report work;
	return urivet_check_batch(data, length, large ? NULL : offsets, large ? offsets : NULL, count > 0 ? count - 1 : 0, policy, (uint8_t *)bitmap, &work);
}

*/
import "C"

import (
	"errors"
	"fmt"
	"net/netip"
	"os"
	"runtime"
	"strings"
	"unsafe"
)

// A Policy says what is accepted. It never changes, so any number of goroutines may use one, and copies.
// A nil or zero Policy refuses everything.
type Policy struct{ made *made }

type made struct {
	c        *C.struct_urivet_policy // with the octets of a compiled policy after it
	observes bool
}

// The built-in policies.
var (
	// Strict accepts http and https URLs that all readers read alike, with any host.
	Strict = builtIn(C.URIVET_STRICT)
	// Public is Strict for hosts of the public Internet: for programs that fetch URLs.
	Public = builtIn(C.URIVET_PUBLIC)
	// Any is as Strict, for all schemes.
	Any = builtIn(C.URIVET_ANY)
	// Gateway is for request targets, and for URLs that are about to be routed.
	Gateway = builtIn(C.URIVET_GATEWAY)
)

func builtIn(base C.int) *Policy {
	m := &made{c: (*C.struct_urivet_policy)(C.malloc(C.sizeof_struct_urivet_policy))}
	C.urivet_policy_init(m.c, C.sizeof_struct_urivet_policy, base)
	C.urivet_policy_finish(m.c, nil, 0)
	return &Policy{m}
}

// Version returns the version of the library.
func Version() string { return C.GoString(C.urivet_version()) }

// Load reads a policy that `urivet policy compile` wrote to a file.
func Load(file string) (p *Policy, err error) {
	data, err := os.ReadFile(file)
	if err == nil {
		if p, err = LoadBytes(data); err != nil {
			err = fmt.Errorf("%s: %w", file, err)
		}
	}
	return p, err
}

// LoadBytes opens a compiled policy, which it copies.
func LoadBytes(data []byte) (*Policy, error) {
	m := &made{c: (*C.struct_urivet_policy)(C.malloc(C.sizeof_struct_urivet_policy + C.size_t(len(data))))}
	runtime.SetFinalizer(m, func(m *made) { C.free(unsafe.Pointer(m.c)) })
	octets := unsafe.Add(unsafe.Pointer(m.c), C.sizeof_struct_urivet_policy)
	copy(unsafe.Slice((*byte)(octets), len(data)), data)
	var beside C.struct_urivet_text
	if fault := C.urivet_compiled_open(m.c, C.sizeof_struct_urivet_policy, octets, C.size_t(len(data)), &beside); fault != C.URIVET_COMPILED_GOOD {
		return nil, fmt.Errorf("urivet: %s (`urivet policy compile` writes a policy)", C.GoString(C.urivet_compiled_fault_text(C.uint(fault))))
	}
	// what is beside a policy from a file begins with version, base and flags, of 4 octets each
	flags := outOfC(beside)
	m.observes = len(flags) >= 12 && strings.HasPrefix(flags, "\x02\x00\x00\x00") && flags[8]&1 != 0
	return &Policy{m}, nil
}

// refusing is what a nil or zero policy is.
var refusing = (*C.struct_urivet_policy)(C.calloc(1, C.sizeof_struct_urivet_policy))

func (p *Policy) inside() *C.struct_urivet_policy {
	if p == nil || p.made == nil {
		return refusing
	}
	return p.made.c
}

// Name returns the name of the policy.
func (p *Policy) Name() string {
	defer runtime.KeepAlive(p)
	return C.GoString(p.inside().name)
}

// Observes returns true for a policy file with `mode: observe`. Clients do not take one, and Handler
// refuses nothing by it.
func (p *Policy) Observes() bool { return p.inside() != refusing && p.made.observes }

// OK returns true if the policy accepts the URL. It is faster than Check, which says why.
func (p *Policy) OK(url string) bool {
	ok := bool(C.accepts(p.inside(), url))
	runtime.KeepAlive(p)
	return ok
}

// Check judges a URL as it was received, of any octets.
func (p *Policy) Check(url string) *Report {
	return p.judge(&Report{text: url, asked: C.struct_asked{kind: C.OF_URL}})
}

// A Request is what is known of a request beside method, target and Host field.
type Request struct {
	Scheme      string // of the listener: "http", "https", or "" if it is not known
	Port        int    // of the listener; 0 if it is not known
	NoHost      bool   // the request has no Host field
	HostUnknown bool   // the Host field is not known: the target is judged alone
}

// CheckRequest judges a request target and a Host field as a server received them. An empty host means
// that there is none.
func (p *Policy) CheckRequest(method, target, host string) *Report {
	return p.CheckRequestOf(Request{NoHost: host == ""}, method, target, host)
}

var schemes = map[string]C.uint32_t{"": C.URIVET_SCHEME_NONE, "http": C.URIVET_SCHEME_HTTP, "https": C.URIVET_SCHEME_HTTPS}

// CheckRequestOf is CheckRequest for a listener that is known.
func (p *Policy) CheckRequestOf(request Request, method, target, host string) *Report {
	scheme, known := schemes[request.Scheme]
	if !known || request.Port < 0 || request.Port > 65535 {
		scheme = C.URIVET_SCHEME_OTHER // which the library refuses as not valid
	}
	return p.judge(&Report{text: target, other: host, method: method, asked: C.struct_asked{
		kind: C.OF_REQUEST, scheme: scheme, port: C.uint32_t(request.Port),
		has_host: C.bool(!request.NoHost && !request.HostUnknown), host_unknown: C.bool(request.HostUnknown)}})
}

// CheckReference resolves a reference, such as the Location of a redirect, against the URL that it came
// from, and judges its target.
func (p *Policy) CheckReference(base, reference string) *Report {
	return p.judge(&Report{text: reference, other: base, asked: C.struct_asked{kind: C.OF_REFERENCE}})
}

// CheckSameOrigin is CheckReference for targets that have the scheme, host and port of the base.
func (p *Policy) CheckSameOrigin(base, reference string) *Report {
	return p.judge(&Report{text: reference, other: base, asked: C.struct_asked{kind: C.OF_REFERENCE, same_origin: true}})
}

// CheckAddress judges an address of 4 or 16 octets, in network order, that a connection is to be made to.
// Port 0 means that the port is not known.
func (p *Policy) CheckAddress(address []byte, port int) *Report {
	if port < 0 || port > 65535 {
		address = nil // which is refused
	}
	return p.judge(&Report{other: string(address), asked: C.struct_asked{kind: C.OF_ADDRESS, port: C.uint32_t(port)}})
}

func (p *Policy) judge(r *Report) *Report {
	var out []byte
	if r.policy = p; r.asked.kind == C.OF_REFERENCE {
		length := len(r.text) + len(r.other)
		if most := 2 * int(p.inside().max_length); length > most {
			length = most // a longer target is refused
		}
		out = make([]byte, length+8)
	}
	C.judge(&r.c, p.inside(), r.asked, r.text, r.other, r.method, first(out), C.size_t(len(out)))
	runtime.KeepAlive(p)
	if r.asked.kind == C.OF_REFERENCE {
		r.text, r.other = "", ""
		if n := int(r.c.target); n < len(out) {
			r.text = string(out[:n])
		}
	}
	return r
}

// CheckAll returns for each URL whether the policy accepts it, as OK does.
func (p *Policy) CheckAll(urls []string) []bool {
	all := make([]bool, len(urls))
	for k, url := range urls {
		all[k] = p.OK(url)
	}
	return all
}

// CheckColumn judges a column of Apache Arrow, in one call of C: row k is data[offsets[k]:offsets[k+1]]. Bit k%8,
// from the lowest, of bitmap[k/8] is set if row k is accepted. Rows that are not inside the data are refused.
func CheckColumn[Offset int32 | int64](p *Policy, data []byte, offsets []Offset) (bitmap []byte, accepted int) {
	bitmap = make([]byte, (len(offsets)+6)/8)
	accepted = int(C.check_column(p.inside(), first(data), C.size_t(len(data)), unsafe.Pointer(first(offsets)), C.size_t(len(offsets)),
		unsafe.Sizeof(*new(Offset)) == 8, first(bitmap)))
	runtime.KeepAlive(p)
	return bitmap, accepted
}

// Parameters says which parameters of a query are judged, and how. The zero value selects each whose value looks
// like a URL or a path.
type Parameters struct {
	Names      []string // decoded, with letter case; spellings that some server takes for one match, too
	Twice      bool     // values are decoded a second time
	SameOrigin bool     // values must stay on the origin of the URL or request: for redirects
	Absolute   bool     // values must have a scheme: for what is fetched
}

// A Parameter is one of a query.
type Parameter struct {
	Name, Raw string  // as written
	Result    string  // "accepted", "refused", "undecoded", "no-room", or "not-asked": it is not selected
	Value     string  // as decoded
	Report    *Report // of the URL, or the path on the same origin, that the value leads to; nil if none was judged
}

// CheckParameters judges URLs in the query of what was judged, a URL, request or reference. It returns a report
// that has them, and refuses if p refuses one.
func (p *Policy) CheckParameters(judged *Report, which Parameters) *Report {
	r, length := *judged.some(), 0
	if r.parameters = nil; r.c.parsed {
		length = len(r.text) + len(r.other)
	}
	capacity := C.urivet_size_of(C.URIVET_CAPACITY_PARAMETERS, C.size_t(length))
	buffer, list := C.malloc(capacity), C.malloc(C.size_t(len(which.Names)+1)*C.sizeof_struct_urivet_text)
	defer C.free(buffer)
	defer C.free(list)
	rules := C.struct_urivet_parameter_rules{size: C.sizeof_struct_urivet_parameter_rules, names: (*C.struct_urivet_text)(list),
		count: C.uint32_t(len(which.Names)), times: map[bool]C.uint32_t{false: 1, true: 2}[which.Twice],
		same_origin: C.bool(which.SameOrigin), absolute: C.bool(which.Absolute), policy: p.inside()}
	for k, name := range which.Names {
		copied := inC(name)
		defer C.free(copied.data)
		unsafe.Slice(rules.names, k+1)[k] = copied
	}
	query := int(r.c.uri.part[C.URIVET_QUERY].offset)
	cut := func(span C.struct_urivet_span) string { return r.text[query+int(span.offset):][:span.length] }
	var next C.struct_parameter
	for inner := new(Report); C.next_parameter(&next, &inner.c, &r.c, r.policy.inside(), &rules, r.asked, r.text, r.other, r.method,
		(*C.char)(buffer), capacity); inner = new(Report) {
		if inner.policy, inner.text, inner.asked.kind = p, outOfC(next.texts.judged), C.OF_PARAMETER; next.texts.judged.data == nil {
			inner = nil
		}
		result := [...]string{"refused", "undecoded", "no-room", "accepted", "not-asked"}[next.result]
		r.parameters = append(r.parameters, Parameter{cut(next.pair.name), cut(next.pair.value), result, outOfC(next.texts.value), inner})
	}
	runtime.KeepAlive(p)
	runtime.KeepAlive(r.policy)
	return &r
}

// SuggestIRI returns the ASCII spelling of a URL with characters beyond ASCII that all readers make of it and
// the policy accepts. Without one, it says why: what the outcome "disagree" or "unmappable" is due to.
func (p *Policy) SuggestIRI(text string) IRI {
	var iri C.struct_urivet_iri
	result := p.written(text, func(out *C.char, room C.size_t, in C.struct_urivet_text) C.size_t {
		return C.urivet_suggest_iri(&iri, out, room, in.data, in.length, p.inside())
	})
	outcome := [...]string{"unmappable", "offered", "ascii", "disagree"}[iri.outcome]
	start := int(iri.span.offset)
	return IRI{result, outcome, C.GoString(C.urivet_finding_name(C.uint(iri.id))), rune(iri.code_point), start, start + int(iri.span.length)}
}

// An IRI is what SuggestIRI makes of a URL.
type IRI struct {
	URL        string // "" if there is none
	Outcome    string // "offered", "ascii" (it was before), "disagree" or "unmappable"
	Finding    string // what matters most, or ""
	Character  rune   // that prevents a spelling
	Start, End int    // its octets, or those of the label
}

// DisplayHTML returns a URL for people to read, escaped for HTML; links need the URL itself.
func (p *Policy) DisplayHTML(url string) string {
	return p.written(url, func(out *C.char, room C.size_t, in C.struct_urivet_text) C.size_t {
		return C.urivet_display(out, room, in.data, in.length, p.inside(), C.URIVET_DISPLAY_HTML)
	})
}

// Normalise returns the normal form of a URL by RFC 3986, section 6.2.2, and 6.2.3 with byScheme. It returns
// false if it is no URL.
func Normalise(url string, byScheme bool) (string, bool) {
	var readable C.bool
	level := map[bool]C.enum_urivet_level{false: C.URIVET_LEVEL_SYNTAX, true: C.URIVET_LEVEL_SCHEME}[byScheme]
	return (*Policy)(nil).written(url, func(out *C.char, room C.size_t, in C.struct_urivet_text) C.size_t {
		return C.urivet_normalise(out, room, in.data, in.length, level, C.URIVET_READER_RFC3986, &readable)
	}), bool(readable)
}

// Compare returns how two URLs are equal by RFC 3986, section 6.2: "identical", by "syntax", by "scheme", or
// "different". Fragments do not matter if noFragment is set.
func Compare(a, b string, noFragment bool) string {
	return [...]string{"different", "protocol", "scheme", "syntax", "identical"}[C.compare(a, b, C.bool(noFragment))]
}

// A Found is a URL in plain text.
type Found struct {
	URL        string // without white space
	Kind       string // "uri", or "abbreviated": its scheme is a guess
	Start, End int    // its octets in the text
}

// Scan finds the URLs in plain text, and judges none.
func Scan(text string) (all []Found) {
	copied, out := inC(text), make([]byte, len(text)+8)
	defer C.free(copied.data)
	state := C.struct_urivet_scan{data: copied.data, length: copied.length}
	var length C.size_t
	var found C.struct_urivet_found
	for C.urivet_scan_next(&state, C.SIZE_MAX, &found, first(out), C.size_t(len(out)), &length) {
		start := int(found.offset)
		all = append(all, Found{string(out[:length]), [...]string{"uri", "abbreviated"}[found.kind], start, start + int(found.length)})
	}
	return all
}

// first returns the address of the first element, or nil. There are no pointers in an element.
func first[T byte | int32 | int64](room []T) *C.char {
	if len(room) == 0 {
		return nil
	}
	return (*C.char)(unsafe.Pointer(&room[0]))
}

// inC copies a text to memory of C, which the caller frees; outOfC copies one from there.
func inC(text string) C.struct_urivet_text {
	return C.struct_urivet_text{unsafe.Pointer(C.CString(text)), C.size_t(len(text))}
}

func outOfC(text C.struct_urivet_text) string {
	return C.GoStringN((*C.char)(text.data), C.int(text.length))
}

// written returns what a function of C writes of a text, in a second call if the room did not suffice.
func (p *Policy) written(text string, write func(out *C.char, room C.size_t, text C.struct_urivet_text) C.size_t) string {
	defer runtime.KeepAlive(p)
	length := 0
	if most := int(p.inside().max_length); len(text) <= most {
		length = int(C.urivet_size_of(C.URIVET_CAPACITY_IRI, C.size_t(len(text))))
	} else if most > 0 {
		return "" // the policy does not read it
	}
	copied := inC(text)
	defer C.free(copied.data)
	for try := 0; try < 2; try++ {
		out := make([]byte, length+1)
		if length = int(write(first(out), C.size_t(len(out)), copied)); length < len(out) {
			return string(out[:length])
		}
	}
	return ""
}

// A Report says what a policy makes of a URL, a request, a reference or an address.
type Report struct {
	policy              *Policy
	text, other, method string // as judge() in C takes them; the target of a reference
	asked               C.struct_asked
	c                   C.struct_judged
	parameters          []Parameter
}

// some returns the report, or an empty one for nil.
func (r *Report) some() *Report {
	if r == nil {
		return &Report{}
	}
	return r
}

// OK returns true if the policy accepts what was judged. It returns false for nil.
func (r *Report) OK() bool { return bool(r.some().c.accepted) }

// Text returns the text that was judged: the URL or request target as given, or the target of a reference.
// It may contain secrets.
func (r *Report) Text() string { return r.some().text }

// Parameters returns those of the query, in order, if CheckParameters made the report.
func (r *Report) Parameters() []Parameter { return append([]Parameter(nil), r.some().parameters...) }

// A Finding is one thing wrong with, or worth knowing about, what was judged.
type Finding struct {
	ID        string // "userinfo-present"
	Number    int    // the same for ever
	Reference string // the specification, such as "RFC 3986, 3.2.1"
	Class     string // "malformed", "ambiguous", "dangerous", "policy" or "note"
	Component string // "host"; "uri" for the whole
	Source    string // the text that Start and End refer to: "input", or "host" for the Host field
	Start     int    // the octets at fault
	End       int
	Count     int    // occurrences
	Refuses   bool   // true if the policy refuses because of it
	Text      string // what is wrong, and what to write instead
}

// Findings returns what was found, in the order of the text.
func (r *Report) Findings() []Finding {
	found := make([]Finding, r.some().c.count)
	for k := range found {
		one := &(*[C.URIVET_MAX_FINDINGS]C.struct_urivet_finding)(unsafe.Pointer(&r.c.head[C.FINDINGS_AT]))[k]
		row := explain(C.uint(one.id))
		row.Class, row.Component = C.GoString(C.urivet_class_name(C.uint(one.class_))), C.GoString(C.urivet_component_name(C.uint(one.component)))
		row.Start, row.End, row.Count = int(one.span.offset), int(one.span.offset)+int(one.span.length), int(one.count)
		row.Refuses, row.Source = r.c.refuses>>uint(k)&1 != 0, [...]string{"input", "host"}[one.in]
		found[k] = row
	}
	return found
}

// Explain returns what is known of findings of a name: the zero Finding if there are none.
func Explain(id string) Finding { return explain(C.uint(C.finding_named(id))) }

func explain(number C.uint) Finding {
	row := C.urivet_finding_info(number)
	if row == nil {
		return Finding{}
	}
	return Finding{ID: C.GoString(row.name), Number: int(number), Class: C.GoString(C.urivet_class_name(C.uint(row.class_))),
		Component: C.GoString(C.urivet_component_name(C.uint(row.component))), Reference: C.GoString(row.reference), Text: C.GoString(row.text)}
}

// Reasons returns the names of the findings because of which the policy refuses.
func (r *Report) Reasons() []string {
	var ids []string
	for _, found := range r.Findings() {
		if found.Refuses {
			ids = append(ids, found.ID)
		}
	}
	return ids
}

// Public returns what may be told to the stranger who sent the URL: "accepted", "unclear" if only its
// spelling is at fault, else "not-allowed". Reasons would show strangers what is inside a network.
func (r *Report) Public() string { return C.GoString(C.urivet_reason_name(C.uint(r.some().c.reason))) }

// Err returns nil if the policy accepts, else a *Refused.
func (r *Report) Err() error {
	if r.OK() {
		return nil
	}
	return refused([...]string{"what was not judged", "a URL", "a request", "a reference", "an address", "a parameter"}[r.some().asked.kind], r)
}

// String returns the verdict and its reasons, and nothing of what was judged.
func (r *Report) String() string {
	return strings.TrimSuffix(map[bool]string{true: "accepted", false: "refused: "}[r.OK()]+strings.Join(r.Reasons(), ","), ": ")
}

// GoString is String.
func (r *Report) GoString() string { return r.String() }

// Suggestion returns a spelling of the same URL that the policy accepts, or "".
func (r *Report) Suggestion() string {
	if kind := r.some().asked.kind; kind != C.OF_URL && kind != C.OF_REFERENCE {
		return ""
	}
	suggestion := r.policy.written(r.text, func(out *C.char, room C.size_t, in C.struct_urivet_text) C.size_t {
		return C.urivet_suggest(out, room, in.data, in.length, r.policy.inside())
	})
	if suggestion == "" {
		suggestion = r.policy.SuggestIRI(r.text).URL
	}
	return suggestion
}

// Component returns a component of what was judged, such as "host" or "query", and whether it is present.
func (r *Report) Component(name string) (string, bool) {
	for part := uint32(C.URIVET_SCHEME); r.some().c.parsed && part < C.URIVET_COMPONENTS; part++ {
		text, start, end := r.text, int(r.c.uri.part[part].offset), int(r.c.uri.part[part].offset+r.c.uri.part[part].length)
		if part >= C.URIVET_AUTHORITY && part <= C.URIVET_PORT && r.c.uri.authority_in != C.URIVET_IN_INPUT {
			text = r.other
		}
		if r.c.uri.present>>part&1 != 0 && end <= len(text) && C.GoString(C.urivet_component_name(C.uint(part))) == name {
			return text[start:end], true
		}
	}
	return "", false
}

// Form returns the form of a request target: "origin", "absolute", "authority", "asterisk" or "none".
func (r *Report) Form() string {
	return [...]string{"none", "origin", "absolute", "authority", "asterisk"}[r.some().c.form]
}

// An Endpoint says where an accepted URL leads, so that no other parser has to read it again.
type Endpoint struct {
	Scheme, Host string
	Port         int
	TLS          bool
	Address      netip.Addr // the zero Addr: the host is a name
	HostField    string     // for the Host field
	TLSName      string     // for certificates; "" for an address
	Target       string     // path and query
	URL          string     // without userinfo and fragment
}

// Endpoint returns where an accepted URL leads, or nil.
func (r *Report) Endpoint() *Endpoint {
	if !r.OK() || r.asked.kind == C.OF_REQUEST || r.asked.kind == C.OF_ADDRESS {
		return nil
	}
	capacity := C.urivet_size_of(C.URIVET_CAPACITY_ENDPOINT, C.size_t(len(r.text)))
	room := C.malloc(capacity)
	defer C.free(room)
	var to C.struct_urivet_endpoint
	if !C.endpoint(&to, (*C.char)(room), capacity, &r.c, r.text) {
		return nil
	}
	address, _ := netip.AddrFromSlice(C.GoBytes(unsafe.Pointer(&to.address), C.int(to.octets)))
	return &Endpoint{C.GoString(to.scheme_name), C.GoString(to.host), int(to.port), bool(to.tls), address, C.GoString(to.host_field),
		C.GoString(to.tls_name), C.GoString(to.target), C.GoString(to.url)}
}

// MarshalJSON writes the report as `urivet check --format=json` does, with what was judged.
func (r *Report) MarshalJSON() ([]byte, error) {
	r = r.some()
	return []byte(r.policy.written("", func(out *C.char, room C.size_t, _ C.struct_urivet_text) C.size_t {
		return C.json(out, room, &r.c, r.asked, r.text, r.other, r.policy.inside())
	})), nil
}

// ErrRefused is what errors.Is finds in every refusal.
var ErrRefused = errors.New("urivet: refused")

// Refused is the error of a refusal. Its text has no part of the URL.
type Refused struct {
	What   string  // "a URL", "a redirect", "an address"
	Report *Report `json:"-"` // nil if nothing was judged, as for a dialer that cannot be guarded
	Public string  // what a stranger may be told: "unclear" or "not-allowed"
}

func refused(what string, r *Report) *Refused { return &Refused{what, r, r.Public()} }

func (e *Refused) Error() string {
	return strings.TrimSuffix("urivet: refused "+e.What+": "+strings.Join(e.Report.Reasons(), ","), ": ")
}

// Is returns true for ErrRefused.
func (e *Refused) Is(target error) bool { return target == ErrRefused }
