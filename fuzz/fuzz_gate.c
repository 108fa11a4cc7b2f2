/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The check of a request line, its Host field and one other field, as gateways use it, says what
 * the library says. Parameters are refused if any one of them is, unreadable requests do not pass,
 * and the text about a refusal is safe in any output.
 *
 * Questions of gateways, as fields and as lines of Squid and Apache. A question has the value of
 * one field, given once; a question that cannot be read is refused. An answer is one line of ASCII,
 * and is OK only if no rule refuses.
 */
#include "gateway/fronts.h"
#include "gateway/serve/lines.h"
#include "oracles.h"

static void show(const struct gate_outcome *outcome)
{
	char names[GATE_FINDINGS_CAPACITY];
	const size_t length = gate_format_findings(names, sizeof names, outcome);
	const bool rejects = outcome->refused || outcome->observed;
	oracle(length < sizeof names && strlen(names) == length, "the names of all findings have room");
	for (size_t i = 0; i < length; i++)
		oracle(memchr("abcdefghijklmnopqrstuvwxyz0123456789-,", names[i], 38) != NULL, "names are safe");
	oracle(outcome->judged, "something was judged");
	oracle((strcmp(names, "-") != 0) == rejects, "a refusal has a finding, and nothing else has");
	oracle((gate_reason(outcome) == URIVET_REASON_ACCEPTED) == !rejects, "the reason is that of the verdict");
}

static bool refuses(const struct gate_outcome *outcome)
{
	return outcome->refused || outcome->observed;
}

/* Judges the parameters, using the report of the target. */
static void judge_parameters(const struct urivet_report *report, struct gate_request *r,
			     const struct gate_policy *policy)
{
	static const struct urivet_text names[] = {{"u", 1}, {"url", 3}, {"a_b", 3}};
	const size_t capacity = gate_buffer_capacity(r);
	char *const buffer = room_for(capacity);
	const struct urivet_parameter_input input = {r->target, &r->request, buffer, capacity};
	for (unsigned options = 0; options < 8; options++) {
		struct gate_parameters asked = {.policy = policy};
		struct gate_outcome outcome = {0};
		struct urivet_report all = *report, inner;
		bool refused;
		if (!urivet_parameter_rules_init(&asked.rules, sizeof asked.rules))
			abort();
		asked.rules.names = names;
		asked.rules.count = (options & 1) != 0 ? 0 : 3;
		asked.rules.same_origin = (options & 2) != 0;
		asked.rules.absolute = (options & 4) != 0;
		asked.rules.policy = policy->policy;
		gate_judge_parameters(&outcome, r, &asked, buffer, capacity);
		all.verdict = URIVET_ACCEPT;
		all.count = all.dropped = 0;
		refused = !report->parsed ||
			  urivet_check_parameters(&all, &inner, &input, &asked.rules, NULL) != URIVET_ACCEPT;
		oracle(refuses(&outcome) == refused,
		       "parameters are refused where one is, or where none can be read");
		show(&outcome);
	}
	free(buffer);
}

static void judge(struct gate_request *r, const struct gate_policy *inner)
{
	struct gate_outcome outcome = {0};
	struct urivet_report report;
	urivet_check_request(&report, r->target.data, r->target.length, &r->request, r->policy->policy, NULL);
	gate_judge_target(&outcome, r);
	oracle(refuses(&outcome) == (report.verdict != URIVET_ACCEPT), "the target is judged as the library does");
	oracle(outcome.observed == (refuses(&outcome) && r->policy->observes), "what observes lets go on");
	show(&outcome);
	judge_parameters(&report, r, inner);
}

/* Returns the octet that a field name's octet becomes in a variable name (RFC 3875, 4.1.18). */
static int in_variable(uint8_t c)
{
	return c >= 'a' && c <= 'z' ? c - 32 : c == '-' ? '_' : c;
}

