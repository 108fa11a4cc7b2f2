/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Questions of gateways, as fields and as lines of Squid and Apache. A question has the value of
 * one field, given once; a question that cannot be read is refused. An answer is one line of ASCII,
 * and is OK only if no rule refuses. Text for Prometheus and logs keeps its format for any
 * question.
 */
#include "oracles.h"
#include "gateway/serve/fronts.h"
#include "gateway/serve/lines.h"

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
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
	return 0;
}
