/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests built from parts, as each gateway describes them: a target with its Host field, a
 * parameter and a header field that hold URLs. Without a fault all of them pass; with one in the
 * target, the parameter, the field, or the description itself, the request is refused for it by
 * the levels that judge that part, and only reported by those that observe.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memmem(3) */
#endif
#include "../tests/built_in.h"
#include "built.h"
#include "common/finding_set.h"
#include "gateway/fronts.h"
#include "gateway/serve/lines.h"
#include "nginx_request.h"

#include <ctype.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#define TEXT_MOST 65536

/* The parameters that are judged. */
static const struct urivet_text parameter_names[] = {{"u", 1}, {"url", 3}};

/* A request, and what is wrong with it. */
struct asked {
	struct built url, inner;
	struct urivet_text target, host, method;
	char room[TEXT_MOST];     /* the target */
	char capitals[512];       /* the Host field, if it has some */
	struct urivet_text name, value; /* of the parameter, the value decoded: `inner` */
	bool has_parameter;
	bool stays; /* the value is on the origin of the request */
	bool bad_target, bad_parameter;
};

/* ---- Building ------------------------------------------------------------------------------ */

static const struct fault *any_fault(struct dice *d, bool in_target)
{
	static const char relative[] = "//"; /* a reference may have no scheme */
	for (;;) {
		const struct fault *const f = &faults[below(d, COUNT(faults))];
		const bool is_of_target = f->place == IN_PATH || f->place == IN_NAME || f->place == AS_PORT ||
					  f->place == AS_HOST || f->place == AS_PATH || f->place == AT_END;
		/* what only clients do with a path is no fault of a request */
		const bool is_of_clients = f->id == URIVET_F_ESCAPED_COMPATIBILITY || f->id == URIVET_F_ESCAPE_AFTER_ASTRAL;
		if (in_target ? is_of_target && !is_of_clients : strcmp(f->text, relative) != 0)
			return f;
	}
}

/* Puts octets percent-encoded, `times` times. Letters and those of `raw` may stay as they are. */
static void put_encoded(struct builder *to, struct urivet_text text, unsigned times, const char *raw, struct dice *d)
{
	const uint8_t *const octets = text.data;
	const bool all = below(d, 2) == 1;
	for (size_t k = 0; k < text.length; k++) {
		char escape[8];
		const bool letter = (octets[k] | 0x20) >= 'a' && (octets[k] | 0x20) <= 'z';
		if ((letter || (octets[k] != '\0' && strchr(raw, octets[k]) != NULL)) && !all)
			add(to, &octets[k], 1);
		else
			add(to, escape, (size_t)snprintf(escape, sizeof escape, times == 2 ? "%%25%02X" : "%%%02x", octets[k]));
	}
}

static struct urivet_text authority_of(const struct built *b)
{
	return urivet_text_of(b->text + b->part[URIVET_AUTHORITY].offset, b->part[URIVET_AUTHORITY].length);
}

/* Builds a request of which the target or the parameter may have a fault. Returns false if it would
 * be too long. */
static bool build_request(struct asked *a, struct dice *d, unsigned times)
{
	static const char *const methods[] = {"GET", "POST", "HEAD", "PROPFIND"};
	struct builder target = {a->room, 0};
	const char *const method = methods[below(d, COUNT(methods))];
	const uint32_t wrong = below(d, 3);
	struct urivet_span path;
	a->bad_target = wrong == 1;
	a->bad_parameter = wrong == 2;
	build(&a->url, d, a->bad_target ? any_fault(d, true) : NULL);
	build(&a->inner, d, a->bad_parameter ? any_fault(d, false) : NULL);
	path = a->url.part[URIVET_PATH];
	if (a->bad_target && a->url.fault->place == AT_END)
		path.length = a->url.length - path.offset;
	a->has_parameter = a->bad_parameter || below(d, 2) == 1;
	a->stays = !a->bad_parameter && below(d, 4) == 0;
	a->value = a->stays ? urivet_text_of(a->url.text, path.offset) : urivet_text_of(a->inner.text, a->inner.length);
	if (a->url.length > 4000 || a->value.length > 500 || path.length == 0)
		return false;
	add_part(&target, a->url.text, path);
	if (a->has_parameter) {
		a->name = parameter_names[below(d, COUNT(parameter_names))];
		add_word(&target, below(d, 2) == 1 ? "?w=a%20b&" : "?");
		add(&target, a->name.data, a->name.length);
		add_word(&target, "=");
		put_encoded(&target, a->value, times, "", d);
		if (below(d, 2) == 1)
			add_word(&target, "&x=+");
	}
	a->target = urivet_text_of(a->room, target.length);
	a->host = authority_of(&a->url);
	if (below(d, 8) == 0 && a->host.length < sizeof a->capitals && a->url.host_kind == URIVET_HOST_NAME && !a->bad_target) {
		for (size_t k = 0; k < a->host.length; k++)
			a->capitals[k] = (char)toupper(((const unsigned char *)a->host.data)[k]);
		a->host.data = a->capitals;
	}
	a->method = urivet_text_of(method, strlen(method));
	return true;
}

