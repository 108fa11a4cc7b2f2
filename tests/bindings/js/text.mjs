// SPDX-License-Identifier: Apache-2.0
// Links in text that comes in pieces, and in the tokens of markdown-it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import test from 'node:test';

const require = createRequire(`${process.env.URIVET_PACKAGE}/dist/`);
const { ScanStream, markdownLinks, policy, scan } = require('./urivet.cjs'), markdownIt = require('markdown-it');

const plain = found => found.map(({ report, ...rest }) => ({ ...rest, ids: report?.findings.map(({ id }) => id) }));

test('pieces of any size give what the whole text gives', () => {
	const text = "\u00e9 <http://10.0.0.1/> or www.b.org, 'http://a/x','http://u@h/'; see https://example.com/\u8be6\uff0c\u{1f600} <http://a/\nb> \"http://c/\" URL: d:e";
	const octets = Buffer.concat([Buffer.from(text), Buffer.from([255]), Buffer.from(' http://c/'), Buffer.from([0xc3])]);
	for (const whole of [[...text], octets])
		for (const options of [undefined, { policy: 'public' }, { policy: policy('any') }]) {
			const put = part => Array.isArray(part) ? part.join('') : new Uint8Array(part), wanted = plain(scan(put(whole), options));
			for (let size = 1; size < whole.length; size++) {
				const stream = new ScanStream(options), got = [];
				for (let at = 0; at < whole.length; at += size) {
					got.push(...stream.feed(put(whole.slice(at, at + size))));
					assert.ok(stream.decided <= Buffer.from(put(whole.slice(0, at + size))).length);
				}
				got.push(...stream.close());
				assert.deepEqual(plain(got), wanted);
				assert.equal(stream.decided, Buffer.from(put(whole)).length);
			}
		}
});

test('a URL without an end is refused once it is too long', () => {
	const stream = new ScanStream({ policy: 'public' }), most = policy('public').maxLength;
	assert.deepEqual(stream.feed('see https://example.com/'), []);
	assert.deepEqual(stream.feed('a'.repeat(most - 20)), []);
	const [{ start, end, report }] = stream.feed('a');
	assert.deepEqual([start, end, report.findings.map(({ id }) => id)], [4, most + 5, ['url-too-long']]);
	for (let k = 0; k < 100; k++)
		assert.deepEqual(stream.feed('a'.repeat(1000)), []);
	// one that is longer than any room is cut, and refused
	for (const text of [`http://example.com/${'a'.repeat(1 << 21)}`, `http://example.com/${'a'.repeat(1 << 21)} `])
		for (const found of [scan(text, { policy: 'any' }), new ScanStream({ policy: 'any' }).feed(text)])
			assert.deepEqual(found.map(({ report }) => report.ok), [false]);
});

test('what is no piece throws, and changes nothing', () => {
	const stream = new ScanStream();
	for (const [bad, error] of [[null, TypeError], [undefined, TypeError], [7, TypeError], [['a'], TypeError], ['\ud83d', RangeError]])
		assert.throws(() => stream.feed(bad), error);
	assert.deepEqual(stream.feed('http://a/'), []);
	assert.deepEqual(stream.close().map(({ uri }) => uri), ['http://a/']);
	assert.throws(() => stream.feed('x'), /closed/);
	assert.throws(() => stream.close(), /closed/);
	for (const options of ['public', { polcy: 'public' }, { policy: 7 }])
		assert.throws(() => new ScanStream(options), TypeError);
	assert.throws(() => new ScanStream({ policy: 'pubic' }), RangeError);
});

// What markdown-it renders: the same as without the plugin, but for what is refused.
const filtered = (text, { html = false, ...options } = {}) => {
	const refused = [];
	const made = markdownIt({ linkify: true, html }).use(markdownLinks, { onRefused: ({ kind, ids }) => refused.push(`${kind} ${ids}`), ...options }).render(text);
	return { made: made.trim(), refused };
};

test('links, images and HTML of Markdown', () => {
	const cases = JSON.parse(readFileSync(new URL('../markdown.json', import.meta.url)));
	for (const { text, made, refused, ...options } of cases)
		assert.deepEqual(filtered(text, options), { made, refused }, text);
});

test('the plugin: tokens of others, and options', () => {
	const others = md => md.core.ruler.push('others', state => {
		const token = new state.Token('video', 'video', 0);
		token.attrs = [['src', 'http://10.0.0.1/'], ['class', 'x']];
		state.tokens.push(token);
	});
	assert.equal(markdownIt().use(others).use(markdownLinks).render(''), '<video src="about:invalid" class="x">');
	assert.equal(markdownIt().use(others).render(''), '<video src="http://10.0.0.1/" class="x">');
	for (const options of [{ polcy: 'public' }, { policy: 7 }, { onRefused: 7 }, 'public'])
		assert.throws(() => markdownIt().use(markdownLinks, options), TypeError);
	assert.throws(() => markdownIt().use(markdownLinks, { policy: 'pubic' }), RangeError);
	assert.throws(() => markdownIt().use(markdownLinks, { base: 7 }).render('[a](b)'), TypeError);
});

test('hostile Markdown takes linear time', () => {
	const time = text => {
		const start = process.hrtime.bigint();
		filtered(text, { html: true });
		return Number(process.hrtime.bigint() - start) / 1e6;
	};
	for (const part of ['<a   ', '<a href="', 'x <b> ', '<div>\n<', '[a](http://u@h/) '])
		assert.ok(time(part.repeat(4000)) < 40 * time(part.repeat(400)) + 400, part);
});
