// SPDX-License-Identifier: Apache-2.0
// What fetches: each attack beside the same program without the guard, which gets the secret. The public server listens to
// 127.0.0.1, which the policy `loopback` of tests/bindings/conformance allows; the secret is at 127.0.0.2, and names lead
// where the test's resolver says.
import assert from 'node:assert/strict';
import dns from 'node:dns';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { inspect } from 'node:util';
import zlib from 'node:zlib';
import {
	HttpAgent, HttpsAgent, Policy, RefusedError, axios, clients, createFetch, dispatcher, got, got16, guardAxios, guardGot, listen, refusal, require, resolver, tables,
	undici, viaAgent,
} from './fixtures.mjs';

const policy = Policy.compiled(Buffer.from(process.env.URIVET_COMPILED, 'hex'), 'loopback'), lenient = require('./policy.cjs').policy({ base: 'any', ports: { http: ['1024-65535'] } }), retry = { limit: 0 };
const ENCODE = { gzip: zlib.gzipSync, deflate: zlib.deflateSync, br: zlib.brotliCompressSync, none: all => all };
const answer = async (req, res) => {
	const { pathname, searchParams } = new URL(req.url, 'http://x'), [, encoding, size] = pathname.slice(1).split('/'), to = searchParams.getAll('to');
	if (encoding in ENCODE)
		return res.writeHead(200, encoding === 'none' ? {} : { 'Content-Encoding': encoding }).end(ENCODE[encoding](Buffer.alloc(Number(size))));
	if (pathname === '/slow')
		return;
	if (pathname === '/drip') { // an octet now and then
		const timer = setInterval(() => res.write('x'), 20);
		return setTimeout(() => { clearInterval(timer); res.end('.'); }, 300);
	}
	if (pathname === '/hop')
		return setTimeout(() => res.writeHead(302, { Location: '/hop' }).end(), 40);
	if (pathname === '/cookies')
		return res.writeHead(200, { 'Set-Cookie': ['a=1', 'b=2'] }).end('cookies');
	if (pathname.startsWith('/echo'))
		return res.end(JSON.stringify({ url: req.url, method: req.method, headers: req.headers, body: Buffer.concat(await req.toArray()).toString('latin1') }));
	if (to.length === 0)
		return res.end('public');
	res.writeHead(Number(searchParams.get('status') ?? 302), to.map(location => ['Location', location]).flat()).end();
};
let connections = 0;
const counting = () => http.createServer((req, res) => res.end('secret')).on('connection', () => connections++);
const socketPath = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'urivet-')), 'secret');
const port = await listen(answer, 0, '127.0.0.1'), secretPort = await listen(counting(), 0, '127.0.0.2');
await listen(counting(), socketPath);
const NOWHERE = ['mailto:a@example.com', 'tel:+1-201-555-0123'], url = `http://127.0.0.1:${port}/`, inside = `http://127.0.0.2:${secretPort}/`;
const redirect = (...locations) => `${url}?${locations.map(to => `to=${encodeURIComponent(to)}`).join('&')}`;
const text = async response => (await response).text(), idsOf = report => report.findings.map(finding => finding.id);

// A guarded call is refused, and connects to no secret.
async function refused(call, message, how = refusal) {
	connections = 0;
	await assert.rejects(async () => call(), how, message);
	assert.equal(connections, 0, 'the secret was connected to');
}
// The same, and without the guard the call gets the secret.
async function refusedAlone(call, plain, message) {
	const got = await plain();
	assert.ok(['secret', 'x,x'].includes(String(got?.data ?? got?.body ?? got)), 'the control does not get there');
	await refused(call, message);
}