/* Returns the target with the authority of its Host field, as clients ask a proxy. */
static struct urivet_text absolute_form(const struct asked *a)
{
	static char room[TEXT_MOST + 4096];
	struct builder b = {room, 0};
	add_word(&b, a->url.port == 443 ? "https://" : "http://");
	add(&b, a->host.data, a->host.length);
	add(&b, a->target.data, a->target.length);
	return urivet_text_of(room, b.length);
}

/* ---- What is expected ------------------------------------------------------------------------ */

static void show(const struct asked *a)
{
	fprintf(stderr, "%.*s %.*s, Host %.*s, %s %s\n", (int)a->method.length, (const char *)a->method.data,
		(int)a->target.length, a->room, (int)a->host.length, (const char *)a->host.data,
		a->bad_target ? urivet_finding_info(a->url.fault->id)->name : "",
		a->bad_parameter ? urivet_finding_info(a->inner.fault->id)->name : "");
}

static void expect(bool holds, const struct asked *a, const char *what)
{
	if (!holds)
		show(a);
	oracle(holds, what);
}

/* A client is reported of the spelling if only the spelling is refused. */
static void expect_reason_of(const struct gate_outcome *outcome, const struct asked *a)
{
	bool spelling = false, more = false;
	for (EACH_IN_SET(id, &outcome->findings)) {
		const bool is_spelling = urivet_finding_info(id)->class_ <= URIVET_AMBIGUOUS;
		spelling = spelling || is_spelling;
		more = more || (!is_spelling && id != URIVET_F_PARAM_REFUSED);
	}
	expect(!spelling || more || gate_reason(outcome) == URIVET_REASON_UNCLEAR, a, "what is only misspelled is unclear");
	expect(spelling || !more || gate_reason(outcome) == URIVET_REASON_NOT_ALLOWED, a, "what is spelled well is not allowed");
}

/* Compares an outcome with the parts that were judged. `by`: those that are enforced; `seen`: those
 * that only observe; `own`: the policy's own rules judge parameters. */
static void expect_outcome(const struct gate_outcome *outcome, const struct asked *a, bool own, bool by, bool seen)
{
	char names[GATE_FINDINGS_CAPACITY], more[GATE_EXPLAINED], cut[40];
	expect(outcome->judged, a, "a request is judged");
	expect(outcome->refused == by, a, "a request is refused for its fault, and for nothing else");
	expect(outcome->observed == seen, a, "a fault that is only observed is reported");
	expect((gate_reason(outcome) == URIVET_REASON_ACCEPTED) == (!by && !seen), a, "a refusal has a reason");
	expect((next_in_set(&outcome->findings, 0) < URIVET_FINDING_LIMIT) == (by || seen), a,
	       "a refusal has findings, and nothing else has");
	expect_reason_of(outcome, a);
	oracle(gate_format_findings(names, sizeof names, outcome) < sizeof names, "the names have room");
	(void)gate_explain(cut, sizeof cut, outcome);
	oracle(gate_explain(more, sizeof more, outcome) < sizeof cut
		   ? strcmp(cut, more) == 0
		   : memcmp(cut, more, sizeof cut - 4) == 0 &&
			 strcmp(cut + sizeof cut - 4, "...") == 0,
	       "an explanation that is cut is its beginning");
	for (const char *at = more; *at != '\0'; at++)
		oracle(*at >= ' ' && *at < 0x7f, "an explanation is visible ASCII");
	if (!by && !seen)
		return;
	if (a->bad_parameter) {
		expect(in_set(&outcome->findings, URIVET_F_PARAM_REFUSED), a, "a parameter is refused as one");
		expect(!own || strstr(more, "accepted where") == NULL, a, "no waiver helps where a policy's own rule refuses a parameter");
		expect(outcome->place.component != NULL, a, "a refused parameter has a place");
		/* its escapes may be refused where they stand */
		if (strcmp(outcome->place.component, "parameter") == 0)
			expect(same(outcome->place.text.data, outcome->place.text.length, a->name.data, a->name.length), a, "a parameter that is refused is named");
		else
			expect(strcmp(outcome->place.component, "query") == 0, a, "the place of a fault in a parameter is the query");
		return;
	}
	if (a->url.fault->place == IN_PATH || a->url.fault->place == AS_PATH) {
		expect(in_set(&outcome->findings, a->url.fault->id), a, "a request is refused for the fault in its path");
		/* blanks at its end are at that of the whole */
		expect(outcome->place.component != NULL && (strcmp(outcome->place.component, "path") == 0 ||
							    strcmp(outcome->place.component, "uri") == 0),
		       a, "the place of a fault in the path is the path");
	}
}

