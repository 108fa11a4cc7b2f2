// SPDX-License-Identifier: Apache-2.0
// The programs of src/bindings/js/README.md: each block that exports something is run as a module beside the installed package.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import test, { after } from 'node:test';
import { clients, listen, refusal, undici } from './fixtures.mjs';

const page = readFileSync(new URL('../../../src/bindings/js/README.md', import.meta.url), 'utf8');
const folder = new URL('../../../build/js/pages/', import.meta.url);
mkdirSync(folder, { recursive: true });
after(() => rmSync(folder, { recursive: true }));
const programs = [...page.matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code).filter(code => code.includes('\nexport '));
const [links, { shown }, { render }, webhooks, { loopback }] = await Promise.all(programs.map((code, k) => {
	const file = new URL(`${k}.mjs`, folder);
	writeFileSync(file, code);
	return import(file);
}));

test('the programs of the page', async () => {
	assert.equal(programs.length, 5);
	const registered = ['https://app.example.com/callback'];
	for (const uri of [registered[0], 'https://app.example.com/callback/', 'HTTPS://app.example.com/callback', 'https://app.example.com\\@evil.example/callback', ''])
		assert.equal(links.mayRedirect(uri, registered), uri === registered[0]);
	assert.equal(links.mayRedirect('http://a@b/', ['http://a@b/']), false);
	assert.deepEqual(links.refusedLinks('see https://www.wikipedia.org/ and http://10.0.0.1/x, www.python.org'), ['http://10.0.0.1/x']);

	const mock = new undici.MockAgent();
	mock.disableNetConnect();
	mock.get('https://hooks.example.com').intercept({ path: '/a', method: 'POST' }).reply(204);
	const { send, close } = webhooks.sender(['evil.example.com'], { mock });
	assert.equal(await send('https://hooks.example.com/a', { event: 1 }), 204);
	for (const url of ['https://evil.example.com/', 'http://hooks.example.com/a', 'https://127.0.0.1/'])
		await assert.rejects(send(url, {}), { code: 'URIVET_REFUSED' });
	await close();
});

test('a filter for Markdown', () => {
	const refused = [], html = render('[a](http://10.0.0.1/) ![b](https://h.example/?q) [c](https://www.wikipedia.org/)', each => refused.push(each.kind));
	assert.equal(html, '<p><a href="about:invalid">a</a> <img src="about:invalid" alt="b"> <a href="https://www.wikipedia.org/">c</a></p>\n');
	assert.deepEqual(refused, ['link', 'image']);
});

test('a filter for text in pieces', async () => {
	const all = async (...given) => (await Readable.from(shown(...given)).toArray()).join('');
	const text = '[a](http://10.0.0.1/) ![b](https://www.wikipedia.org/)';
	assert.equal(await all(text.match(/.{1,3}/g)), '&#91;a&#93;(`http://10.0.0.1/`) &#33;[b](<https://www.wikipedia.org/>)');
	assert.equal(await all([text], 'public'), '&#91;a&#93;(`http://10.0.0.1/`) ![b](<https://www.wikipedia.org/>)');
});

test('a server on loopback answers in tests', async () => {
	let port;
	port = await listen((req, res) => req.url === '/inside' ? res.writeHead(302, { Location: `http://127.0.0.2:${port}/` }).end() : res.end('made up'), 0, '127.0.0.1');
	const url = `http://127.0.0.1:${port}/`, by = loopback(port);
	for (const name of ['axios', 'got']) {
		const get = (to, policy) => clients[name].guarded(to, policy);
		assert.equal((await get(url, by)).text, 'made up');
		for (const [inside, policy] of [[`${url}inside`, by], [`http://127.0.0.2:${port}/`, by], [`http://127.0.0.1:${port + 1}/`, by], [url, 'public']]) // the last is the control
			await assert.rejects(get(inside, policy), refusal);
	}
});