static bool have_one_variable(struct urivet_text a, struct urivet_text b)
{
	const uint8_t *x = a.data, *y = b.data;
	bool same = a.length == b.length;
	for (size_t k = 0; k < a.length && same; k++)
		same = in_variable(x[k]) == in_variable(y[k]);
	return same;
}

/* Compares a name with another name, with its own alternative spelling, and with one octet
 * changed. */
static void judge_names(struct urivet_text name, struct urivet_text other)
{
	uint8_t *const spelled = room_for(name.length);
	const struct urivet_text twin = {spelled, name.length};
	oracle(gate_is_field(name, other) == have_one_variable(name, other),
	       "fields are one where programs do not distinguish them");
	for (size_t k = 0; k < name.length; k++) {
		const uint8_t c = ((const uint8_t *)name.data)[k];
		spelled[k] = c == '-' ? '_'
			     : c == '_'
				 ? '-'
				 : (uint8_t)((c | 0x20) >= 'a' && (c | 0x20) <= 'z' ? c ^ 0x20 : c);
	}
	oracle(gate_is_field(name, twin), "fields are one where programs do not distinguish them");
	if (name.length > 0) {
		spelled[name.length - 1] ^= 0x08;
		oracle(gate_is_field(name, twin) == have_one_variable(name, twin),
		       "fields are one where programs do not distinguish them");
	}
	free(spelled);
}

/* ---- Questions ------------------------------------------------------------------------- */

#define FIELDS_MOST 12

static bool is_in(struct urivet_text part, struct urivet_text whole)
{
	const uint8_t *const a = part.data, *const b = whole.data;
	return part.length == 0 || (a >= b && a + part.length <= b + whole.length);
}

static unsigned named(const struct question *q, const char *name)
{
	unsigned count = 0;
	for (size_t k = 0; k < q->count; k++)
		count += gate_is_field(q->fields[k].name, urivet_text_of(name, strlen(name)));
	return count;
}

static void ask(const struct question *q, struct urivet_text whole, enum front front, const struct rules *rules)
{
	struct gate_request r = rules_request(rules);
	struct why why = {NULL, NULL};
	struct gate_outcome outcome;
	if (!front_read(&r, front, q, &why)) {
		outcome = rules_refuse();
		oracle(why.what != NULL && outcome.refused, "what cannot be read is refused, and why");
		return;
	}
	oracle(is_in(r.target, whole) && is_in(r.request.host, whole) && is_in(r.request.method, whole),
	       "what is read is what was said");
	oracle(named(q, front == FRONT_NGINX || front == FRONT_HAPROXY	? "X-Original-URI"
			: front == FRONT_ENVOY || front == FRONT_PATH ? "Host"
								      : "X-Forwarded-Uri") == 1,
	       "it is said once");
	oracle(!gate_is_field(r.request.method, urivet_text_of("CONNECT", 7)), "no tunnel is handed on");
	outcome = rules_judge(rules, &r);
	oracle(outcome.judged && (gate_reason(&outcome) != URIVET_REASON_ACCEPTED) == (outcome.refused || outcome.observed),
	       "a refusal has a reason");
}

static void answer(struct urivet_text line, enum speaker speaker, const struct rules *rules)
{
	char *const out = room_for(LINE_ANSWER);
	struct gate_outcome outcome;
	const size_t length = line_answer(out, LINE_ANSWER, line, speaker, rules, &outcome);
	const char *const space = memchr(out, ' ', length);
	const bool numbered = length > 1 && out[0] >= '0' && out[0] <= '9';
	const char *const word = numbered && space != NULL ? space + 1 : out;
	oracle(length > 0 && length < LINE_ANSWER && out[length - 1] == '\n' &&
		   memchr(out, '\n', length) == out + length - 1,
	       "an answer is one line");
	for (size_t k = 0; k + 1 < length; k++)
		oracle(out[k] >= ' ' && out[k] < 0x7f, "an answer is ASCII");
	oracle((strncmp(word, "OK", 2) == 0) == !outcome.refused && (strncmp(word, "ERR", 3) == 0) == outcome.refused,
	       "an answer says what came of it");
	free(out);
}