/* An explanation names what a policy has to allow, with which it accepts the target, or what none can
 * allow. */
static void expect_explained(const struct asked *a)
{
	static const char allow[] = "\"allow: [", none[] = "no policy allows ";
	const struct gate_policy by = {BY_GATEWAY, NULL, false};
	struct gate_request request = {.target = a->target, .policy = &by, .explains = true};
	struct urivet_policy policy = built_in(URIVET_GATEWAY);
	struct gate_outcome outcome = {.judged = false};
	char text[GATE_EXPLAINED];
	struct urivet_report r;
	oracle(urivet_request_init(&request.request, sizeof request.request), "a request begins");
	request.request.host = a->host;
	gate_judge_target(&outcome, &request);
	if (!outcome.refused || gate_explain(text, sizeof text, &outcome) >= sizeof text)
		return;
	const char *const waived = strstr(text, allow), *const never = strstr(text, none);
	const char *at = waived != NULL ? waived + sizeof allow - 1 : never + sizeof none - 1;
	expect((waived == NULL) != (never == NULL), a, "an explanation says what to allow, or that nothing helps");
	for (size_t length = strcspn(at, ",]"); length > 0; length = strcspn(at, ",]")) {
		const int id = urivet_finding_named(at, length);
		expect(id > 0 && urivet_policy_waive(&policy, (unsigned)id) == (waived != NULL), a, "what is to be allowed can be");
		at += length + (at[length] == ',' ? 2 : 0);
	}
	expect(waived == NULL || urivet_check_request(&r, a->target.data, a->target.length, &request.request, &policy, NULL) == URIVET_ACCEPT, a,
	       "a policy that allows what an explanation says accepts the target");
}

/* ---- What helpers are asked -------------------------------------------------------------------- */

/* The fields in which each gateway says method, target, host, scheme and server (their
 * documentation); "": in the question itself. */
static const char *const said[FRONTS][5] = {
    [FRONT_NGINX] = {"X-Original-Method", "X-Original-URI", "X-Original-Host", "X-Original-Scheme", "X-Original-Server"},
    [FRONT_HAPROXY] = {"X-Original-Method", "X-Original-URI", "X-Original-Host", "X-Original-Scheme", NULL},
    [FRONT_TRAEFIK] = {"X-Forwarded-Method", "X-Forwarded-Uri", "X-Forwarded-Host", "X-Forwarded-Proto", NULL},
    [FRONT_CADDY] = {"X-Forwarded-Method", "X-Forwarded-Uri", "X-Forwarded-Host", "X-Forwarded-Proto", NULL},
    [FRONT_ENVOY] = {"", "", "Host", "X-Forwarded-Proto", NULL},
    [FRONT_PATH] = {"", "", "Host", NULL, NULL},
};

/* Fields in which other gateways say the target or the server, and which this one never sends. */
static const char *const foreign[FRONTS][2] = {
    [FRONT_NGINX] = {"X-Forwarded-Uri", "X-Forwarded-Uri"},
    [FRONT_HAPROXY] = {"X-Forwarded-Uri", "X-Original-Server"},
    [FRONT_ENVOY] = {"X-Original-URI", "X-Forwarded-Uri"},
    [FRONT_PATH] = {"X-Original-URI", "X-Forwarded-Uri"},
};

enum broken { NOT_BROKEN = 0, TWICE, MISSING, FOREIGN, TUNNEL, SCHEME, SERVER, BROKEN };

struct described {
	struct question question;
	struct field fields[16];
	char spelled[64], server[512];
	enum broken broken;
};

static void add_field(struct described *q, const char *name, struct urivet_text value)
{
	q->fields[q->question.count++] = (struct field){urivet_text_of(name, strlen(name)), value};
}

/* Spells a name as a client may, to smuggle a second field of that name in. */
static const char *respelled(struct described *q, const char *name, struct dice *d)
{
	const uint32_t how = below(d, 3);
	size_t k = 0;
	for (; name[k] != '\0'; k++)
		q->spelled[k] = (char)(how == 1 && name[k] == '-' ? '_' : how == 2 && name[k] >= 'A' && name[k] <= 'Z' ? name[k] | 0x20 : name[k]);
	q->spelled[k] = '\0';
	return q->spelled;
}