for (const name of ['fetch', 'axios', 'got', 'got 16'].filter(each => each in clients)) {
	const { guarded: ask, plain } = clients[name], guarded = async (to, lookup) => (await ask(to, policy, { lookup })).text;
	const both = (what, to, lookup = () => dns.lookup) => test(`${name}: ${what}`, () => refusedAlone(() => guarded(to, lookup()), () => plain(to, lookup())));
	test(`${name}: what is allowed arrives`, async () => {
		for (const [to, lookup] of [[url], [`http://a.good.test:${port}/`, resolver('127.0.0.1')], [redirect('/next')], [redirect(`http://a.good.test:${port}/`), resolver('127.0.0.1')]])
			assert.equal(await guarded(to, lookup), 'public');
	});
	both('an address', inside);
	both('a name that leads inside', `http://a.good.test:${secretPort}/`, () => resolver('127.0.0.2'));
	both('a name with two addresses, one of them inside', `http://a.good.test:${secretPort}/`, () => resolver(['127.0.0.2', '127.0.0.1']));
	both('a redirect to an address', redirect(inside));
	both('a redirect to a name that leads inside', redirect(`http://a.good.test:${secretPort}/`), () => resolver('127.0.0.2'));
	both('a redirect that is read in two ways', redirect(`http:\\\\127.0.0.2:${secretPort}/`));
	test(`${name}: rebinding between two requests`, async () => {
		const turns = resolver('127.0.0.1', '127.0.0.2');
		await guarded(`http://a.good.test:${port}/`, turns);
		await refused(() => guarded(`http://a.good.test:${secretPort}/`, turns));
	});
	test(`${name}: several Location fields, mapped addresses, scopes`, async () => {
		for (const to of [redirect('/a', '/b'), `http://[fe80::1%25lo]:${port}/`, `http://127.0.0.1:${port}\\@127.0.0.2/`])
			await refused(() => guarded(to), to);
		for (const address of ['::ffff:127.0.0.2', 'fe80::1%lo', '::1'])
			await refused(() => guarded(`http://a.good.test:${port}/`, resolver(address)), address);
	});
	test(`${name}: what is wrong with a redirect is reported`, async () => {
		for (const [location, id] of [['http://example.com/a b', 'raw-space'], ['http://example.com/[]', 'forbidden-char'], ['http://example.com/\u00e9', 'non-ascii'], ['/a b', 'raw-space'], ['x[', 'forbidden-char'], ['//exa mple.com/', 'host-forbidden-char']]) {
			const to = redirect(location), error = await guarded(to).catch(e => e.report ? e : e.cause), ids = idsOf(error.report);
			assert.ok(ids.includes(id) && !ids.includes('not-absolute'), `${location}: ${ids}`);
			assert.deepEqual(idsOf(policy.checkRedirect(Buffer.from(location, 'latin1'), { base: to })), ids);
		}
	});
	test(`${name}: a proxy in the environment`, async () => {
		const saved = { ...process.env }, names = ['http_proxy', 'HTTP_PROXY', 'ALL_PROXY'];
		Object.assign(process.env, Object.fromEntries(names.map(key => [key, inside])));
		try {
			assert.equal(await guarded(url), 'public');
			if (name === 'axios')
				assert.equal(await plain(url, dns.lookup), 'secret', 'the control does not get there');
		} finally {
			for (const key of names)
				key in saved ? process.env[key] = saved[key] : delete process.env[key];
		}
	});
	test(`${name}: schemes that are no http`, async () => {
		for (const to of ['file:///etc/passwd', 'data:text/plain,x', 'ftp://127.0.0.1/', 'unix:/run/x:/', 'blob:x', '//127.0.0.1/', '', 'http:/127.0.0.1/', ...NOWHERE.map(each => redirect(each))])
			for (const by of [policy, lenient])
				await refused(() => ask(to, by), to, name === 'axios' ? Error : refusal); // axios refuses some itself
		for (const to of name === 'axios' ? [] : [new URL('http://127.0.0.1/'), undefined, null, {}])
			await refused(() => guarded(to), undefined, TypeError);
	});
}

test('a redirect that cannot be resolved reports what is wrong with it', () => {
	const by = Policy.public, base = 'https://a.example.com/x/y', ask = (location, from = base) => by.checkRedirect(location, { base: from });
	assert.deepEqual(idsOf(by.check('/a b')), ['not-absolute', 'raw-space'], 'the control');
	for (const [location, id, fault, whole] of tables.unresolved)
		for (const given of [location, Buffer.from(location)]) {
			const report = ask(given), found = report.findings.find(finding => finding.id === id);
			assert.deepEqual([report.ok, report.verdict, report.target, report.endpoint, report.publicReason], [false, 'reject', '', null, 'unclear'], location);
			assert.deepEqual([found?.text[0] ?? '', whole ?? String(Buffer.from(report.octetsOf('input')))], [fault, String(Buffer.from(report.octetsOf('input')))], `${location}: ${idsOf(report)}`);
			assert.equal(idsOf(report).includes('not-absolute'), id === 'not-absolute');
		}
	for (const from of ['x', 'mailto:a', 'https://a b/', 'https:/x', '']) // the base is at fault
		assert.deepEqual(idsOf(ask('/a b', from)), ['not-absolute']);
	assert.equal(ask('/a').target, 'https://a.example.com/a');
});

test('fetch: what would lead around the guard', async () => {
	const guarded = createFetch(policy), aside = { dispatcher: new undici.Agent({ connect: { socketPath } }) };
	await refusedAlone(() => guarded(url, aside), () => text(undici.fetch(url, aside)));
	for (const option of ['socketPath', 'connect', 'allowH2', 'interceptors', 'factory', 'dispatcher', 'localAddress'])
		assert.throws(() => createFetch(policy, { [option]: 'x' }), refusal);
	const guard = dispatcher(policy);
	assert.throws(() => guard.compose(() => {}), refusal);
	assert.equal(await (await undici.request(url, { dispatcher: guard })).body.text(), 'public');
	for (const [to, options] of [[inside, {}], [url, { query: { a: 1 } }], [redirect(inside), { maxRedirections: 3 }]])
		await refused(() => undici.request(to, { ...options, dispatcher: guard }));
	const raw = { origin: new URL(url).origin, path: '/a/../b', method: 'GET' }; // undici's functions would make it /b
	await assert.rejects(new Promise((onComplete, onError) => guard.dispatch(raw, { onConnect() {}, onHeaders: () => true, onData: () => true, onComplete, onError })), refusal);
	await guard.close();
	guarded.close();
	const bound = createFetch(policy, { lookup: resolver('127.0.0.1', '127.0.0.2') }); // connections of one host are not those of another
	assert.equal(await text(bound(`http://a.good.test:${port}/`)), 'public');
	await assert.rejects(bound(`http://b.good.test:${port}/`), refusal);
	bound.close();
});

