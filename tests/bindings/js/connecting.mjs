// SPDX-License-Identifier: Apache-2.0
// Connecting takes as long as by the same client without the guard: addresses where nothing answers beside those that do,
// time limits, resolvers that never answer. A stopped process whose queue is full is where nothing answers.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import test, { after } from 'node:test';
import { Policy, agents, axios, clients, createFetch, got, guardAxios, guardGot, listen, resolver, undici, viaAgent } from './fixtures.mjs';

const policy = Policy.compiled(Buffer.from(process.env.URIVET_LOCAL, 'hex'), 'local');
const silent = [], fillers = [];

// Stops a process that listens, and fills its queue: connections to it are neither made nor refused.
async function listenSilently(address, at) {
	const program = `require('node:net').createServer().listen({ port: ${at}, host: '${address}', backlog: 1 }, function () { console.log(this.address().port); })`;
	const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
	silent.push(child);
	const [line] = await once(child.stdout, 'data');
	child.kill('SIGSTOP');
	for (let k = 0; k < 8; k++)
		fillers.push(net.connect(Number(line), address).on('error', () => {}));
	await new Promise(resolve => { setTimeout(resolve, 200); });
	return Number(line);
}

const port = await listenSilently('127.0.0.1', 0);
await listenSilently('::1', port);
await listen((req, res) => res.end('here'), port, '127.0.0.2');
after(() => {
	for (const each of fillers)
		each.destroy();
	for (const child of silent)
		child.kill('SIGKILL');
});

// What each client says of one request with a limit of a second, guarded and as it is.
const limit = 1000, url = `http://a.good.test:${port}/`, more = { retry: { limit: 0 } };
const plainAgent = lookup => new http.Agent({ lookup });
const ofFetch = (options, signal = () => undefined) => ({
	guarded: async lookup => (await createFetch(policy, { lookup, ...options })(url, { signal: signal() })).text(),
	plain: async lookup => (await undici.fetch(url, { signal: signal(), dispatcher: new undici.Agent({ connect: { lookup, timeout: options.connectTimeout } }) })).text(),
});
const ofGot = timeout => ({
	guarded: lookup => guardGot(got, policy, { lookup })(url, { ...more, timeout }).text(),
	plain: lookup => got(url, { ...more, agent: { http: plainAgent(lookup) }, timeout }).text(),
});
const timedClients = {
	'fetch, AbortSignal': ofFetch({}, () => AbortSignal.timeout(limit)),
	'fetch, connectTimeout': ofFetch({ connectTimeout: limit }),
	axios: {
		guarded: async lookup => (await guardAxios(axios, policy, { lookup }).get(url, { timeout: limit })).data,
		plain: async lookup => (await axios.get(url, { timeout: limit, httpAgent: plainAgent(lookup) })).data,
	},
	'got, request': ofGot({ request: limit }),
	'got, connect and lookup': ofGot({ connect: limit, lookup: limit }),
	'http.get': {
		guarded: lookup => viaAgent(url, { agent: agents(policy, { lookup }).http, timeout: limit }),
		plain: lookup => viaAgent(url, { agent: plainAgent(lookup), timeout: limit }),
	},
};
// Node 18 tries the first address alone.
const second = net.getDefaultAutoSelectFamily?.() ? 'here' : null;
const cases = {
	'an address': ['here', resolver(['127.0.0.2'])],
	'a dead address before': [second, resolver(['127.0.0.1', '127.0.0.2'])],
	'a dead IPv6 address before': [second, resolver(['::1', '127.0.0.2'])],
	'a dead address after': ['here', resolver(['127.0.0.2', '127.0.0.1'])],
	'twenty dead addresses': [null, resolver(Array.from({ length: 20 }, (_, k) => k % 2 === 0 ? '::1' : '127.0.0.1'))],
	'a resolver that never answers': [null, () => {}],
};

async function timed(call) {
	const start = performance.now();
	const answer = await call().catch(() => null);
	return { answer, took: performance.now() - start };
}

for (const [name, { guarded, plain }] of Object.entries(timedClients))
	for (const [what, [wanted, lookup]] of Object.entries(cases))
		test(`${name}: ${what}`, { timeout: 20000 }, async t => {
			const [own, control] = await Promise.all([timed(() => guarded(lookup)), timed(() => plain(lookup))]);
			const times = `${Math.round(own.took)} ms, ${Math.round(control.took)} without the guard`;
			assert.deepEqual([own.answer, control.answer], [wanted, wanted]);
			assert.ok(own.took < 1.2 * control.took + 400, times);
			t.diagnostic(times);
		});

test('TLS: the certificate is that of the name, whatever it leads to', { timeout: 20000 }, async t => {
	const folder = mkdtempSync(path.join(os.tmpdir(), 'urivet-')), at = name => path.join(folder, name);
	t.after(() => rmSync(folder, { recursive: true }));
	const { status } = spawnSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=x', '-addext', 'subjectAltName=DNS:tls.good.test', '-keyout', at('key'), '-out', at('crt')]);
	if (status !== 0)
		return t.skip('needs openssl');
	const ca = readFileSync(at('crt'), 'utf8'), lookup = resolver(['127.0.0.2']);
	const port = await listen(https.createServer({ key: readFileSync(at('key')), cert: ca }, (req, res) => res.end('here')), 0, '127.0.0.2');
	for (const name of ['fetch', 'axios', 'got', 'agent']) {
		const ask = async (host, more) => (await clients[name].guarded(`https://${host}.good.test:${port}/`, policy, { lookup, ...more })).text;
		assert.equal(await ask('tls', { ca }), 'here', name);
		await assert.rejects(ask('other', { ca }), error => /ALTNAME/.test(error.code ?? error.cause?.code), name);
		await assert.rejects(ask('tls', {}), error => /SELF_SIGNED|VERIFY/.test(error.code ?? error.cause?.code), name);
	}
});