/* Describes the request as the gateway does, with one mistake or none. */
static void describe(struct described *q, const struct asked *a, enum front front, bool secure, struct dice *d)
{
	const char *const scheme = secure ? "https" : "http";
	struct urivet_text value[5] = {a->method, a->target, a->host, urivet_text_of(scheme, strlen(scheme)), {q->server, 0}};
	const uint32_t which = below(d, 5);
	const size_t port = a->url.present >> URIVET_PORT & 1 ? a->url.part[URIVET_PORT].length + 1 : 0;
	static const char *const tunnels[] = {"CONNECT", "connect", "Connect"};
	static const char *const schemes[] = {"HTTPS", "ftp", "", "http ", "httpss"};
	memset(q, 0, sizeof *q);
	q->broken = (enum broken)below(d, 2 * BROKEN);
	if (q->broken >= BROKEN)
		q->broken = NOT_BROKEN;
	value[4].length = a->host.length - port < sizeof q->server ? a->host.length - port : 0;
	for (size_t k = 0; k < value[4].length; k++)
		q->server[k] = (char)tolower(((const unsigned char *)a->host.data)[k]);
	if (q->broken == TUNNEL)
		value[0] = urivet_text_of(tunnels[which % 3], 7);
	if (q->broken == SCHEME)
		value[3] = urivet_text_of(schemes[which], strlen(schemes[which]));
	if (q->broken == SERVER && value[4].length > 1 && which == 0)
		value[4].length--; /* the beginning of the name */
	else if (q->broken == SERVER && value[4].length > 1)
		q->server[which % value[4].length] ^= 2;
	q->question = (struct question){urivet_text_of("GET", 3), urivet_text_of("/", 1), q->fields, 0, false};
	add_field(q, "Accept", urivet_text_of("*/*", 3));
	for (unsigned k = 0; k < 5; k++) {
		const char *const name = said[front][k];
		if (name == NULL)
			continue;
		if (name[0] == '\0' && k == 0)
			q->question.method = value[0];
		else if (name[0] == '\0')
			q->question.target = value[1];
		else if (q->broken != MISSING || k != which)
			add_field(q, name, value[k]);
		if (name[0] != '\0' && q->broken == TWICE && k == which)
			add_field(q, respelled(q, name, d), value[k]);
	}
	if (q->broken == FOREIGN && foreign[front][0] != NULL)
		add_field(q, foreign[front][which % 2], a->target);
	add_field(q, "Cookie", urivet_text_of("a=b", 3));
	/* a mistake about what the gateway does not say is none */
	if ((q->broken == TWICE || q->broken == MISSING) && (said[front][which] == NULL || said[front][which][0] == '\0'))
		q->broken = NOT_BROKEN;
	if ((q->broken == SCHEME && said[front][3] == NULL) || (q->broken == SERVER && (said[front][4] == NULL || value[4].length <= 1)) ||
	    (q->broken == FOREIGN && foreign[front][0] == NULL))
		q->broken = NOT_BROKEN;
}

#include "served.h"

static void no_message(void *context, const struct urivet_message *message)
{
	(void)context;
	(void)message;
	abort();
}