test('fetch: init is read as the platform reads it', async () => {
	const guarded = createFetch(policy), url = redirect('/next');
	class Init { get method() { return 'POST'; } get redirect() { return 'manual'; } }
	for (const init of [Object.create({ redirect: 'error' }), Object.create({ signal: AbortSignal.abort() })]) {
		assert.equal(await text(guarded(url, { ...init })), 'public', 'the control: a copy by spread loses it');
		await assert.rejects(guarded(url, init), error => error.name === 'AbortError' || error instanceof TypeError);
	}
	await assert.rejects(guarded(new Request(url, { signal: AbortSignal.abort() })), { name: 'AbortError' });
	assert.equal((await guarded(url, new Init())).status, 302);
	assert.equal((await (await guarded(`http://127.0.0.1:${port}/echo`, new Init())).json()).method, 'POST');
	for (const init of [Object.create({ dispatcher: new undici.Agent() }), new (class { get dispatcher() { return new undici.Agent(); } })()])
		await assert.rejects(guarded(url, init), refusal);
	for (const init of [7, 'x', () => {}])
		await guarded(url, init).then(answer => answer.text(), error => assert.ok(error instanceof TypeError));
	let reads = 0;
	await assert.rejects(guarded(inside, { get dispatcher() { return reads++ ? new undici.Agent() : undefined; } }), refusal);
	guarded.close();
});

test('options of guards are known, own and of their type', () => {
	for (const options of [...tables.wrongGuards, Object.create({ proxy: 'http://127.0.0.2/' }), new (class { get proxy() { return 'x'; } })()])
		for (const make of [createFetch, dispatcher, (by, more) => guardAxios(axios, by, more), (by, more) => guardGot(got, by, more)])
			assert.throws(() => make(policy, options), refusal, JSON.stringify(options));
	assert.throws(() => createFetch(policy, { connctTimeout: 1 }), /did you mean connectTimeout\?/);
	for (const by of ['pubic', {}, null, 7, new Proxy({}, {})])
		assert.throws(() => createFetch(by), Error);
});

test('fetch: a mock answers in place of the network', async () => {
	const mock = new undici.MockAgent();
	mock.disableNetConnect();
	const pool = mock.get('https://example.com');
	pool.intercept({ path: '/' }).reply(200, 'made up');
	pool.intercept({ path: '/inside' }).reply(302, '', { headers: { location: 'http://10.0.0.1/' } });
	mock.get('http://10.0.0.1').intercept({ path: '/' }).reply(200, 'secret').times(2);
	assert.equal(await text(undici.fetch('http://10.0.0.1/', { dispatcher: mock })), 'secret', 'the control does not get there');
	const guarded = createFetch('public', { mock });
	assert.equal(await text(guarded('https://example.com/')), 'made up');
	for (const url of ['https://example.com/inside', 'http://10.0.0.1/', 'https://example.com/%zz'])
		await assert.rejects(guarded(url), refusal, url);
	assert.throws(() => createFetch('public', { mock: {} }), refusal);
	await mock.close();
});

test('fetch: redirects that undici itself follows', async () => {
	const guard = dispatcher(policy), plain = new undici.Agent();
	const ask = (through, query) => undici.request(`${url}?${query}`, { dispatcher: through, maxRedirections: 3 }).then(response => response.body.text());
	for (const to of ['/next', `${url}?to=/next`])
		assert.equal(await ask(guard, `to=${encodeURIComponent(to)}`), 'public');
	for (const status of [300, 301, 302, 303, 307, 308])
		for (const query of [`to=http%3A%5C%5C127.0.0.1%3A${port}%5C`, 'to=/a&to=/b', `to=http%3A%2F%2Fuser%40127.0.0.1%3A${port}%2F`, 'to=%2F%25zz']) {
			assert.equal(await ask(plain, `status=${status}&${query}`), 'public', 'the control does not get there');
			await assert.rejects(ask(guard, `status=${status}&${query}`), refusal, `${status} ${query}`);
		}
	await guard.close();
	await plain.close();
});

