// SPDX-License-Identifier: Apache-2.0
// Express and Fastify before a handler that redirects where a parameter says: the raw target and the raw query are
// judged, each time that a parameter occurs. The control is the same server without the middleware.
import assert from 'node:assert/strict';
import net from 'node:net';
import test, { after } from 'node:test';
import { alone, listen, require, tables } from './fixtures.mjs';

const middleware = require('./middleware.cjs');

// One request, octet for octet; the status and the body.
const ask = (port, target, fields = 'Host: app.example.com\r\n') => new Promise((resolve, reject) => {
	let all = '';
	const socket = net.connect(port, '127.0.0.1', () => socket.end(`GET ${target} HTTP/1.1\r\n${fields}Connection: close\r\n\r\n`, 'latin1'));
	socket.setEncoding('latin1').on('data', piece => { all += piece; }).on('error', reject).on('close', () => resolve([Number(all.split(' ')[1]), all.split('\r\n\r\n')[1] ?? '']));
});

const options = { params: ['next', 'url', 'user[next]'], scheme: 'https', port: 443 };
// The port of a server with some uses of the middleware.
async function serve(name, ...uses) {
	const [guard = (req, res, next) => next()] = name === 'node' ? uses.map(each => each(null, name)) : [];
	if (name === 'node') // what of Express the middleware needs, without it
		return listen((req, res) => guard(req, res, () => res.end('x')), 0, '127.0.0.1');
	const app = require(name)();
	for (const use of uses)
		use(app, name);
	app.get('*', (req, res) => res.send('x'));
	if (name === 'express')
		return listen(app, 0, '127.0.0.1');
	await app.listen({ port: 0, host: '127.0.0.1' });
	after(() => app.close());
	return app.server.address().port;
}
const use = more => (app, name) => name === 'node' ? middleware.express({ ...options, ...more }) : name === 'express' ? app.use(middleware.express({ ...options, ...more })) : app.register(middleware.fastify, { ...options, ...more });

const { refused, accepted } = tables.targets;

for (const name of ['node', 'express', 'fastify']) {
	const where = name === 'node' ? {} : alone;
	test(`${name}: enforces`, where, async () => {
		const port = await serve(name, use()), control = await serve(name);
		for (const target of refused) {
			assert.equal((await ask(port, target))[0], 400, target);
			assert.notEqual((await ask(control, target))[0], 400, `control: ${target}`);
		}
		for (const target of accepted)
			assert.equal((await ask(port, target))[0], 200, target);
		assert.match((await ask(port, refused[0]))[1], /not-allowed/);
		for (const fields of ['Host: a@b\r\n', 'Host: app.example.com\r\nHost: evil.example\r\n', 'Host: app.example.com/x\r\n'])
			assert.equal((await ask(port, '/a', fields))[0], 400, fields);
	});
	test(`${name}: observes`, where, async () => {
		const told = [], port = await serve(name, use({ mode: 'observe', log: what => told.push(what) }));
		for (const target of [...refused, ...accepted])
			assert.notEqual((await ask(port, target))[0], 400, target);
		assert.deepEqual(told.map(({ target }) => target), refused.map(target => target.replace(/\?.*/, '?\u2026')));
		assert.ok(told.every(({ report }) => report.ok === false) && !JSON.stringify(told).includes('127'));
		assert.ok(told.every(({ findings, reason }) => findings.length > 0 && reason !== 'accepted'));
	});
}

// What one middleware answers to targets, without a server: the findings of those that are refused.
function refusedBy(options, rawHeaders = ['Host', 'app.example.com'], more = {}) {
	let told = [];
	const guard = middleware.express({ scheme: 'https', port: 443, log: ({ findings }) => { told = findings; }, ...options });
	return target => {
		told = [];
		const req = { method: 'GET', originalUrl: target, url: '/below', rawHeaders, httpVersionMajor: 1, ...more }; // mounted
		guard(req, { setHeader() {}, end() {} }, () => {});
		return told.join();
	};
}

test('options are known, own and of their type', () => {
	const wrong = [...tables.wrongOptions, { port: NaN }, { params: new Map([['next', {}]]) }, { params: Object.create({ next: {} }) }, { [Symbol('x')]: 1 }, Object.create({ params: 'next' }), new (class { get params() { return 'next'; } })(), () => {}];
	for (const options of wrong)
		assert.throws(() => middleware.express(options), /^(Type|Range)Error: urivet: /, JSON.stringify(options));
	for (const [name, meant] of [['param', 'params'], ['sameorigin', 'sameOrigin']])
		assert.throws(() => middleware.express({ [name]: true }), { message: new RegExp(`did you mean ${meant}\\?`) });
	const thrown = new Error('of the proxy'), proxy = new Proxy({}, { ownKeys() { throw thrown; } });
	assert.throws(() => middleware.express(proxy), thrown);
	Object.prototype.port = 1;
	try {
		assert.equal(refusedBy({})('/a'), '');
	} finally {
		delete Object.prototype.port;
	}
});

test('parameters, ports and Host fields', () => {
	for (const { what, options, target, found, headers, version = 1 } of tables.middleware)
		assert.equal(refusedBy(options, headers, { httpVersionMajor: version })(target), found, `${what}: ${target}`);
	assert.equal(refusedBy({ scheme: 'http', port: undefined }, ['Host', 'localhost:3000'])('/a'), 'port-nondefault', 'the control');
	assert.equal(new URLSearchParams('?next=x').get('next'), 'x', 'the control of the second question mark');
	const params = { next: { sameOrigin: true }, url: { policy: 'strict' } };
	const req = { method: 'GET', originalUrl: '/a?next=https%3A%2F%2Fexample.org%2F&url=http%3A%2F%2F127.0.0.1%2F&x=1', rawHeaders: ['Host', 'app.example.com'] };
	middleware.express({ params, scheme: 'https', port: 443 })(req, { setHeader() {}, end() {} }, () => {});
	assert.deepEqual(req.urivet.parameters.map(({ name, result }) => [name, result]), [['next', 'refused'], ['url', 'accepted'], ['x', 'not-asked']]);
	for (const [params, [originalUrl, Host], places] of [[undefined, ['/\u00c3\u00a9', 'a.example'], [[1, 3]]], ['next', ['/a?next=%zz\u00e9', 'a.example'], [[8, 11], [11, 12]]], [undefined, ['/', '\u00c3\u00a9.example'], [[0, 2]]]]) {
		const read = { method: 'GET', originalUrl, rawHeaders: ['Host', Host] }; // as octets
		middleware.express({ params })(read, { setHeader() {}, end() {} }, () => {});
		assert.deepEqual(read.urivet.findings.map(({ start, end }) => [start, end]), places, originalUrl);
	}
});

test('observe warns where no log is given', async () => {
	const said = [], { warn } = console, quiet = { log: undefined };
	console.warn = text => said.push(text);
	try {
		refusedBy({ ...quiet, mode: 'observe' })('/a%2fb');
		refusedBy(quiet)('/a%2fb');
	} finally {
		console.warn = warn;
	}
	assert.deepEqual(said, ['urivet: would refuse "/a%2fb": escaped-slash']);
});

test('fastify: twice', alone, async () => {
	const port = await serve('fastify', use({ params: 'next' }), use({ params: 'url' }));
	for (const [name, status] of [['next', 400], ['url', 400], ['other', 200]])
		assert.equal((await ask(port, `/a?${name}=http%3A%2F%2F127.0.0.1%2F`))[0], status);
});