/* Returns the path of a policy whose own rules judge the parameters. */
static const char *parameter_rules(bool twice, bool same_origin)
{
	static char path[32];
	char text[256];
	const char *const more = same_origin ? ", same_origin: true" : "";
	const int fd = memfd_create("parameters", MFD_CLOEXEC);
	const int length = snprintf(text, sizeof text, "base: gateway\nparameters:\n  u: {policy: public, decode: %d%s}\n  url: {policy: public, decode: %d%s}\n",
				    twice + 1, more, twice + 1, more);
	if (fd < 0 || write(fd, text, (size_t)length) != length)
		abort();
	(void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	return path;
}

/* Returns true if this build reads policy files, which libyaml does. */
static bool reads_files(void)
{
	static int reads = IS_MSAN ? 0 : -1;
	if (reads < 0) {
		struct urivet_loaded *const loaded = urivet_load(parameter_rules(false, false), NULL, NULL);
		reads = loaded != NULL;
		urivet_loaded_release(loaded);
	}
	return reads == 1;
}

/* Rules that judge parameters, by what differs; kept to the end. `own`: they are the policy's. */
static const struct rules *rules_for(bool own, bool secure, bool observes, bool twice, bool same_origin, uint32_t port)
{
	static struct rules *all[32];
	struct rules **const place = &all[secure | observes << 1 | twice << 2 | same_origin << 3 | own << 4];
	struct wanted wanted = {.policy = "gateway", .parameter_policy = "public", .names = parameter_names, .name_count = COUNT(parameter_names),
				.parameters = true, .times = twice ? 2 : 1, .same_origin = same_origin,
				.observes = observes, .port = port,
				.scheme = secure ? URIVET_SCHEME_HTTPS : URIVET_SCHEME_HTTP};
	if (*place == NULL && own) {
		wanted.policy = parameter_rules(twice, same_origin);
		wanted.parameters = false;
	}
	if (*place == NULL)
		*place = rules_load(&wanted, no_message, NULL);
	if (*place == NULL)
		abort();
	return *place;
}

static void ask_helper(struct asked *a, struct dice *d, bool twice)
{
	const bool secure = a->url.port == 443, observes = below(d, 4) == 0, same_origin = below(d, 3) == 0;
	const bool own = below(d, 2) == 1 && reads_files();
	const struct rules *const rules = rules_for(own, secure, observes, twice, same_origin, a->url.port);
	const enum front front = (enum front)below(d, FRONTS);
	const struct urivet_span host = a->url.part[URIVET_HOST], inner = a->inner.part[URIVET_HOST];
	const bool is_alike = a->url.port == a->inner.port && same(a->url.text + host.offset, host.length,
								   a->inner.text + inner.offset, inner.length);
	const bool leaves = a->has_parameter && same_origin && !a->stays && !is_alike;
	const bool bad = a->bad_target || a->bad_parameter || leaves;
	struct described q;
	struct gate_request request;
	struct gate_outcome outcome;
	struct why why;
	describe(&q, a, front, secure, d);
	outcome = rules_answer(rules, front, &q.question, &request, &why);
	expect_served(&q.question, front, rules, &outcome, d);
	if (q.broken != NOT_BROKEN) {
		expect(why.what != NULL && outcome.refused && in_set(&outcome.findings, URIVET_F_FIELD_UNREADABLE), a,
		       "a question with a mistake is refused");
		return;
	}
	if (why.what != NULL && a->bad_target) /* a fault in the host may be one of the description */
		return;
	expect(why.what == NULL, a, "a question without a mistake is read");
	if (leaves && !a->bad_target && !a->bad_parameter) {
		expect(outcome.refused == !observes && outcome.observed == observes && in_set(&outcome.findings, URIVET_F_PARAM_REFUSED),
		       a, "a parameter that leaves the origin is refused");
		return;
	}
	expect_outcome(&outcome, a, own, bad && !observes, bad && observes);
}

/* ---- Lines ---------------------------------------------------------------------------------------- */

static void expect_line(const struct asked *a, const struct builder *line, enum speaker speaker,
			const struct rules *rules, bool has_id, bool by, bool seen)
{
	char answer[LINE_ANSWER];
	struct gate_outcome outcome;
	const size_t length = line_answer(answer, sizeof answer, urivet_text_of(line->text, line->length), speaker, rules, &outcome);
	expect(outcome.refused == by && outcome.observed == seen, a, "a line is refused for its fault, and for nothing else");
	expect(length >= 3 && strstr(answer, by ? "ERR log=" : seen ? "OK log=" : "OK\n") != NULL, a, "an answer says the verdict");
	expect((strncmp(answer, "17 ", 3) == 0) == has_id, a, "an answer has the ID of its line");
}

#define SESSION_MOST 120000u /* octets of a session; they wait in a socket */

/* Asks several lines through a descriptor, in up to nine pieces: the line, and lines that begin with an ID, are too long and end
 * with the line. The last one may have no end. Each is answered once, in its order. */
static void expect_session(const struct asked *a, const struct builder *line, enum speaker speaker, const struct rules *rules, struct dice *d)
{
	static char text[SESSION_MOST], answers[16 * LINE_ANSWER], answer[LINE_ANSWER];
	struct builder session = {text, 0};
	struct gate_outcome outcome;
	bool is_long[5];
	int in[2], out[2];
	size_t had = 0, length;
	const char *const refusal = speaker == SPEAKER_SQUID ? "17 ERR log=" : "ERR log=";
	const uint32_t count = 1 + below(d, (uint32_t)COUNT(is_long));
	const size_t answered = line_answer(answer, sizeof answer, urivet_text_of(line->text, line->length), speaker, rules, &outcome);
	if (memchr(line->text, '\n', line->length) != NULL) /* it is two */
		return;
	for (uint32_t k = 0; k < count; k++) {
		const size_t more = below(d, 4) == 0 ? LINE_MOST + 1 + below(d, 3) * (LINE_MOST / 2) : 0;
		is_long[k] = more > line->length + 4 && session.length + more < sizeof text;
		if (is_long[k]) {
			const size_t fill = more - 4 - line->length;
			add_word(&session, "17 ");
			memset(text + session.length, 'x', fill);
			session.length += fill;
			add_word(&session, " ");
		}
		if (session.length + line->length + 1 > sizeof text)
			return;
		add(&session, line->text, line->length);
		add_word(&session, "\n");
	}
	length = session.length - below(d, 2); /* without the end of the last */
	if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, in) != 0 || pipe(out) != 0)
		abort();
	for (size_t at = 0, pieces = 0; at < length; pieces++) {
		const size_t most = length - at < LINE_MOST ? length - at : LINE_MOST; /* a read has this room */
		const size_t piece = pieces < 4 ? 1 + below(d, (uint32_t)most) : most;
		if (send(in[0], text + at, piece, MSG_DONTWAIT) != (ssize_t)piece)
			abort();
		at += piece;
	}
	(void)shutdown(in[0], SHUT_WR);
	expect(lines_run(in[1], out[1], speaker, rules), a, "lines are read to their end");
	(void)close(out[1]);
	for (ssize_t got; (got = read(out[0], answers + had, sizeof answers - had)) > 0; had += (size_t)got)
		;
	for (uint32_t k = 0, at = 0; k < count; k++) {
		const char *const end = memchr(answers + at, '\n', had - at);
		expect(end != NULL, a, "each line of a session is answered");
		length = (size_t)(end + 1 - (answers + at));
		if (is_long[k])
			expect(strncmp(answers + at, refusal, strlen(refusal)) == 0, a, "a line that is too long is refused once");
		else
			expect(length == answered && memcmp(answers + at, answer, length) == 0, a, "a line is answered alike in a session");
		at += (uint32_t)length;
		if (k + 1 == count)
			expect(at == had, a, "nothing but lines is answered");
	}
	(void)close(in[0]);
	(void)close(in[1]);
	(void)close(out[0]);
}