test('axios: what would lead around the guard', async () => {
	const client = guardAxios(axios, policy);
	for (const option of [{ socketPath }, { httpAgent: new http.Agent() }, { proxy: { host: '127.0.0.2', port: secretPort } }, { transport: http }, { lookup: () => {} }, { beforeRedirect: () => {} }])
		await assert.rejects(client.get(url, option), refusal);
	assert.equal((await axios.get(url, { socketPath })).data, 'secret');
	for (const adapter of ['http', 'fetch', async () => ({ data: 'secret' })])
		await refused(() => client.get(inside, { adapter }));
	client.defaults.adapter = 'http'; // mounted later
	client.interceptors.request.use(config => ({ ...config, adapter: 'http' }));
	for (const [to, options] of [[inside], ['/', { baseURL: inside }]])
		await refused(() => client.get(to, options));
	assert.throws(() => client.create({ adapter: 'http' }), refusal);
	const error = await client.get(inside).catch(e => e);
	assert.ok(axios.isAxiosError(error) && error.publicReason === 'not-allowed' && error.report.findings.length > 0);
	assert.equal((await client.post(url, { a: 1 })).data, 'public');
});

test('axios: whoever has the last word', async () => {
	const aside = { adapter: 'http' }, transitional = { legacyInterceptorReqResOrdering: false };
	const ways = [
		(client, options) => { client.interceptors.request.use(config => ({ ...config, ...aside })); return client.get(inside, options); },
		(client, options) => { client.interceptors.request.clear?.(); return client.get(inside, { ...options, ...aside }); },
		(client, options) => { client.interceptors.request.eject(0); return client.get(inside, { ...options, ...aside }); },
		(client, options) => { client.interceptors.request.use(config => Object.assign(config, aside), null, { synchronous: true }); return client.get(inside, options); },
		(client, options) => client.get(inside, { ...options, transformRequest: [function (data) { this.adapter = 'http'; return data; }] }),
	];
	for (const [k, way] of ways.entries())
		for (const options of [{}, { transitional }])
			await refusedAlone(() => way(guardAxios(axios, policy), options), () => way(axios.create(), options), `${k}`);
	const client = guardAxios(axios, policy);
	client.interceptors.request.use(config => ({ ...config, url: `${config.url}?to=/next` }));
	assert.equal((await client.post(url, { a: 1 }, { transitional })).data, 'public');
	assert.throws(() => { client.interceptors.request = new axios.Axios({}).interceptors.request; }, TypeError);
});

test('axios: what it does without the guard it does with it', async () => {
	const url = `http://127.0.0.1:${port}`, guarded = guardAxios(axios, policy), codes = [];
	for (const client of [guarded, axios]) {
		const form = new FormData();
		form.append('name', 'value');
		form.append('file', new Blob(['content']), 'a.txt');
		const { data } = await client.postForm(`${url}/echo`, form);
		assert.match(data.headers['content-type'], /^multipart\/form-data; boundary=/);
		assert.match(data.body, /name="file"; filename="a.txt"[^]*content/);
		assert.deepEqual((await client.get(`${url}/cookies`)).headers['set-cookie'], ['a=1', 'b=2']);
		const codeOf = (options, path = '/slow', body = undefined) => client.request({ url: url + path, method: 'post', data: body, ...options }).then(() => 'done', error => [error.code, axios.isAxiosError(error)]);
		codes.push([
			await codeOf({ timeout: 50 }), await codeOf({ timeout: 50, transitional: { clarifyTimeoutError: true } }), await codeOf({ signal: AbortSignal.timeout(50) }),
			await codeOf({ maxBodyLength: 10 }, '/echo', 'x'.repeat(100)), await codeOf({ maxContentLength: 10 }, '/echo', 'x'.repeat(100)),
			await codeOf({}, '/?to=/a&status=302', ''), await codeOf({ maxRedirects: 0 }, '/?to=/a&status=302', ''),
		]);
		const error = await client.get(url, { params: { a: new Date(NaN) } }).catch(e => e); // has no text
		assert.deepEqual([axios.isAxiosError(error), error.code, error.url, error.exists, error.config.url], [true, 'ERR_BAD_REQUEST', url, true, url]);
		assert.equal((await client.get('/echo', { baseURL: url, params: { a: [1, 2] } })).data.url.replaceAll('%5B%5D', '[]'), '/echo?a[]=1&a[]=2');
		assert.equal((await client.get(`${url}/echo`, { auth: { username: 'a', password: 'b' } })).data.headers.authorization, 'Basic YTpi');
		assert.equal(String(Buffer.concat(await (await client.get(url, { responseType: 'stream' })).data.toArray())), 'public');
		const controller = new AbortController(), listeners = [];
		for (const name of ['addEventListener', 'removeEventListener'])
			controller.signal[name] = (...given) => { listeners.push(name); return EventTarget.prototype[name].call(controller.signal, ...given); };
		await client.get(url, { signal: controller.signal });
		assert.equal(listeners.filter(name => name[0] === 'a').length, listeners.filter(name => name[0] === 'r').length);
	}
	assert.deepEqual(codes[0], codes[1]);
	assert.deepEqual(codes[0].slice(0, 3).map(([code]) => code), ['ECONNABORTED', 'ETIMEDOUT', 'ERR_CANCELED']);
	const { data } = await guardAxios(axios, policy, { lookup: resolver('127.0.0.1') }).get(`${url}/?to=http%3A%2F%2Fa.good.test%3A${port}%2Fecho`, { headers: { Authorization: 'x', Cookie: 'y', 'X-Api-Key': 'z' }, sensitiveHeaders: ['X-Api-Key'] });
	assert.deepEqual(['authorization', 'cookie', 'x-api-key'].filter(name => name in data.headers), []);
});

