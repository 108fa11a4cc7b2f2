// SPDX-License-Identifier: Apache-2.0

//go:build cgo

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
	uint8_t reason, form;
	size_t target; // octets of the target of a reference
};
_Static_assert(URIVET_REPORT_OCTETS % 8 == 0, "a report has whole words");

enum kind { OF_URL, OF_REQUEST, OF_REFERENCE, OF_ADDRESS, OF_PARAMETER };
enum { FINDINGS_AT = offsetof(struct urivet_report, finding) / 8 };
enum spelling { SPELL_SUGGESTION, SPELL_IRI, SPELL_HTML, SPELL_SYNTAX, SPELL_SCHEME };

// What is judged beside the texts.
struct asked {
	int kind;
	bool has_host, host_unknown, same_origin;
	uint32_t scheme, port, octets;
	uint8_t address[16];
};

static struct urivet_text text_of(_GoString_ s)
{
	const size_t length = _GoStringLen(s);
	return urivet_text_of(length > 0 ? _GoStringPtr(s) : "", length);
}

// A policy that was never made rejects everything; NULL would be strict.
static const struct urivet_policy *usable(const struct urivet_policy *policy)
{
	static const struct urivet_policy closed;
	return policy != NULL ? policy : &closed;
}

static const struct urivet_report *report_of(const struct judged *judged) { return (const void *)judged->head; }

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
	request->port = asked.port;
}

// `other` is the Host field of a request, or the base of a reference.
static void judge(struct judged *out, const struct urivet_policy *policy, struct asked asked, _GoString_ given,
                  _GoString_ other, _GoString_ method, char *target, size_t capacity)
{
	struct urivet_report report;
	const struct urivet_text text = text_of(given), base = text_of(other);
	enum urivet_target_form form = URIVET_TARGET_NONE;
	policy = usable(policy);
	if (asked.kind == OF_URL) {
		urivet_check(&report, text.data, text.length, policy);
	} else if (asked.kind == OF_REQUEST) {
		struct urivet_request request;
		request_of(&request, asked, other, method);
		urivet_check_request(&report, text.data, text.length, &request, policy, &form);
	} else if (asked.kind == OF_REFERENCE) {
		urivet_check_reference(&report, target, capacity, base, text, asked.same_origin ? URIVET_REFERENCE_SAME_ORIGIN : 0, policy);
		out->target = urivet_resolve(NULL, 0, URIVET_READER_RFC3986, base, text, true, NULL);
	} else {
		urivet_check_address(&report, asked.address, asked.octets, asked.port, policy);
	}
	keep(out, &report, policy);
	out->form = (uint8_t)form;
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
	return urivet_format_report(room, capacity, report_of(judged), text_of(text).data, _GoStringLen(text), asked.has_host ? &host : NULL, usable(policy));
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
	urivet_check_parameters(&whole, &report, &input, rules, usable(policy));
	keep(of, &whole, usable(policy));
	return false;
}

static size_t check_column(const struct urivet_policy *policy, const char *data, size_t length, const char *offsets, bool large,
                           size_t rows, char *bitmap)
{
	struct urivet_report work;
	const void *column = offsets;
	return urivet_check_batch(data, length, large ? NULL : column, large ? column : NULL, rows, usable(policy), (uint8_t *)bitmap, &work);
}

static int finding_named(_GoString_ name) { return urivet_finding_named(text_of(name).data, _GoStringLen(name)); }

static bool accepts(const struct urivet_policy *policy, _GoString_ given)
{
	struct urivet_report work;
	const struct urivet_text text = text_of(given);
	return urivet_verdict_of(text.data, text.length, usable(policy), &work) == URIVET_ACCEPT;
}