static void ask_apache(const struct asked *a, struct dice *d, struct builder *line, const struct rules *rules, bool secure, bool by, bool seen)
{
	line->length = 0;
	add_word(line, secure ? "https " : "http ");
	add(line, a->host.data, a->host.length);
	add_word(line, " ");
	add(line, a->method.data, a->method.length);
	add_word(line, " ");
	add(line, a->target.data, a->target.length);
	add_word(line, " HTTP/1.1");
	expect_line(a, line, SPEAKER_APACHE, rules, false, by, seen);
	if (below(d, 4) == 0)
		expect_session(a, line, SPEAKER_APACHE, rules, d);
	add_word(line, " x");
	expect_line(a, line, SPEAKER_APACHE, rules, false, true, false);
}

/* Squid sends an ID, a method and a final hyphen by its configuration. */
static void ask_squid(const struct asked *a, struct dice *d, struct builder *line, const struct rules *rules, bool by, bool seen)
{
	const struct urivet_text front = {a->url.text, a->url.part[URIVET_PATH].offset};
	const bool has_id = below(d, 2) == 1, has_method = below(d, 2) == 1, has_hyphen = below(d, 2) == 1;
	line->length = 0;
	add_word(line, has_id ? "17 " : "");
	add(line, a->method.data, has_method ? a->method.length : 0);
	add_word(line, has_method ? " " : "");
	put_encoded(line, front, 1, ":/+", d);
	put_encoded(line, a->target, 1, ":/+", d);
	add_word(line, has_hyphen ? " -" : "");
	expect_line(a, line, SPEAKER_SQUID, rules, has_id, by, seen);
	if (below(d, 4) == 0)
		expect_session(a, line, SPEAKER_SQUID, rules, d);
	line->length -= has_hyphen ? 2 : 0;
	add_word(line, has_method ? " x -" : " x x -");
	expect_line(a, line, SPEAKER_SQUID, rules, has_id, true, false);
}

static void ask_by_line(struct asked *a, struct dice *d)
{
	static char room[3 * TEXT_MOST];
	const bool secure = a->url.port == 443, bad = a->bad_target || a->bad_parameter, observes = below(d, 4) == 0;
	const struct rules *const rules = rules_for(below(d, 2) == 1 && reads_files(), secure, observes, false, false, a->url.port);
	struct builder line = {room, 0};
	const struct urivet_text path = a->target;
	enum urivet_decoded how;
	bool enforced;
	if (below(d, 4) == 0)
		a->target = absolute_form(a);
	/* what cannot be read is refused even where all is only observed: a word more, or no text */
	enforced = !observes || memchr(a->target.data, ' ', a->target.length) != NULL;
	ask_apache(a, d, &line, rules, secure, bad && enforced, bad && !enforced);
	a->target = path;
	line.length = 0;
	put_encoded(&line, urivet_text_of(a->url.text, a->url.length), 1, "", d);
	(void)urivet_decode(NULL, 0, urivet_text_of(room, line.length), URIVET_CODING_PERCENT, &how, NULL);
	enforced = !observes || how != URIVET_DECODED;
	if (!a->bad_target || a->url.fault->place != AS_PORT) /* the port of a proxy's client is not known */
		ask_squid(a, d, &line, rules, bad && enforced, bad && !enforced);
}

/* ---- nginx ----------------------------------------------------------------------------------------- */

#ifdef WITH_NGINX
static const struct gate_policy *policy_of(int base, bool observes)
{
	static struct gate_policy all[URIVET_BASES][2];
	struct gate_policy *const policy = &all[base][observes];
	if (policy->policy == NULL)
		*policy = gate_policy_from(urivet_load_built_in(base)); /* kept to the end */
	if (policy->policy == NULL)
		abort();
	policy->observes = observes;
	return policy;
}