test('axios: an adapter that is an accessor', async () => {
	for (const configurable of [true, false]) {
		const transformRequest = function (data) {
			Object.defineProperty(this, 'adapter', { get: () => 'http', set() {}, configurable });
			return data;
		};
		assert.equal((await axios.get(inside, { transformRequest })).data, 'secret', 'the control does not get there');
		await refused(() => guardAxios(axios, policy).get(inside, { transformRequest: [transformRequest] }), undefined, Error);
	}
});

test('agents: for whatever takes one', async () => {
	const agent = new HttpAgent(policy, { lookup: resolver('127.0.0.1', '127.0.0.2') }), plain = new http.Agent();
	for (const [to, options, wanted] of [[url, { agent }, 'public'], [url, { agent: new HttpAgent(lenient) }, 'public'], [redirect('/next'), { agent }, ''], [inside, { agent: plain }, 'secret'], [url, { agent: plain, socketPath }, 'secret']]) // no agent follows redirects
		assert.equal(await viaAgent(to, options), wanted);
	for (const [to, options] of [[inside, {}], [redirect(inside), {}], [url, { socketPath }], [url, { socketPath, path: '/' }], [url, { path: inside }], [url, { hostname: '127.0.0.2', port: secretPort }],
		[url, { lookup: resolver('127.0.0.2') }], [url, { method: 'CONNECT' }], [`${url}a%2Fb`, {}], [`http://localhost:${port}/`, {}]])
		await refused(() => viaAgent(to, { ...options, agent }), `${to} ${JSON.stringify(options)}`);
	assert.equal(await viaAgent(`http://a.good.test:${port}/`, { agent }), 'public');
	await refused(() => viaAgent(`http://b.good.test:${secretPort}/`, { agent })); // it is bound again
	for (const to of NOWHERE) // though the policy accepts them
		await refused(() => viaAgent(redirect(to), { agent: new HttpAgent(lenient) }), to);
	assert.throws(() => new HttpsAgent(policy, { maxSocket: 1 }), /did you mean maxSockets/);
	const error = await viaAgent(inside, { agent }).catch(e => e);
	assert.ok(error instanceof RefusedError && error.publicReason === 'not-allowed');
	agent.destroy();
	plain.destroy();
});

test('agent: the text of each refusal', async () => {
	const ask = (to, options, more) => viaAgent(to, { agent: new HttpAgent(policy, { keepAlive: false, ...more }), ...options }).catch(error => error.message), body = size => `${url}x/none/${size}`;
	for (const [name, value] of [['createConnection', () => {}], ['fd', 9], ['fd', 0], ['handle', {}], ['h2session', {}], ['lookup', () => {}], ['socket', {}], ['socketPath', 'x']])
		assert.equal(await ask(url, { [name]: value }), `urivet: refused: the option ${name}: it could lead around the guard`);
	for (const [to, options, text, more] of [[url, { method: 'CONNECT' }, 'a request that is more than its URL'], [url, { path: 'x' }, 'a request that is more than its URL'], [url, { headers: ['Host', '10.0.0.1'] }, 'a request that is more than its URL'], [url, { headers: [['Host', 'a']] }, 'a request that is more than its URL'], [inside, {}, 'the URL (addr-not-global, addr-loopback)'], [`${url}a%2Fb`, {}, 'the URL (escaped-slash)'], [`${inside}a//b`, {}, 'the URL (addr-not-global, addr-loopback)'],
		[redirect('/a', '/b'), {}, 'several Location fields'], [redirect(inside), {}, 'the Location field (addr-not-global, addr-loopback)'], [`http://a.good.test:${port}/`, {}, 'the address (addr-not-global, addr-loopback)', { lookup: resolver('127.0.0.2') }],
		[`http://a.good.test:${port}/`, {}, 'a name without addresses', { lookup: resolver([]) }], ...['b.test', '127.0.0.1', `127.0.0.1:${port + 1}`].map(Host => [url, { headers: { Host } }, 'a Host field that is not of the URL'])])
		assert.equal(await ask(to, options, more), `urivet: refused: ${text}`, `${to} ${JSON.stringify(options)}: ${text}`);
	for (const Host of [`127.0.0.1:${port}`, `127.0.0.1.:${port}`])
		assert.equal(await ask(url, { headers: { Host } }), 'public');
	assert.equal(await ask(url, { socketPath: null, lookup: undefined, socket: '', createConnection: false }), 'public'); // as clients write none
	for (const status of [300, 304, 307, 399])
		assert.match(await ask(`${redirect(inside)}&status=${status}`), /the Location field/);
	for (const status of [200, 400])
		assert.equal(await ask(`${redirect(inside)}&status=${status}`), '');
	for (const [size, most, text] of [[1000, 1000, '\0'.repeat(1000)], [1001, 1000, 'urivet: the body is too long'], [1, 0, 'urivet: the body is too long'], [0, 0, '']])
		assert.equal(await ask(body(size), {}, { maxResponseSize: most }), text);
	assert.equal(await ask(`${url}slow`, {}, { timeout: 50 }), 'urivet: the request took too long');
});