// Writes another spelling of a text. `iri` and `readable` get what is known if there is none.
static size_t spell(char *out, size_t capacity, int wanted, _GoString_ given, const struct urivet_policy *policy,
                    struct urivet_iri *iri, bool *readable)
{
	const struct urivet_text text = text_of(given);
	size_t length = 0;
	if (wanted == SPELL_HTML)
		return urivet_display(out, capacity, text.data, text.length, policy, URIVET_DISPLAY_HTML);
	if (wanted == SPELL_SYNTAX || wanted == SPELL_SCHEME)
		return urivet_normalise(out, capacity, text.data, text.length, wanted == SPELL_SCHEME ? URIVET_LEVEL_SCHEME : URIVET_LEVEL_SYNTAX, URIVET_READER_RFC3986, readable);
	if (wanted == SPELL_SUGGESTION)
		length = urivet_suggest(out, capacity, text.data, text.length, usable(policy));
	return length > 0 ? length : urivet_suggest_iri(iri, out, capacity, text.data, text.length, usable(policy));
}

static int compare(_GoString_ a, _GoString_ b, bool no_fragment)
{
	return urivet_compare(text_of(a), text_of(b), no_fragment, NULL, 0);
}

static bool scan(_GoString_ given, size_t *position, struct urivet_found *found, char *out, size_t capacity, size_t *length)
{
	const struct urivet_text text = text_of(given);
	struct urivet_scan state = {.data = text.data, .length = text.length, .position = *position};
	const bool has = urivet_scan_next(&state, SIZE_MAX, found, out, capacity, length);
	*position = state.position;
	return has;
}

static int opened(struct urivet_policy *policy, const void *octets, size_t length, bool *observes)
{
	struct urivet_text extra = urivet_text_of(NULL, 0);
	const enum urivet_compiled_fault fault = urivet_compiled_open(policy, sizeof *policy, octets, length, &extra);
	// what is beside a policy from a file begins with version, base and flags, of 4 octets each
	const uint8_t *at = extra.data;
	*observes = fault == URIVET_COMPILED_GOOD && extra.length >= 12 && memcmp(at, "\2\0\0", 4) == 0 && (at[8] & 1) != 0;
	return fault;
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
	c        *C.struct_urivet_policy
	octets   unsafe.Pointer // of a compiled policy
	name     string
	observes bool
	longest  int // text that is read
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
	m.name, m.longest = C.GoString(m.c.name), int(m.c.max_length)
	return &Policy{m}
}

// Version returns the version of the library.
func Version() string { return C.GoString(C.urivet_version()) }

