/* SPDX-License-Identifier: Apache-2.0 */
/* Answers auth requests: 200 for a request that may be forwarded; 403 for one that may not, or that
 * cannot be read reliably; 429 for a client that asks too often. */
#include "gateway/serve/processes.h"

#include "common/text/output.h"

#ifdef HAVE_LIBEVENT

#include "gateway/serve/http.h"

#include <stdio.h>

struct server {
	const struct serve *serve;
	const struct rules *rules;
	struct counts *counts;
	bool has_reported; /* a request of another gateway was reported */
	bool loses;        /* that lines of the log are lost was reported */
};

static void answer(const struct server *server, struct web_request *request,
		   const struct gate_outcome *outcome)
{
	char names[GATE_FINDINGS_CAPACITY], fields[sizeof names + 64] = "", word[64];
	struct web_answer answer = {"200 OK", "text/plain", fields, word, 0};
	if (server->serve->sends_findings && (outcome->refused || outcome->observed)) {
		(void)gate_format_findings(names, sizeof names, outcome);
		(void)snprintf(fields, sizeof fields, "X-Urivet-Findings: %s\r\n", names);
	}
	if (outcome->refused) {
		answer.status = request->limited ? "429 Too Many Requests" : "403 Forbidden";
		answer.length = (size_t)snprintf(word, sizeof word, "%s\n",
						 urivet_reason_name(gate_reason(outcome)));
	}
	web_answer(request, &answer);
}

/* Judges the request that an auth request describes, and counts, logs and answers it. */
static void take_question(struct web_request *asked, void *context)
{
	struct server *const server = context;
	const struct serve *const serve = server->serve;
	struct gate_request request = rules_request(server->rules);
	struct logged logged = {.request = &request, .why = {NULL, asked->refused}};
	struct gate_outcome outcome = rules_refuse();
	const uint64_t begin = web_now();
	asked->question.any_method = serve->wanted.any_method;
	if (asked->limited)
		logged.why.what = "its client asks too often";
	if (logged.why.what == NULL)
		outcome = rules_answer(server->rules, serve->front, &asked->question, &request,
				       &logged.why);
	counts_add_time(server->counts, web_now() - begin);
	counts_add(server->counts, 0, &outcome);
	if (logged.why.what == front_is_another && !server->has_reported) {
		server->has_reported = true;
		complain("serve: a question has the field %s, which --from=%s does not send: such "
			 "questions are refused; is --from right?",
			 logged.why.field, front_names[serve->front]);
	}
	front_origin(&logged.client, &logged.id, serve->front, &asked->question);
	if (serve->log >= 0 && !asked->limited && (outcome.refused || outcome.observed) &&
	    !serve_log(serve->log, &logged, &outcome)) {
		(void)atomic_fetch_add(&server->counts->lost, 1);
		if (!server->loses) /* not each time: what reads the messages may stall as well */
			complain("serve: a line of the log was lost");
		server->loses = true;
	}
	answer(server, asked, &outcome);
}

static struct web_settings settings_of(struct server *server, struct tls *tls)
{
	const struct serve *const serve = server->serve;
	return (struct web_settings){.connections = serve->connections,
				     .seconds = serve->seconds,
				     .limits = serve->network.public ? &serve->network : NULL,
				     .tls = tls,
				     .counts = server->counts,
				     .take = take_question,
				     .context = server};
}

int serve_questions(const struct serve *serve, const struct rules *rules, struct tls *tls,
		    struct counts *counts, int socket)
{
	struct server server = {.serve = serve, .rules = rules, .counts = counts};
	const struct web_settings settings = settings_of(&server, tls);
	return web_run(socket, &settings, serve->network.drain > 0 ? serve->network.drain : 2);
}

#endif