test('got: what it does without the guard it does with it', async () => {
	const guarded = guardGot(got, policy), store = new Map();
	for (const client of [guarded, got]) {
		const extended = client.extend({ prefixUrl: `${url}echo` });
		for (const [answer, name, wanted] of [[client.extend({ prefixUrl: url }).get('echo?a'), 'url', '/echo?a'], [client.post('echo', { prefixUrl: new URL(url), json: { a: 1 } }), 'body', '{"a":1}'],
			[client({ url: `${url}echo`, searchParams: { q: 'x' } }), 'url', '/echo?q=x'], [extended({ method: 'POST' }), 'method', 'POST'], [extended({ url: 'a' }, { prefixUrl: `${url}echo/b` }), 'url', '/echo/b/a'], [client({ url: 'a', prefixUrl: 'http://127.0.0.9/' }, { prefixUrl: `${url}echo/b` }), 'url', '/echo/b/a']])
			assert.equal((await answer.json())[name], wanted); // extended({...}): no URL, the prefix alone
		assert.equal((await client.extend({ headers: { 'x-a': 'b' } })(`${url}echo`).json()).headers['x-a'], 'b');
		assert.equal(await client.get(url, { cache: store }).text(), 'public');
		const pages = await client.paginate.all(`${url}echo?1`, { pagination: { transform: ({ body }) => [JSON.parse(body).url], paginate: ({ currentItems }) => currentItems[0].endsWith('3') ? false : { url: new URL(`${url}echo?${Number(currentItems[0].at(-1)) + 1}`) } } });
		assert.deepEqual(pages, ['/echo?1', '/echo?2', '/echo?3']);
		const counts = [];
		const paginate = ({ response: { request: { options } } }) => counts.push(options.hooks.beforeRequest.length) < 5 && options;
		assert.equal((await client.paginate.all(url, { pagination: { transform: () => ['x'], paginate } })).length, 5);
		assert.equal(new Set(counts).size, 1, `hooks pile up: ${counts}`);
		assert.equal((await client.stream.get(url).toArray()).join(''), 'public');
	}
	const turns = { pagination: { transform: () => ['x'], paginate: () => ({ url: new URL(inside) }) } };
	const around = (settings, next) => next(Object.assign(settings, { request: http.request, url: new URL(inside), hooks: { ...settings.hooks, beforeRequest: [] } }));
	const attacks = client => [() => client.extend({ handlers: [around] })(url, { retry }).text(), () => client.extend({ prefixUrl: inside })('x', { retry }).text(),
		() => client.extend().extend({ request: http.request })(inside, { retry }).text(), () => client.paginate.all(url, { ...turns, pagination: { ...turns.pagination, requestLimit: 2 } }),
		() => client({ url: inside, retry }).text(), () => client({ prefixUrl: inside, retry }).text(), () => client({ url: 'x', retry }, { prefixUrl: inside }).text(), () => client(inside, { cache: new Map(), retry }).text(), () => client('x', { prefixUrl: inside, retry }).text()];
	for (const [k, attack] of attacks(guarded).entries())
		await refusedAlone(attack, attacks(got)[k], `${k}`);
	assert.equal((await guarded(`http://a.good.test:${secretPort}/`, { retry }).catch(e => e)).code, 'ENOTFOUND');
	const error = await guardGot(got, policy, { lookup: resolver('127.0.0.2') })(`http://a.good.test:${secretPort}/`, { retry }).catch(e => e);
	assert.deepEqual([error.name, error.publicReason, error.code, error.report.ok], ['RequestError', 'not-allowed', 'URIVET_REFUSED', false]);
});

test('got 16 and its cache', { skip: got16 ? false : 'got 16 needs a newer Node' }, async () => assert.equal(await guardGot(got16, policy).get(url, { cache: new Map() }).text(), 'public'));

