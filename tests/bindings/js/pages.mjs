// SPDX-License-Identifier: Apache-2.0
// The programs of src/bindings/js/README.md: each block that exports something is run as a module beside the installed package.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import test, { after } from 'node:test';

const page = readFileSync(new URL('../../../src/bindings/js/README.md', import.meta.url), 'utf8');
const folder = new URL('../../../build/js/pages/', import.meta.url);
mkdirSync(folder, { recursive: true });
after(() => rmSync(folder, { recursive: true }));
const programs = [...page.matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code).filter(code => code.includes('\nexport '));
const [links, webhooks] = await Promise.all(programs.map((code, k) => {
	const file = new URL(`${k}.mjs`, folder);
	writeFileSync(file, code);
	return import(file);
}));
const { MockAgent } = createRequire(`${process.env.URIVET_PACKAGE}/dist/`)('undici');

test('the programs of the page', async () => {
	assert.equal(programs.length, 2);
	const registered = ['https://app.example.com/callback'];
	assert.equal(links.mayRedirect(registered[0], registered), true);
	for (const uri of ['https://app.example.com/callback/', 'HTTPS://app.example.com/callback', 'https://app.example.com\\@evil.example/callback', ''])
		assert.equal(links.mayRedirect(uri, registered), false);
	assert.equal(links.mayRedirect('http://a@b/', ['http://a@b/']), false);
	assert.deepEqual(links.refusedLinks('see https://www.wikipedia.org/ and http://10.0.0.1/x, www.python.org'), ['http://10.0.0.1/x']);

	const mock = new MockAgent();
	mock.disableNetConnect();
	mock.get('https://hooks.example.com').intercept({ path: '/a', method: 'POST' }).reply(204);
	const { send, close } = webhooks.sender(['evil.example.com'], { mock });
	assert.equal(await send('https://hooks.example.com/a', { event: 1 }), 204);
	for (const url of ['https://evil.example.com/', 'http://hooks.example.com/a', 'https://127.0.0.1/'])
		await assert.rejects(send(url, {}), { code: 'URIVET_REFUSED' });
	await close();
});