static const struct gate_parameters *parameters_of(bool twice, bool observes)
{
	static struct gate_parameters all[4];
	struct gate_parameters *const p = &all[twice | observes << 1];
	if (!urivet_parameter_rules_init(&p->rules, sizeof p->rules))
		abort();
	p->policy = policy_of(URIVET_PUBLIC, observes);
	p->rules.policy = p->policy->policy;
	p->rules.names = parameter_names;
	p->rules.count = COUNT(parameter_names);
	p->rules.times = twice ? 2 : 1;
	return p;
}

/* Chooses the rules of a level, and says which of its parts are enforced. */
struct judges {
	bool target, parameters, field, observes_target, observes_parameters, observes_field;
};

static struct judges choose_level(struct nginx_level *level, struct dice *d, bool twice)
{
	const uint32_t mode = below(d, 4), parameters = below(d, 3), field = below(d, 3);
	const bool off = mode == 0, observes = mode == 1, loose = below(d, 4) == 0;
	*level = (struct nginx_level){
	    .policy = off ? NULL : policy_of(URIVET_GATEWAY, loose),
	    .observes = observes,
	    .redirects = mode == 3,
	    .parameters = parameters == 0 ? NULL : parameters_of(twice, parameters == 2),
	    .field_policy = field == 0 ? NULL : policy_of(URIVET_PUBLIC, field == 2),
	    .reference = field == 0 || below(d, 2) == 1 ? NULL : parameters_of(false, field == 2),
	    .is_list = below(d, 2) == 1,
	};
	return (struct judges){
	    .target = !off && !observes && !loose,
	    .observes_target = !off && (observes || loose),
	    .parameters = !off && !observes && parameters == 1,
	    .observes_parameters = !off && parameters != 0 && (observes || parameters == 2),
	    .field = !off && !observes && field == 1,
	    .observes_field = !off && field != 0 && (observes || field == 2),
	};
}

/* A rewrite replaces the path or the query before one of the phases; nginx passes that on. */
static void rewrite(struct nginx_asked *asked, struct dice *d, bool *bad_target, bool *bad_parameter)
{
	static const char *const queries[] = {"u=https%3A%2F%2Fwww.iana.org%2F", "a=b&url=http%3A%2F%2Flocalhost%2F"};
	const uint32_t what = below(d, 8), worse = below(d, 2);
	if (what == 1 || what == 2) {
		/* decoded: it is passed on as %0A */
		asked->new_path = worse ? urivet_text_of("/a\nb", 4) : urivet_text_of("/a b", 4);
		*bad_target = *bad_target || worse;
	}
	if (what == 2 || what == 3) {
		const char *const query = queries[below(d, 2)];
		asked->new_query = urivet_text_of(query, strlen(query));
		*bad_parameter = query == queries[1];
	}
	asked->rewritten_at = below(d, NGINX_PHASES);
}