test('got: redirects of other statuses, and hooks that add hooks', async () => {
	const client = guardGot(got, policy);
	for (const to of [`${url}?status=300&to=http%3A%5C%5C127.0.0.1%3A${port}%5C`, `${url}?status=300&to=/a&to=/b`]) {
		assert.equal(await got(to, { retry }).text(), 'public', 'the control does not get there');
		await assert.rejects(client(to, { retry }).text(), refusal);
	}
	const aside = settings => { settings.url = new URL(inside); settings.request = http.request; };
	for (const hooks of [
		{ beforeRequest: [settings => { settings.hooks.beforeRequest.push(aside); }] },
		{ afterResponse: [(response, again) => response.body === 'public' ? again({ hooks: { beforeRequest: [aside] } }) : response] },
	])
		await refusedAlone(() => client(url, { retry, hooks }).text(), () => got(url, { retry, hooks }).text());
});

test('got: what would lead around the guard', async () => {
	const client = guardGot(got, policy);
	connections = 0;
	for (const options of [{ agent: { http: new http.Agent() } }, { createConnection: () => net.connect(socketPath) }, { request: http.request }, { hooks: { beforeRequest: [settings => { settings.url = new URL(inside); }] } }, { enableUnixSockets: true, hooks: { beforeRequest: [settings => { settings.url = new URL(`unix:${socketPath}:/`); }] } }])
		await client(url, { ...options, retry }).text().then(body => assert.equal(body, 'public'), () => {});
	assert.equal(connections, 0);
	assert.equal(await got(`unix:${socketPath}:/`, { retry }).text(), 'secret');
});

for (const [name, { guarded, isOwn }] of Object.entries(clients)) {
	const own = error => (isOwn(error) && !/redirect/i.test(`${error.message} ${error.cause?.message}`)) || assert.fail(`${name}: ${inspect(error)}`), sizeOf = async (path, options) => (await guarded(url + path, policy, options)).text.length;
	test(`${name}: bodies end in an error after so many octets`, async () => {
		const most = 100000, limit = { maxResponseSize: most };
		for (const encoding of name === 'agent' ? ['none'] : ['none', 'gzip', 'deflate', 'br']) {
			for (const [size, options] of [[most, limit], [0, limit], [50 * most, {}]])
				assert.equal(await sizeOf(`size/${encoding}/${size}`, options), size, encoding);
			for (const size of [most + 1, 50 * most])
				await assert.rejects(sizeOf(`size/${encoding}/${size}`, limit), own, encoding);
		}
	});
	test(`${name}: requests end in an error after so much time`, { timeout: 20000 }, async () => {
		const begin = Date.now(), limit = { timeout: 150 };
		for (const path of ['slow', 'drip', ...name === 'agent' ? [] : ['hop']])
			await assert.rejects(sizeOf(path, limit), own, path);
		assert.ok(Date.now() - begin < 1500, `${Date.now() - begin} ms: tried again`);
		assert.equal(await sizeOf('', limit), 6);
		assert.ok(await sizeOf('drip') > 5, 'the control has no limit');
	});
	if (name !== 'agent') test(`${name}: what is refused for its spelling alone is repaired on demand, and nothing else`, async () => {
		const ask = (to, options) => guarded(to, policy, options), bare = url.slice(0, -1);
		for (const [from, to] of [['?x=1', '/?x=1'], ['/echo?ids[]=1', '/echo?ids%5B%5D=1'], ['/echo/\u00fc', '/echo/%C3%BC']]) {
			await refused(() => ask(bare + from), 'the control');
			assert.deepEqual((await ask(bare + from, { repair: true })).repaired, { from: bare + from, to: bare + to });
		}
		assert.equal((await ask(url, { repair: true })).repaired, null);
		for (const bad of [`${inside.slice(0, -1)}?x=1`, `http://a@127.0.0.1:${port}?x=1`, `${url}a%2Fb`, redirect(`${bare}?x=1`), redirect('/a[]')])
			await refused(() => ask(bad, { repair: true }), bad);
		await refused(() => ask(url, { repair: 1 }));
	});
}

test('repaired spellings', async () => {
	const { data, repaired } = await guardAxios(axios, policy, { repair: true }).get('/echo?b[]=1', { baseURL: url, params: { a: 2 } });
	assert.deepEqual([data.url, repaired.to], ['/echo?b%5B%5D=1&a=2', `${url}echo?b%5B%5D=1&a=2`]);
	assert.equal((await guardGot(got, policy, { repair: true }).get({ url: 'echo?c[]', prefixUrl: url }).json()).url, '/echo?c%5B%5D'); // of got 12 alone
	for (const make of [dispatcher, (by, options) => new HttpAgent(by, options)]) // they see a URL after its parser
		assert.throws(() => make(policy, { repair: true }), refusal);
	for (const [text, to] of [['https://example.com?x=1', 'https://example.com/?x=1'], ['https://example.com/', null], ['http://10.0.0.1?x=1', null], ['https://example.com\\@b.example/', null], ['\ud800', null]]) {
		const report = Policy.public.repair(text);
		assert.deepEqual([report.ok, report.repaired], [to !== null || text.endsWith('.com/'), to && { from: text, to }]);
		assert.ok(to === null || Policy.public.ok(to) && !Policy.public.ok(text));
	}
});

