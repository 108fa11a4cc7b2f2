// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package urivet

/*
#cgo CFLAGS: -std=c11 -O2 -DURIVET_STATIC -fvisibility=hidden
#include <stdlib.h>
#include <string.h>
#include "urivet.h"

// An endpoint whose texts are offsets in the room.
struct place {
	uint32_t port, octets;
	bool tls;
	uint8_t address[16];
	size_t text[6];
};

// What a Report keeps of a struct urivet_report: no pointers.
struct judged {
	struct urivet_uri uri;
	uint32_t count, dropped;
	uint32_t refuses; // bit k: the finding at k refuses
	bool accepted, parsed;
	uint8_t reason, form;
	size_t target, needed; // octets of the target of a reference, and of what goes to `room`
	struct place place;
	struct urivet_finding finding[URIVET_MAX_FINDINGS];
};

enum kind { OF_URL, OF_REQUEST, OF_REFERENCE, OF_ADDRESS };
enum wanted { WANT_REPORT, WANT_ENDPOINT, WANT_JSON };
enum spelling { SPELL_SUGGESTION, SPELL_IRI, SPELL_HTML, SPELL_SYNTAX, SPELL_SCHEME };

// What is judged beside the texts.
struct asked {
	int kind, wanted;
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

static void keep(struct judged *out, const struct urivet_report *report, const struct urivet_policy *policy)
{
	out->uri = report->uri;
	out->count = report->count;
	out->dropped = report->dropped;
	out->refuses = 0;
	memcpy(out->finding, report->finding, report->count * sizeof *out->finding);
	for (uint32_t k = 0; k < report->count; k++)
		if (urivet_finding_refuses(report, &report->finding[k], policy))
			out->refuses |= 1u << k;
	out->accepted = report->verdict == URIVET_ACCEPT;
	out->parsed = report->parsed;
	out->reason = (uint8_t)urivet_reason(report, policy);
}

static size_t place_of(struct place *place, char *room, size_t capacity, const struct urivet_report *report,
                       struct urivet_text text)
{
	struct urivet_endpoint to;
	const size_t needed = urivet_endpoint(&to, room, capacity, report, text.data, text.length);
	if (needed == 0 || needed > capacity)
		return needed;
	place->port = to.port;
	place->octets = to.octets;
	place->tls = to.tls;
	memcpy(place->address, to.address, sizeof to.address);
	const char *texts[] = {to.scheme_name, to.host, to.host_field, to.tls_name, to.target, to.url};
	for (int k = 0; k < 6; k++)
		place->text[k] = (size_t)(texts[k] - room);
	return needed;
}

// `other` is the Host field of a request, or the base of a reference; `method` the reference, for one.
static void judge(struct judged *out, const struct urivet_policy *policy, struct asked asked, _GoString_ given,
                  _GoString_ other, _GoString_ method, char *target, size_t target_capacity, char *room, size_t capacity)
{
	struct urivet_report report;
	struct urivet_text text = text_of(given), host = text_of(other);
	enum urivet_target_form form = URIVET_TARGET_NONE;
	policy = usable(policy);
	if (asked.kind == OF_URL) {
		urivet_check(&report, text.data, text.length, policy);
	} else if (asked.kind == OF_REQUEST) {
		struct urivet_request request;
		urivet_request_init(&request, sizeof request);
		if (_GoStringLen(method) > 0)
			request.method = text_of(method);
		if (asked.has_host)
			request.host = host;
		request.host_unknown = asked.host_unknown;
		request.scheme = asked.scheme;
		request.port = asked.port;
		urivet_check_request(&report, text.data, text.length, &request, policy, &form);
	} else if (asked.kind == OF_REFERENCE) {
		urivet_check_reference(&report, target, target_capacity, host, text, asked.same_origin ? URIVET_REFERENCE_SAME_ORIGIN : 0, policy);
		out->target = urivet_resolve(NULL, 0, URIVET_READER_RFC3986, host, text, true, NULL);
		text = urivet_text_of(target, out->target < target_capacity ? out->target : 0);
	} else {
		urivet_check_address(&report, asked.address, asked.octets, asked.port, policy);
	}
	keep(out, &report, policy);
	out->form = (uint8_t)form;
	if (asked.wanted == WANT_ENDPOINT)
		out->needed = place_of(&out->place, room, capacity, &report, text);
	else if (asked.wanted == WANT_JSON)
		out->needed = urivet_format_report(room, capacity, &report, text.data, text.length, asked.has_host ? &host : NULL, policy);
}

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
	"bytes"
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
	r.policy = p
	return r.again(C.WANT_REPORT, nil)
}

// again returns a copy with the judgement, and writes an endpoint or JSON to room.
func (r Report) again(wanted C.int, room []byte) *Report {
	var target, at *C.char
	var out []byte
	asked := r.asked
	asked.wanted = wanted
	if asked.kind == C.OF_REFERENCE {
		length := len(r.text) + len(r.other)
		if most := 2 * r.policy.inside().longest; length > most {
			length = most // a longer target is refused
		}
		out = make([]byte, length+8)
		target = first(out)
	}
	if len(room) > 0 {
		at = first(room)
	}
	C.judge(&r.c, r.policy.inside().c, asked, r.text, r.other, r.method, target, C.size_t(len(out)), at, C.size_t(len(room)))
	runtime.KeepAlive(r.policy)
	if n := int(r.c.target); wanted == C.WANT_REPORT && n < len(out) {
		r.target = string(out[:n])
	}
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

func first(room []byte) *C.char { return (*C.char)(unsafe.Pointer(&room[0])) }

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
	policy                      *Policy
	text, other, method, target string // as judge() in C takes them
	asked                       C.struct_asked
	c                           C.struct_judged
}

// OK returns true if the policy accepts what was judged. It returns false for nil.
func (r *Report) OK() bool { return r != nil && bool(r.c.accepted) }

// Text returns the text that was judged: the URL or request target as given, or the target of a reference.
// It may contain secrets.
func (r *Report) Text() string {
	if r == nil {
		return ""
	} else if r.asked.kind == C.OF_REFERENCE {
		return r.target
	}
	return r.text
}

// A Finding is one thing wrong with, or worth knowing about, what was judged.
type Finding struct {
	ID        string // "userinfo-present"
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
		one := &r.c.finding[k]
		row := C.urivet_finding_info(C.uint(one.id))
		found[k] = Finding{ID: C.GoString(row.name), Class: C.GoString(C.urivet_class_name(C.uint(one.class_))),
			Component: C.GoString(C.urivet_component_name(C.uint(one.component))), Source: "input",
			Start: int(one.span.offset), End: int(one.span.offset) + int(one.span.length), Count: int(one.count),
			Refuses: r.c.refuses>>uint(k)&1 != 0, Text: C.GoString(row.text)}
		if one.in == C.URIVET_IN_HOST_FIELD {
			found[k].Source = "host"
		}
	}
	return found
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
		what = [...]string{"a URL", "a request", "a reference", "an address"}[r.asked.kind]
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
	if r == nil || r.asked.kind == C.OF_REQUEST || r.asked.kind == C.OF_ADDRESS {
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
	room := make([]byte, C.urivet_size_of(C.URIVET_CAPACITY_ENDPOINT, C.size_t(len(r.Text()))))
	made := r.again(C.WANT_ENDPOINT, room).c
	if made.needed == 0 || int(made.needed) > len(room) {
		return nil
	}
	text := func(k int) string {
		from := room[made.place.text[k]:]
		return string(from[:bytes.IndexByte(from, 0)])
	}
	address, _ := netip.AddrFromSlice(C.GoBytes(unsafe.Pointer(&made.place.address), C.int(made.place.octets)))
	return &Endpoint{text(0), text(1), int(made.place.port), bool(made.place.tls), address, text(2), text(3), text(4), text(5)}
}

// MarshalJSON writes the report as `urivet check --format=json` does, with what was judged.
func (r *Report) MarshalJSON() ([]byte, error) {
	return []byte(written(0, func(room []byte) C.size_t { return r.again(C.WANT_JSON, room).c.needed })), nil
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
