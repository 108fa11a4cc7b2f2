// SPDX-License-Identifier: Apache-2.0
// Express and Fastify before a handler that redirects where a parameter says: the raw target and the raw query are
// judged, each time that a parameter occurs. The control is the same server without the middleware.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import net from 'node:net';
import test from 'node:test';

const require = createRequire(`${process.env.URIVET_PACKAGE}/dist/`);
const middleware = require('./middleware.cjs');

// One request, octet for octet; the status and the body.
const ask = (port, target, fields = 'Host: app.example.com\r\n') => new Promise((resolve, reject) => {
	let all = '';
	const socket = net.connect(port, '127.0.0.1', () => socket.end(`GET ${target} HTTP/1.1\r\n${fields}Connection: close\r\n\r\n`, 'latin1'));
	socket.setEncoding('latin1').on('data', piece => { all += piece; }).on('error', reject).on('close', () => resolve([Number(all.split(' ')[1]), all.split('\r\n\r\n')[1] ?? '']));
});

const options = { params: ['next', 'url', 'user[next]'], scheme: 'https', port: 443 };
const servers = {
	async express(use) {
		const app = require('express')();
		use?.(app, 'express');
		app.get('*', (req, res) => res.send(`${req.path} ${[req.query.next].flat()[0] ?? '-'}`));
		return new Promise(resolve => { const server = app.listen(0, '127.0.0.1', () => resolve({ port: server.address().port, close: () => server.close() })); });
	},
	async fastify(use) {
		const app = require('fastify')();
		use?.(app, 'fastify');
		app.get('*', (req, reply) => reply.send(`${req.url.split('?')[0]} ${[req.query.next].flat()[0] ?? '-'}`));
		await app.listen({ port: 0, host: '127.0.0.1' });
		return { port: app.server.address().port, close: () => app.close() };
	},
};
const use = more => (app, name) => name === 'express' ? app.use(middleware.express({ ...options, ...more })) : app.register(middleware.fastify, { ...options, ...more });

const refused = ['/a?next=http%3A%2F%2F127.0.0.1%2F', '/a?next=https%3A%2F%2Fexample.org%2F&next=http%3A%2F%2F10.0.0.1%2F', '/a?next[]=http%3A%2F%2F127.0.0.1%2F&next=%2Fb', '/s/%2e%2e/x',
	'//evil.example/', '/a%2fb', '/a?next=%2F%2Flocalhost%2F', '/a?url=%zz', '/a?n%65xt=http%3A%2F%2F127.0.0.1%2F',
	'/a?[next]=http%3A%2F%2F127.0.0.1%2F', '/a?%5Bnext%5D[]=http%3A%2F%2F127.0.0.1%2F', '/a?user[next][]=http%3A%2F%2F127.0.0.1%2F', '/a?[user][next]=http%3A%2F%2F127.0.0.1%2F'];
const accepted = ['/a', '/a?next=%2Faccount', '/a?next=https%3A%2F%2Fexample.org%2F', '/a?ids[]=1&q=a|b', '/a?other=http%3A%2F%2F127.0.0.1%2F', '/a?user[other]=http%3A%2F%2F127.0.0.1%2F'];

for (const name of Object.keys(servers)) {
	test(`${name}: enforces`, async () => {
		const server = await servers[name](use()), control = await servers[name]();
		for (const target of refused) {
			assert.equal((await ask(server.port, target))[0], 400, target);
			assert.notEqual((await ask(control.port, target))[0], 400, `control: ${target}`);
		}
		for (const target of accepted)
			assert.equal((await ask(server.port, target))[0], 200, target);
		assert.match((await ask(server.port, refused[0]))[1], /not-allowed/);
		for (const fields of ['Host: a@b\r\n', 'Host: app.example.com\r\nHost: evil.example\r\n', 'Host: app.example.com/x\r\n'])
			assert.equal((await ask(server.port, '/a', fields))[0], 400, fields);
		server.close();
		control.close();
	});
	test(`${name}: observes`, async () => {
		const told = [], server = await servers[name](use({ mode: 'observe', log: what => told.push(what) }));
		for (const target of [...refused, ...accepted])
			assert.notEqual((await ask(server.port, target))[0], 400, target);
		assert.deepEqual(told.map(({ target }) => target), refused);
		assert.ok(told.every(({ findings, reason }) => findings.length > 0 && reason !== 'accepted'));
		server.close();
	});
}

test('options', () => {
	for (const wrong of [{ mode: 'enfroce' }, { policy: 'gatewy' }, { params: [] }, { paramsPolicy: 'x' }])
		assert.throws(() => middleware.express(wrong), RangeError);
	assert.throws(() => middleware.express({ policy: {} }), TypeError);
});
