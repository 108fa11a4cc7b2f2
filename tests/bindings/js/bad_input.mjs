// SPDX-License-Identifier: Apache-2.0
// bad_input.mjs FOLDER: whatever is not a text, a policy or an address throws the language's own exceptions, and
// nothing is accepted by mistake; memory grows, and stays where it is; what is closed is closed.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { Worker } from 'node:worker_threads';
import { cases, require } from './fixtures.mjs';

for (const name of ['urivet', 'gate']) {
	const urivet = require(`./${name}.cjs`);
	const { Policy, check, checkMany, ok, policy } = urivet;
	const long = 'http://example.com/' + 'a'.repeat(9000);

	test(`${name}: what is no text throws`, () => {
		const spoof = Object.create(Uint8Array.prototype, { length: { value: 3 } });
		for (const bad of [undefined, null, 0, 1n, true, {}, [], ['http://example.com/'], Symbol('x'), () => 'http://example.com/', new String('http://example.com/'),
			new URL('http://example.com/'), new Uint16Array(4), new DataView(new ArrayBuffer(8)), new ArrayBuffer(8), spoof])
			for (const judge of [ok, check, policy('public').ok])
				assert.throws(() => judge(bad), TypeError);
		for (const bad of [[undefined], [null], ['http://example.com/'], [{}], [7], [['http://example.com/', null]], [new Uint8Array(4), [0, 4]], [new Uint8Array(4), new Int32Array(0)]])
			assert.throws(() => checkMany(...bad), TypeError);
	});

	test(`${name}: half a surrogate is refused, a pair is not cut`, () => {
		for (const text of ['http://example.com/\ud800', '\udc00', 'http://example.com/?\ud800x', '\ud83d\ud83d\ude00'])
			assert.deepEqual([ok(text), check(text).ok, checkMany([text]).accepted, policy('any').ok(text)], [false, false, 0, false]);
		assert.equal(check('http://example.com/\u{1f600}').findings[0].text, '\u{1f600}');
	});

	test(`${name}: octets of a subclass are its own`, () => {
		class Lies extends Uint8Array { get length() { return 7; } }
		assert.deepEqual(['http://example.com/', 'http://example.com/\\'].map(text => ok(Lies.from(Buffer.from(text)))), [true, false]);
	});

	test(`${name}: lengths`, () => {
		const huge = 'a'.repeat(1 << 28) + '/'; // as long as one of 1 GiB to whoever does not read it
		for (const [text, isGood] of [[long, false], [long.slice(0, 8192), true], ['http://example.com/' + '\u00e9'.repeat(8000), false], [huge, false], [new Uint8Array(1 << 28), false], ['', false], [new Uint8Array(), false]])
			assert.equal(ok(text), isGood);
		for (const text of [long, huge])
			assert.deepEqual([check(text).ok, check(text).findings[0].id], [false, 'url-too-long']);
	});

	test(`${name}: memory grows, and answers stay`, () => {
		const rows = Array.from({ length: 50000 }, (_, k) => k % 3 ? `http://example.com/${k}` : `http://example.com\\@${k}/`);
		const data = Buffer.from(rows.join('')), offsets = new Int32Array(rows.length + 1);
		rows.forEach((row, k) => { offsets[k + 1] = offsets[k] + row.length; });
		const many = [checkMany(rows), checkMany(data, offsets), checkMany(Buffer.from(rows.join('\n')))];
		for (const verdicts of many) {
			assert.equal(verdicts.rows, rows.length);
			assert.equal(verdicts.accepted, rows.filter(ok).length);
			assert.deepEqual([0, 1, 2, 3, 49999, 50000, -1].map(k => verdicts.at(k)), [false, true, true, false, true, false, false]);
		}
		assert.equal(checkMany(new Uint8Array(40 << 20).fill(10)).accepted, 0);
		assert.deepEqual([ok('http://example.com/'), checkMany([]).rows, checkMany(new Uint8Array()).rows], [true, 0, 0]);
		assert.equal(checkMany(data, Int32Array.of(0, -1, 5, 3, 1 << 30, -5, 19)).accepted, 0);
	});

	test(`${name}: policies`, () => {
		for (const bad of ['', 'Public', 'constructor', '__proto__', undefined, null, 1])
			assert.throws(() => policy(bad), RangeError);
		for (const bad of [undefined, null, 'x', {}, [1], new Uint16Array(100)])
			assert.throws(() => Policy.compiled(bad), TypeError);
		for (const bad of [new Uint8Array(), new Uint8Array(7), new Uint8Array(1000), Buffer.from('base: public\n')])
			assert.throws(() => Policy.compiled(bad), RangeError);
		// what lists would find that are not here must not pass for found in order
		const open = () => Policy.compiled(Buffer.from(process.env.URIVET_TLD, 'hex')).ok('http://a.nosuchtld/');
		if (process.env.URIVET_TLD)
			name === 'urivet' ? assert.equal(open(), false) : assert.throws(open, /^RangeError: .*\(it/);
		if (process.env.URIVET_SUFFIX) {
			const suffixes = Policy.compiled(readFileSync(process.env.URIVET_SUFFIX));
			assert.deepEqual(['http://co.uk/', 'http://a.co.uk/'].map(url => suffixes.ok(url)), [false, true]);
		}
		assert.throws(() => new Policy(), TypeError);
		assert.throws(() => Policy.prototype.check.call({}, 'http://example.com/'), TypeError);
		assert.equal(policy('public'), Policy.public);
	});

	test(`${name}: what is closed is closed`, () => {
		const octets = Buffer.from(process.env.URIVET_COMPILED, 'hex');
		const first = Policy.compiled(octets);
		assert.equal(first.ok('http://127.0.0.1:8080/'), true);
		const report = first.check('http://127.0.0.1:8080/');
		first.close();
		first.close();
		for (const use of [() => first.ok('http://127.0.0.1:8080/'), () => first.check('http://127.0.0.1:8080/'), () => first.checkMany(['x']), () => first.checkAddress(Uint8Array.of(127, 0, 0, 1), 8080)])
			assert.throws(use, /closed/);
		if (urivet.resolve)
			assert.throws(() => report.endpoint, /closed/);
		octets.fill(0); // it was copied
		assert.equal(Policy.compiled(Buffer.from(process.env.URIVET_COMPILED, 'hex')).ok('http://127.0.0.1:8080/'), true);
		assert.throws(() => first.ok('http://127.0.0.1:8080/'), /closed/);
		policy('strict').close();
		assert.equal(ok('http://example.com/'), true);
	});

	test(`${name}: memory stays flat`, () => {
		const run = () => { for (let k = 0; k < 200000; k++) { ok('http://example.com/a'); if (k % 20 === 0) check('http://example.com\\@b/'); } };
		run();
		const before = process.memoryUsage().arrayBuffers;
		run();
		assert.ok(process.memoryUsage().arrayBuffers - before < 1 << 20);
	});
}

const { Policy, check, checkMany, ok, policy } = require('./urivet.cjs');
const shown = endpoint => endpoint && { ...endpoint, address: Array.from(endpoint.address) };

test('an endpoint is the same of a string and of its octets', () => {
	const urls = cases.map(({ input }) => input).filter(text => text && !/[^\0-\x7f]/.test(text));
	for (const scheme of ['http', 'HTTPS', 'ws', 'ftp', 'mailto'])
		for (const host of ['example.com', 'EXAMPLE.com', 'example.com.', 'localhost', '127.0.0.1', '[::1]', 'a_b.example.com'])
			for (const port of ['', ':80', ':443', ':8080', ':', ':0080'])
				for (const tail of ['', '/', '/a/:80', '/a?b', '?b', '/#f', '/a?x:443', '/%41', '//x', '/:8080', '/1'])
					urls.push(`${scheme}://${host}${port}${tail}`);
	let plain = 0;
	for (const name of ['strict', 'public', 'any', 'gateway'])
		for (const url of urls) {
			const by = policy(name), endpoint = shown(by.check(url).endpoint);
			assert.deepEqual(endpoint, shown(by.check(Buffer.from(url)).endpoint), url);
			plain += endpoint !== null;
		}
	assert.ok(plain > 500);
});

test('a report is about its own text, whatever is judged after it', () => {
	const report = check('http://127.0.0.1/a?b'), other = check('http://[::1]/c');
	ok('http://example.com/');
	const before = shown(report.endpoint);
	for (const between of [() => check('http://192.0.2.1/x'), () => ok('http://198.51.100.1/'), () => checkMany(['http://203.0.113.1/']), () => other.endpoint, () => other.toJSON(), () => report.suggestion, () => Policy.compiled(Buffer.from(process.env.URIVET_COMPILED, 'hex')), () => checkMany(new Uint8Array(8 << 20))]) {
		between();
		assert.deepEqual(shown(report.endpoint), before);
		between();
		assert.equal(report.toJSON().uri, 'http://127.0.0.1/a?b');
		assert.deepEqual(report.components.host, '127.0.0.1');
	}
	assert.equal(before.host, '127.0.0.1');
});

test('octets that change while they are judged', async () => {
	const texts = ['http://example.com/aaaaaaaaaa', 'http://10.0.0.1:80/bbbbbbbbbb'].map(text => Buffer.from(text));
	const shared = new Uint8Array(new SharedArrayBuffer(texts[0].length));
	const worker = new Worker(`const { workerData } = require('node:worker_threads'); const { shared, texts } = workerData; require('node:worker_threads').parentPort.postMessage('on');
		for (let k = 0; ; k++) shared.set(texts[k % 2]);`, { eval: true, workerData: { shared, texts } });
	await new Promise(resolve => { worker.once('message', resolve); });
	let changed = 0;
	for (let k = 0; k < 20000; k++) {
		const report = policy('public').check(shared), { endpoint } = report;
		assert.equal(report.ok, policy('public').ok(report.octetsOf('input')), 'the octets that are kept are not those that were judged');
		assert.ok(!report.ok || endpoint.host !== '10.0.0.1');
		changed += k > 0 && report.ok;
	}
	await worker.terminate();
	assert.ok(changed > 0);
});

test('check and endpoint cost at most six times ok', () => {
	const urls = Array.from({ length: 1000 }, (_, k) => `https://www.example${k % 97}.com/path/to/page${k}` + (k % 2 ? `.html?id=${k * 7}` : ''));
	const least = {}, calls = { ok, both: url => check(url).endpoint.port > 0 };
	for (let round = 0; round < 300; round++)
		for (const [name, call] of Object.entries(calls)) {
			const begin = process.hrtime.bigint();
			assert.ok(urls.every(call));
			least[name] = Math.min(least[name] ?? Infinity, Number(process.hrtime.bigint() - begin));
		}
	assert.ok(least.both <= 6 * least.ok, `${least.both / least.ok} times`);
});