static void ask_nginx(struct asked *a, struct dice *d, bool twice)
{
	static const char *const between[] = {" , ", ",", "\t,\t", ", \t"};
	static char field[TEXT_MOST], list[TEXT_MOST], spelled[TEXT_MOST], path[TEXT_MOST];
	const bool bad_host = below(d, 8) == 0, has_field = below(d, 2) == 1;
	struct builder items = {list, 0};
	struct built other;
	struct nginx_asked asked = {.method = a->method, .target = a->target, .secure = a->url.port == 443};
	struct nginx_answer answer;
	struct judges server, location;
	bool bad_field = false, by, seen, unknown, in_path, bad_target = a->bad_target || bad_host,
				bad_parameter = a->bad_parameter;
	if (memchr(a->target.data, ' ', a->target.length) != NULL)
		return; /* nginx refuses it before */
	asked.scheme = asked.secure ? URIVET_SCHEME_HTTPS : URIVET_SCHEME_HTTP;
	asked.port = a->url.port;
	server = choose_level(&asked.server, d, twice);
	location = choose_level(&asked.location, d, twice);
	if (asked.location.policy == NULL)
		location = (struct judges){.target = false};
	asked.fields[asked.count++] = (struct nginx_field){urivet_text_of("Host", 4), a->host};
	if (bad_host) /* a second field, or none */
		asked.fields[asked.count++] = (struct nginx_field){urivet_text_of("HOST", 4), a->host};
	if (has_field) {
		bad_field = !a->bad_parameter && below(d, 2) == 1;
		build(&other, d, bad_field ? any_fault(d, false) : NULL);
		/* blanks around the items of a list are not of them */
		if (other.length > 4000 || memchr(other.text, ',', other.length) != NULL ||
		    strchr(" \t", other.text[other.length - 1]) != NULL)
			return;
		memcpy(field, other.text, other.length);
		add_word(&items, "https://www.iana.org/");
		add_word(&items, between[below(d, COUNT(between))]);
		add(&items, other.text, other.length);
		asked.fields[asked.count++] = (struct nginx_field){urivet_text_of("x_target", 8), urivet_text_of(field, other.length)};
		/* lists have blanks around their items, which one value must not have */
		if (asked.server.is_list && (asked.location.policy == NULL || asked.location.is_list))
			asked.fields[asked.count - 1].value = urivet_text_of(list, items.length);
	}
	asked.path = urivet_text_of(a->url.text + a->url.part[URIVET_PATH].offset, a->url.part[URIVET_PATH].length);
	asked.path = urivet_text_of(path, urivet_decode(path, sizeof path, asked.path, URIVET_CODING_PERCENT, NULL, NULL));
	asked.query = urivet_text_of(a->has_parameter ? (const char *)memchr(a->room, '?', a->target.length) + 1 : "", 0);
	if (a->has_parameter)
		asked.query.length = (size_t)(a->room + a->target.length - (const char *)asked.query.data);
	if (below(d, 4) == 0)
		asked.target = absolute_form(a);
	if (!a->bad_target && !a->bad_parameter)
		rewrite(&asked, d, &bad_target, &bad_parameter);
	nginx_judge(&answer, &asked);
	by = (bad_target && (server.target || location.target)) ||
	     (bad_parameter && (server.parameters || location.parameters)) ||
	     (bad_field && (server.field || location.field));
	/* a server that refuses ends it, so that its location reports nothing */
	seen = (bad_target && (server.observes_target || location.observes_target)) ||
	       (bad_parameter && (server.observes_parameters || location.observes_parameters)) ||
	       (bad_field && (server.observes_field || location.observes_field));
	/* without a readable target its parameters and references are refused, too; so are controls in a query */
	in_path = a->bad_target && a->url.fault->place == IN_PATH;
	unknown = (a->bad_target && !in_path && (asked.server.parameters != NULL || asked.location.parameters != NULL ||
						 asked.server.reference != NULL || asked.location.reference != NULL)) ||
		  a->bad_parameter;
	if (in_path && urivet_finding_info(a->url.fault->id)->class_ == URIVET_MALFORMED) {
		by = by || server.parameters || location.parameters;
		seen = seen || server.observes_parameters || location.observes_parameters;
	}
	if (asked.server.policy == NULL && asked.location.policy == NULL) {
		oracle(answer.status == NGINX_PASSED && answer.log[0] == '\0', "what is off judges nothing");
		return;
	}
	expect(answer.outcome.refused == by || (answer.outcome.refused && unknown), a, "nginx refuses a request for its fault, and for nothing else");
	expect(answer.status == NGINX_REDIRECTED || (answer.status == NGINX_REFUSED) == answer.outcome.refused, a, "what is refused is not passed on");
	expect(answer.outcome.refused || answer.outcome.observed == seen || unknown, a, "what is only observed is reported");
	expect((answer.log[0] != '\0') == (answer.outcome.refused || answer.outcome.observed), a, "the log has refusals, and nothing else");
	expect(strchr(answer.log, '\n') == NULL, a, "a line of the log is one line");
	if (answer.status == NGINX_REDIRECTED) {
		const char *question;
		snprintf(spelled, sizeof spelled, "%s", answer.location);
		question = strchr(spelled, '?');
		asked.target = urivet_text_of(spelled, strlen(spelled));
		asked.query = question != NULL ? urivet_text_of(question + 1, strlen(question + 1)) : urivet_text_of("", 0);
		/* the server redirects before its location is asked */
		expect(bad_target && !bad_host && !bad_parameter && !(bad_field && (server.target ? server.field : location.field)),
		       a, "only another spelling is redirected to");
		if (bad_field)
			return;
		nginx_judge(&answer, &asked);
		expect(answer.status == NGINX_PASSED, a, "the other spelling is accepted");
	}
}
#else
static void ask_nginx(struct asked *a, struct dice *d, bool twice)
{
	(void)a;
	(void)d;
	(void)twice;
}
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	static struct asked a;
	struct dice d = dice_of(data, length);
	const uint32_t what = below(&d, 4);
	const bool twice = what < 2 && below(&d, 4) == 0;
	if (!build_request(&a, &d, twice ? 2 : 1))
		return 0;
	if (what == 0)
		ask_helper(&a, &d, twice);
	else if (what == 1)
		ask_nginx(&a, &d, twice);
	else if (what == 2) {
		expect_explained(&a);
		ask_by_line(&a, &d);
	}
	else
		ask_nginx(&a, &d, false);
	return 0;
}