// Load reads a policy that `urivet policy compile` wrote to a file.
func Load(file string) (*Policy, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	p, err := LoadBytes(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return p, nil
}

// LoadBytes opens a compiled policy, which it copies.
func LoadBytes(data []byte) (*Policy, error) {
	m := &made{c: (*C.struct_urivet_policy)(C.malloc(C.sizeof_struct_urivet_policy)), octets: C.CBytes(data)}
	runtime.SetFinalizer(m, func(m *made) {
		C.free(unsafe.Pointer(m.c))
		C.free(m.octets)
	})
	var observes C.bool
	if fault := C.opened(m.c, m.octets, C.size_t(len(data)), &observes); fault != C.URIVET_COMPILED_GOOD {
		return nil, fmt.Errorf("urivet: %s (`urivet policy compile` writes a policy)", C.GoString(C.urivet_compiled_fault_text(C.uint(fault))))
	}
	m.name, m.longest, m.observes = C.GoString(m.c.name), int(m.c.max_length), bool(observes)
	return &Policy{m}, nil
}

// inside returns what a policy is made of: nothing for a nil or zero one.
func (p *Policy) inside() made {
	if p == nil || p.made == nil {
		return made{}
	}
	return *p.made
}

// Name returns the name of the policy.
func (p *Policy) Name() string { return p.inside().name }

// Observes returns true for a policy file with `mode: observe`. Clients do not take one, and Handler
// refuses nothing by it.
func (p *Policy) Observes() bool { return p.inside().observes }

// OK returns true if the policy accepts the URL. It is faster than Check, which says why.
func (p *Policy) OK(url string) bool {
	ok := bool(C.accepts(p.inside().c, url))
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
	port := C.uint32_t(request.Port)
	if request.Port == 0 {
		port = C.URIVET_NO_PORT
	}
	if !known || request.Port < 0 || request.Port > 65535 {
		scheme = C.URIVET_SCHEME_OTHER // which the library refuses as not valid
	}
	return p.judge(&Report{text: target, other: host, method: method, asked: C.struct_asked{
		kind: C.OF_REQUEST, scheme: scheme, port: port,
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
	asked := C.struct_asked{kind: C.OF_ADDRESS, port: C.uint32_t(port)}
	if len(address) <= len(asked.address) && port >= 0 && port <= 65535 {
		asked.octets = C.uint32_t(len(address))
		copy((*[16]byte)(unsafe.Pointer(&asked.address))[:], address)
	}
	return p.judge(&Report{asked: asked})
}

func (p *Policy) judge(r *Report) *Report {
	var out []byte
	if r.policy = p; r.asked.kind == C.OF_REFERENCE {
		length := len(r.text) + len(r.other)
		if most := 2 * p.inside().longest; length > most {
			length = most // a longer target is refused
		}
		out = make([]byte, length+8)
	}
	C.judge(&r.c, p.inside().c, r.asked, r.text, r.other, r.method, first(out), C.size_t(len(out)))
	runtime.KeepAlive(p)
	if r.asked.kind == C.OF_REFERENCE {
		r.text, r.other = "", ""
		if n := int(r.c.target); n < len(out) {
			r.text = string(out[:n])
		}
	}
	return r
}

// Verdicts are those of many URLs, a bit for each.
type Verdicts struct {
	Rows     int    // how many URLs
	Accepted int    // how many of them are accepted
	Bitmap   []byte // bit k%8, from the lowest, of Bitmap[k/8] is set if URL k is accepted
}

// OK returns true if the policy accepts the URL of the row. It returns false for rows that do not exist.
func (v Verdicts) OK(row int) bool {
	return row >= 0 && row < v.Rows && v.Bitmap[row/8]>>(row%8)&1 != 0
}

// All calls the function for each row, until it returns false. From Go 1.23 it is for range loops.
func (v Verdicts) All(yield func(row int, ok bool) bool) {
	for row := 0; row < v.Rows && yield(row, v.OK(row)); row++ {
	}
}

// CheckAll judges many URLs as OK does, with fewer calls of C.
func (p *Policy) CheckAll(urls []string) Verdicts {
	const rows = 64 // of a call
	all, most := Verdicts{Rows: len(urls)}, p.inside().longest+1
	for data, offsets := []byte(nil), []int64{0}; len(urls) > 0; data, offsets = data[:0], offsets[:1] {
		for ; len(urls) > 0 && len(offsets) <= rows; urls = urls[1:] {
			url := urls[0]
			if len(url) > most {
				url = url[:most] // too long as well
			}
			data = append(data, url...)
			offsets = append(offsets, int64(len(data)))
		}
		part := CheckColumn(p, data, offsets)
		all.Bitmap, all.Accepted = append(all.Bitmap, part.Bitmap...), all.Accepted+part.Accepted
	}
	return all
}

// CheckColumn judges a column of Apache Arrow, without a copy: row k is data[offsets[k]:offsets[k+1]]. Rows that
// are not inside the data are refused.
func CheckColumn[Offset int32 | int64](p *Policy, data []byte, offsets []Offset) Verdicts {
	if len(offsets) == 0 {
		return Verdicts{}
	}
	v := Verdicts{Rows: len(offsets) - 1, Bitmap: make([]byte, (len(offsets)+6)/8)}
	v.Accepted = int(C.check_column(p.inside().c, first(data), C.size_t(len(data)), first(offsets), unsafe.Sizeof(offsets[0]) == 8,
		C.size_t(v.Rows), first(v.Bitmap)))
	runtime.KeepAlive(p)
	return v
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
	if judged == nil {
		return nil
	}
	r, length := *judged, 0
	if r.parameters = nil; r.c.parsed {
		length = len(r.text) + len(r.other)
	}
	capacity, names := C.urivet_size_of(C.URIVET_CAPACITY_PARAMETERS, C.size_t(length)), C.CBytes([]byte(strings.Join(which.Names, "")))
	buffer, list := C.malloc(capacity), C.malloc(C.size_t(len(which.Names)+1)*C.sizeof_struct_urivet_text)
	defer func() { C.free(buffer); C.free(names); C.free(list) }()
	rules := C.struct_urivet_parameter_rules{names: (*C.struct_urivet_text)(list), count: C.uint32_t(len(which.Names)), times: 1,
		size: C.sizeof_struct_urivet_parameter_rules, same_origin: C.bool(which.SameOrigin), absolute: C.bool(which.Absolute), policy: C.usable(p.inside().c)}
	for k, at := 0, names; k < len(which.Names); k++ {
		length := len(which.Names[k])
		unsafe.Slice(rules.names, k+1)[k] = C.struct_urivet_text{at, C.size_t(length)}
		at = unsafe.Add(at, length)
	}
	if which.Twice {
		rules.times = 2
	}
	query := int(r.c.uri.part[C.URIVET_QUERY].offset)
	cut := func(span C.struct_urivet_span) string { return r.text[query+int(span.offset):][:span.length] }
	text := func(text C.struct_urivet_text) string { return C.GoStringN((*C.char)(text.data), C.int(text.length)) }
	var next C.struct_parameter
	for inner := new(Report); C.next_parameter(&next, &inner.c, &r.c, r.policy.inside().c, &rules, r.asked, r.text, r.other, r.method,
		(*C.char)(buffer), capacity); inner = new(Report) {
		found := Parameter{cut(next.pair.name), cut(next.pair.value), [...]string{"refused", "undecoded", "no-room", "accepted", "not-asked"}[next.result], text(next.texts.value), nil}
		if inner.policy, inner.text, inner.asked.kind = p, text(next.texts.judged), C.OF_PARAMETER; next.texts.judged.data != nil {
			found.Report = inner
		}
		r.parameters = append(r.parameters, found)
	}
	runtime.KeepAlive(p)
	runtime.KeepAlive(r.policy)
	return &r
}

// SuggestIRI returns the ASCII spelling of a URL with characters beyond ASCII that all readers make of it and
// the policy accepts. Without one, it says why: what the outcome "disagree" or "unmappable" is due to.
func (p *Policy) SuggestIRI(text string) IRI {
	var iri C.struct_urivet_iri
	result := p.spell(C.SPELL_IRI, text, &iri, nil)
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
func (p *Policy) DisplayHTML(url string) string { return p.spell(C.SPELL_HTML, url, nil, nil) }

// Normalise returns the normal form of a URL by RFC 3986, section 6.2.2, and 6.2.3 with byScheme. It returns
// false if it is no URL.
func Normalise(url string, byScheme bool) (string, bool) {
	var readable C.bool
	level := map[bool]C.int{false: C.SPELL_SYNTAX, true: C.SPELL_SCHEME}[byScheme]
	return (*Policy)(nil).spell(level, url, nil, &readable), bool(readable)
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
	var position, length C.size_t
	var found C.struct_urivet_found
	out := make([]byte, len(text)+8)
	for C.scan(text, &position, &found, first(out), C.size_t(len(out)), &length) {
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

// written returns what a function of C writes, with a second call if the room did not suffice.
func written(room int, write func(out []byte) C.size_t) string {
	for try := 0; try < 2; try++ {
		out := make([]byte, room+1)
		if room = int(write(out)); room < len(out) {
			return string(out[:room])
		}
	}
	return ""
}

func (p *Policy) spell(wanted C.int, text string, iri *C.struct_urivet_iri, readable *C.bool) string {
	room := len(text)
	if wanted == C.SPELL_SUGGESTION || wanted == C.SPELL_IRI {
		if len(text) > p.inside().longest {
			return ""
		}
		room = int(C.urivet_size_of(C.URIVET_CAPACITY_IRI, C.size_t(len(text))))
	}
	defer runtime.KeepAlive(p)
	return written(room, func(out []byte) C.size_t {
		return C.spell(first(out), C.size_t(len(out)), wanted, text, p.inside().c, iri, readable)
	})
}

// A Report says what a policy makes of a URL, a request, a reference or an address.
type Report struct {
	policy              *Policy
	text, other, method string // as judge() in C takes them; the target of a reference
	asked               C.struct_asked
	c                   C.struct_judged
	parameters          []Parameter
}

// OK returns true if the policy accepts what was judged. It returns false for nil.
func (r *Report) OK() bool { return r != nil && bool(r.c.accepted) }

// Text returns the text that was judged: the URL or request target as given, or the target of a reference.
// It may contain secrets.
func (r *Report) Text() string {
	if r == nil {
		return ""
	}
	return r.text
}

// Parameters returns those of the query, in order, if CheckParameters made the report.
func (r *Report) Parameters() []Parameter {
	if r == nil {
		return nil
	}
	return append([]Parameter(nil), r.parameters...)
}

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
	if r == nil {
		return nil
	}
	found := make([]Finding, r.c.count)
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

// Explain returns what is known of findings of a name, and false if there are none.
func Explain(id string) (Finding, bool) {
	number := C.finding_named(id)
	if number < 0 {
		return Finding{}, false
	}
	return explain(C.uint(number)), true
}

func explain(number C.uint) Finding {
	row := C.urivet_finding_info(number)
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
func (r *Report) Public() string {
	if r == nil {
		return "not-allowed"
	}
	return C.GoString(C.urivet_reason_name(C.uint(r.c.reason)))
}

// Err returns nil if the policy accepts, else a *Refused.
func (r *Report) Err() error {
	if r.OK() {
		return nil
	}
	what := "what was not judged"
	if r != nil {
		what = [...]string{"a URL", "a request", "a reference", "an address", "a parameter"}[r.asked.kind]
	}
	return refused(what, r)
}

// String returns the verdict and its reasons, and nothing of what was judged.
func (r *Report) String() string {
	if r.OK() {
		return "accepted"
	}
	return strings.TrimSuffix("refused: "+strings.Join(r.Reasons(), ","), ": ")
}

// GoString is String.
func (r *Report) GoString() string { return r.String() }

// Suggestion returns a spelling of the same URL that the policy accepts, or "".
func (r *Report) Suggestion() string {
	if r == nil || r.asked.kind != C.OF_URL && r.asked.kind != C.OF_REFERENCE {
		return ""
	}
	return r.policy.spell(C.SPELL_SUGGESTION, r.Text(), new(C.struct_urivet_iri), nil)
}

// Component returns a component of what was judged, such as "host" or "query", and whether it is present.
func (r *Report) Component(name string) (string, bool) {
	for part := C.uint(C.URIVET_SCHEME); r != nil && bool(r.c.parsed) && part < C.URIVET_COMPONENTS; part++ {
		if C.GoString(C.urivet_component_name(part)) != name || r.c.uri.present>>part&1 == 0 {
			continue
		}
		text, span := r.Text(), r.c.uri.part[part]
		if part >= C.URIVET_AUTHORITY && part <= C.URIVET_PORT && r.c.uri.authority_in != C.URIVET_IN_INPUT {
			text = r.other
		}
		if start, end := int(span.offset), int(span.offset)+int(span.length); end <= len(text) {
			return text[start:end], true
		}
	}
	return "", false
}

// Form returns the form of a request target: "origin", "absolute", "authority", "asterisk" or "none".
func (r *Report) Form() string {
	if r == nil {
		return "none"
	}
	return [...]string{"none", "origin", "absolute", "authority", "asterisk"}[r.c.form]
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
	if r == nil {
		return []byte("null"), nil
	}
	defer runtime.KeepAlive(r.policy)
	return []byte(written(0, func(out []byte) C.size_t {
		return C.json(first(out), C.size_t(len(out)), &r.c, r.asked, r.text, r.other, r.policy.inside().c)
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

func refused(what string, r *Report) *Refused {
	if r.OK() {
		r = nil
	}
	return &Refused{what, r, r.Public()}
}

func (e *Refused) Error() string {
	text := "urivet: refused " + e.What
	if ids := e.Report.Reasons(); len(ids) > 0 {
		text += ": " + strings.Join(ids, ",")
	}
	return text
}

// Is returns true for ErrRefused.
func (e *Refused) Is(target error) bool { return target == ErrRefused }