static void no_message(void *context, const struct urivet_message *message)
{
	(void)context;
	(void)message;
	abort();
}

/* Takes the input as questions of gateways, and its first line as one of Squid and Apache. */
static void expect_questions(const uint8_t *data, size_t length)
{
	static const struct urivet_text names[] = {{"u", 1}, {"url", 3}};
	static struct rules *rules;
	const struct wanted wanted = {.policy = "gateway", .parameter_policy = "public", .names = names, .name_count = 2, .times = 1,
				      .parameters = true, .scheme = URIVET_SCHEME_HTTP, .port = 8080};
	const struct urivet_text whole = urivet_text_of(data, length);
	struct urivet_text rest = whole, line;
	struct field fields[FIELDS_MOST];
	struct question q = {.fields = fields};
	if (rules == NULL)
		rules = rules_load(&wanted, no_message, NULL); /* never freed */
	if (rules == NULL)
		abort();
	line = up_to(&rest, '\n');
	for (unsigned speaker = SPEAKER_SQUID; speaker < SPEAKERS; speaker++)
		answer(line, (enum speaker)speaker, rules);
	q.method = up_to(&line, ' ');
	q.target = up_to(&line, ' ');
	while (rest.length > 0 && q.count < FIELDS_MOST) {
		line = up_to(&rest, '\n');
		fields[q.count].name = up_to(&line, ':');
		fields[q.count++].value = line;
	}
	for (unsigned front = 0; front < FRONTS; front++)
		ask(&q, whole, (enum front)front, rules);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	static struct gate_policy policies[URIVET_BASES];
	struct urivet_text rest = urivet_text_of(data, length);
	const struct urivet_text line = up_to(&rest, '\n'), host = up_to(&rest, '\n'), field = up_to(&rest, '\n');
	struct gate_request r = {.target = gate_target_of_line(line)};
	const char *const space = line.length > 0 ? memchr(line.data, ' ', line.length) : NULL;
	struct gate_outcome outcome = {0};
	struct urivet_report report;
	if (policies[0].policy == NULL)
		for (int base = 0; base < URIVET_BASES; base++) {
			struct urivet_loaded *const loaded = urivet_load_built_in(base); /* kept to the end */
			if (loaded == NULL)
				abort();
			policies[base] = gate_policy_from(loaded);
			policies[base].observes = base == URIVET_ANY;
		}
	oracle(r.target.data == NULL || (r.target.length > 0 && memchr(r.target.data, ' ', r.target.length) == NULL &&
					 space != NULL && (const char *)r.target.data > space),
	       "a target stands after a space, and has none");
	if (!urivet_request_init(&r.request, sizeof r.request))
		abort();
	r.request.method = urivet_text_of(line.data, space != NULL ? (size_t)(space - (const char *)line.data) : 0);
	r.request.host = host.length > 0 ? host : urivet_text_of(NULL, 0);
	for (int base = 0; base < URIVET_BASES; base++) {
		r.request.scheme = base % 2 == 0 ? URIVET_SCHEME_HTTP : URIVET_SCHEME_HTTPS;
		r.request.port = length % 3 == 0 ? URIVET_NO_PORT : length % 3 == 1 ? 80 : 8443;
		r.policy = &policies[base];
		judge(&r, &policies[length % 2 == 0 ? URIVET_PUBLIC : URIVET_STRICT]);
	}
	judge_names(line, host);
	gate_judge_field(&outcome, field, &policies[URIVET_PUBLIC]);
	oracle(refuses(&outcome) == (urivet_check(&report, field.data, field.length, policies[URIVET_PUBLIC].policy) !=
				     URIVET_ACCEPT),
	       "a field is judged as the library does");
	show(&outcome);
	expect_questions(data, length);
	return 0;
}
