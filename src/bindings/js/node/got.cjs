// SPDX-License-Identifier: Apache-2.0
// A guarded instance of got 12 or 16: guarded(got, policy). Each request that it makes is made here, whatever its hooks did.
'use strict';
const http = require('node:http');
const https = require('node:https');
const { agents } = require('./agent.cjs');
const { RefusedError, judgeUrl, limited, optionsOf, wantPolicy } = require('./guard.cjs');

// What was refused last for got's settings of a request: got 12 keeps no cause.
const refusals = new WeakMap();
// When requests have to end, by the function of their settings for delays before another try, which redirects and pages have
// from the request before; and got's own function.
const deadlines = new WeakMap();

// As http.request(), but by the guarded agents, whatever the options say. got gives the URL, its cache does not.
function requester(judge, guarded, settings, maxResponseSize) {
	const judged = judging => {
		try {
			judging();
		} catch (refused) {
			refusals.set(settings, refused);
			throw refused;
		}
	};
	return (...given) => {
		const [url, options = {}] = given[0] instanceof URL ? given : [undefined, given[0]];
		if (url) // a mock in tests answers without the agents
			judged(() => judgeUrl(judge, url.origin + url.pathname + url.search));
		const isSecure = (url ?? options).protocol === 'https:', agent = isSecure ? guarded.https : guarded.http;
		const done = given.filter(each => typeof each === 'function');
		const request = (isSecure ? https : http).request(...(url ? [url] : []), { ...options, agent }, ...done);
		const { end } = deadlines.get(settings.retry.calculateDelay) ?? {}, timeout = end && Math.max(0, end - Date.now());
		request.prependOnceListener('response', limited(request, { maxResponseSize, timeout }, settings.decompress));
		return request.prependListener('error', error => refusals.set(settings, error));
	};
}

function setDeadline(settings, timeout) {
	const end = Date.now() + timeout, { calculateDelay } = settings.retry, { own = calculateDelay } = deadlines.get(calculateDelay) ?? {};
	const delay = async given => Math.max(0, Math.min(await own(given), end - Date.now()));
	deadlines.set(delay, { end, own });
	settings.retry.calculateDelay = delay;
}

// got's own options that are as the guard wants them.
const SETTINGS = { http2: false, dnsCache: undefined, enableUnixSockets: false };

// The URL as got puts it together before it parses it.
function givenUrl(client, input, options) {
	const { url, prefixUrl } = typeof input === 'object' && input !== null ? input : { url: input };
	const prefix = String(options?.prefixUrl ?? prefixUrl ?? client.defaults.options.prefixUrl);
	return prefix !== '' && ['string', 'undefined'].includes(typeof url) ? prefix.replace(/\/?$/, '/') + (url ?? '') : url;
}

// got's own error with what was refused.
function explain(error) {
	const refused = error.cause instanceof RefusedError ? error.cause : refusals.get(error.options);
	return refused instanceof RefusedError ? refused.mark(error) : error;
}

// All functions of an instance, which judge the URL as it is given; `handler` has the last word.
function wrap(client, judge, handler, repair) {
	const check = given => {
		const [input, options] = given;
		const { repaired } = judgeUrl(judge, givenUrl(client, input, options), repair), isObject = Object(input) === input;
		const to = repaired && { url: repaired.to, prefixUrl: '' };
		return { repaired, given: to ? [isObject ? { ...input, ...to } : repaired.to, { ...options, prefixUrl: '' }] : given };
	};
	const asked = call => (...all) => {
		const { repaired, given } = check(all), made = call(...given);
		return made.on?.('response', response => Object.assign(response, { repaired })) ?? made;
	};
	const all = asked(client);
	all.stream = asked(client.stream);
	for (const method of ['get', 'post', 'put', 'patch', 'delete', 'head']) {
		all[method] = asked(client[method]);
		all.stream[method] = asked(client.stream[method]);
	}
	all.paginate = async function* (...given) {
		yield* client.paginate(...check(given).given);
	};
	all.paginate.each = all.paginate;
	all.paginate.all = async (...given) => asked(client.paginate.all)(...given);
	all.extend = (...more) => wrap(client.extend(...more, { handlers: [handler] }), judge, handler, repair);
	all.defaults = client.defaults;
	return all;
}

function guarded(got, by = 'public', options = undefined) {
	const { maxResponseSize, repair, timeout, ...rest } = optionsOf(options, ['ca', 'cert', 'key', 'lookup', 'maxResponseSize', 'maxSockets', 'repair', 'timeout']);
	const judge = wantPolicy(by), ours = agents(judge, rest);
	const settle = settings => {
		// the last word, after all hooks: whatever they set, requests are made by the function above
		settings.request = requester(judge, ours, settings, maxResponseSize);
		Object.assign(settings, SETTINGS);
		const { beforeRequest } = settings.hooks;
		if (beforeRequest.at(-1) !== settle) // one was added while they run
			beforeRequest.push(settle);
	};
	const handler = (settings, next) => {
		const { hooks } = settings;
		for (const name of ['beforeRequest', 'beforeRedirect']) // those of the page before have it
			hooks[name] = [...hooks[name].filter(hook => hook !== settle), settle];
		settle(settings);
		if (timeout !== undefined)
			setDeadline(settings, timeout);
		return next(settings);
	};
	return wrap(got.extend({ ...SETTINGS, hooks: { beforeError: [explain] }, handlers: [handler] }), judge, handler, repair);
}

module.exports = { RefusedError, guarded };
