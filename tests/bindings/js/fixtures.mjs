// SPDX-License-Identifier: Apache-2.0
// What several suites use: the package, the clients that it guards, servers on loopback and resolvers.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { createRequire } from 'node:module';
import net from 'node:net';
import { after } from 'node:test';

export const require = createRequire(`${process.env.URIVET_PACKAGE}/dist/`);
export const { Policy, policy } = require('./urivet.cjs');
export const alone = { skip: process.env.URIVET_ALONE === '1' }; // there are no packages of npm
export const client = name => alone.skip ? {} : require(name);
export const { createFetch, dispatcher } = client('./fetch.cjs');
export const { HttpAgent, HttpsAgent, RefusedError, agents } = require('./agent.cjs');
export const { guarded: guardAxios } = require('./axios.cjs'), { guarded: guardGot } = client('./got.cjs');
export const undici = client('undici'), axios = client('axios');
export const [{ default: got, RequestError }, { default: got16, RequestError: RequestError16 }] = await Promise.all(['got', 'got-16'].map(name => alone.skip ? {} : import(require.resolve(name)).catch(() => ({})))); // got 16 needs a newer Node
export const cases = readFileSync(new URL('../conformance/cases.jsonl', import.meta.url), 'latin1').split('\n').filter(Boolean).map(line => JSON.parse(line));
export const tables = JSON.parse(readFileSync(new URL('tables.json', import.meta.url)));

// A server that is closed after the suite; its port.
export async function listen(answer, ...where) {
	const server = typeof answer === 'function' ? http.createServer(answer) : answer;
	await new Promise(resolve => server.listen(...where, resolve));
	after(() => [server.close(), server.closeAllConnections()]);
	return server.address().port;
}

// A resolver that answers by turns; an answer is an address or several.
export function resolver(...answers) {
	let turn = 0;
	return (name, options, done) => {
		const found = [answers[Math.min(turn++, answers.length - 1)]].flat().map(address => ({ address, family: net.isIP(address) }));
		setImmediate(() => options.all ? done(null, found) : done(null, found[0].address, found[0].family));
	};
}

export const refusal = error => {
	assert.ok(error instanceof RefusedError || error.code === 'URIVET_REFUSED' || error.cause instanceof RefusedError, String(error.stack));
	return true;
};

// One request by node:http: the text of the answer.
export const viaAgent = (url, options) => new Promise((resolve, reject) => {
	const request = (String(url).startsWith('https:') ? https : http).get(url, options, response => response.toArray().then(all => resolve(Buffer.concat(all).toString()), reject));
	request.on('error', reject).on('timeout', () => request.destroy(new Error('timeout')));
});

// For each client: its answer to a request by a policy, {text, repaired}; the same without the guard, which gets a resolver; and
// whether an error is of the client's own family.
const bodyOf = async stream => Buffer.concat(await stream.toArray()).toString();
export const clients = {
	fetch: {
		guarded(url, by, options) {
			const fetch = createFetch(by, options);
			return fetch(url).then(async response => ({ text: await response.text(), repaired: response.repaired })).finally(fetch.close);
		},
		plain: (url, lookup) => undici.fetch(url, { dispatcher: new undici.Agent({ connect: { lookup } }) }).then(response => response.text()),
		isOwn: error => error instanceof TypeError || error.name === 'TimeoutError',
	},
	axios: {
		guarded: async (url, by, options) => guardAxios(axios, by, options).get(url, { responseType: 'text', maxContentLength: 1e9 }).then(({ data, repaired }) => ({ text: data, repaired })),
		plain: async (url, lookup) => (await axios.get(url, { lookup: (name, options, done) => lookup(name, options, done) })).data,
		isOwn: axios.isAxiosError,
	},
	'axios, stream': {
		guarded: async (url, by, options) => guardAxios(axios, by, options).get(url, { responseType: 'stream' }).then(async ({ data, repaired }) => ({ text: await bodyOf(data), repaired })),
		isOwn: axios.isAxiosError,
	},
	agent: {
		guarded: async (url, by, options) => ({ text: await viaAgent(url, { agent: agents(by, options)[url.slice(0, url.indexOf(':'))] }) }),
		isOwn: error => ['ERR_BODY_TOO_LONG', 'ETIMEDOUT'].includes(error.code),
	},
};
for (const [name, client, Kind] of [['got', got, RequestError], ['got 16', got16, RequestError16]].filter(([, client]) => client)) {
	const isOwn = error => error instanceof Kind && /urivet: .* too (long|much)/.test(error.message), retry = { limit: 0 };
	clients[name] = {
		guarded: async (url, by, options) => guardGot(client, by, options)(url, options?.timeout ? {} : { retry }).then(({ body, repaired }) => ({ text: body, repaired })),
		plain: (url, lookup) => client(url, { dnsLookup: lookup, retry }).text(),
		isOwn,
	};
	clients[`${name}, stream`] = {
		async guarded(url, by, options) {
			let repaired;
			const stream = guardGot(client, by, options).stream(url).on('response', response => { repaired = response.repaired; });
			return { text: await bodyOf(stream), repaired };
		},
		isOwn,
	};
}