test('refusals have no secrets for logs, and are not tried again', async () => {
	const url = 'http://user:hunter2@10.0.0.1/s3cret?token=s3cret', client = guardAxios(axios);
	let tries = 0;
	require('axios-retry').default(client, { retries: 3, retryCondition: () => true, onRetry: () => { tries++; } });
	for (const [name, ask] of Object.entries({ fetch: createFetch(), axios: to => client.get(to), got: async to => guardGot(got)(to), 'got, inside': async () => guardGot(got, 'public', { lookup: resolver('10.0.0.1') })('http://h.example.com/s3cret?token=s3cret', { retry }) })) {
		const error = await ask(url).catch(each => each);
		for (let each = error; each; each = each.cause)
			for (const written of [JSON.stringify(each), JSON.stringify(Object.entries(each)), inspect(each, { depth: 9 }), String(each), each.stack])
				assert.ok(!/hunter2|s3cret/.test(written), `${name}: ${written}`);
		assert.equal(error.report.ok, false, name);
	}
	assert.equal(tries, 0);
});

test('a Host field of another host, and an answer of 101', async () => {
	const headers = { Host: 'evil.test' }, guard = dispatcher(policy), fetch = createFetch(policy);
	const upgrading = http.createServer().on('connection', socket => socket.once('data', () => socket.end('HTTP/1.1 101 x\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n')));
	const to = `http://127.0.0.1:${await listen(upgrading, 0, '127.0.0.1')}/`;
	for (const ask of [(at, more) => fetch(at, more), (at, more) => undici.request(at, { dispatcher: guard, ...more }), (at, more) => guardAxios(axios, policy).get(at, more), async (at, more) => guardGot(got, policy)(at, { retry, ...more })]) {
		await assert.rejects(ask(url, { headers }), refusal);
		await ask(url, { headers: { Host: `127.0.0.1:${port}` } });
		await assert.rejects(ask(to));
	}
	await guard.close();
	fetch.close();
});

test('agent: an answer of 101, asked for or not', async () => {
	const upgrading = http.createServer().on('connection', socket => socket.once('data', () => socket.end('HTTP/1.1 101 x\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n')));
	const to = `http://127.0.0.1:${await listen(upgrading, 0, '127.0.0.1')}/`;
	for (const headers of [{}, { connection: 'Upgrade', upgrade: 'x' }])
		await assert.rejects(viaAgent(to, { agent: new HttpAgent(policy), headers }), { message: 'urivet: refused: an upgrade to another protocol' });
});

test('mocks of nock and msw: a redirect inside is refused as in reality', { skip: got16 ? false : 'msw needs a newer Node' }, async () => {
	const nock = require('nock'), { setupServer } = require('msw/node'), { HttpResponse, http: handle } = require('msw');
	const inside = 'http://127.0.0.1/', outside = 'http://www.example.com/', url = `${outside}a`, clients = { axios: [axios.get, guardAxios(axios).get], got: [got, guardGot(got)] };
	for (const [name, [plain, client]] of Object.entries(clients))
		for (const [isPlain, bad] of [[true, inside], [false, inside], [false, `${outside}b?%00`]]) {
			nock(outside).get('/a').reply(302, '', { Location: bad }).get('/b?%00').reply(200, 'secret');
			nock(inside).get('/').reply(200, 'secret');
			if (isPlain)
				assert.equal(String((await plain(url)).data ?? (await plain(inside).catch(() => ({ body: 'secret' }))).body), 'secret', 'the control does not get there');
			else
				await assert.rejects(async () => client(url), refusal, name);
			nock.cleanAll();
		}
	nock.restore();
	const server = setupServer(handle.get(url, () => new HttpResponse(null, { status: 302, headers: { Location: inside } })), handle.get(inside, () => new HttpResponse('secret')));
	server.listen();
	assert.equal((await axios.get(url)).data, 'secret', 'the control does not get there');
	for (const [, client] of Object.values(clients))
		await assert.rejects(async () => client(url), refusal);
	server.close();
});

test('objects for URLs, and instances of instances', async () => {
	const fetch = createFetch(policy), to = `${url}echo`;
	for (const given of [new URL(to), new Request(to), new undici.Request(to, { method: 'POST', body: 'x' })])
		assert.equal((await (await fetch(given)).json()).body, given.method === 'POST' ? 'x' : '');
	for (const given of [new URL(inside), new Request(inside)])
		await assert.rejects(fetch(given), refusal);
	const client = guardAxios(axios, policy).create({ headers: { 'x-a': 'b' } });
	assert.equal((await client.get(to)).data.headers['x-a'], 'b');
	await assert.rejects(client.create().get(inside), refusal);
	fetch.close();
});
