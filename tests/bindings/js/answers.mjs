// SPDX-License-Identifier: Apache-2.0
// What each function of the package answers, and what it throws: answers.tsv, row by row.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { HttpAgent, require } from './fixtures.mjs';

const urivet = require('./urivet.cjs'), { policy: made } = require('./policy.cjs');
const [strict, pub, any, gateway] = ['strict', 'public', 'any', 'gateway'].map(urivet.policy);
const names = {
	...urivet, ...require('./markdown.cjs'), express: require('./middleware.cjs').express, HttpAgent, made, strict, pub, any, gateway,
	GOOD: 'https://example.com/a?b', BAD: 'http://example.com\\@example.net/', octets: text => new TextEncoder().encode(text),
	compiled: Buffer.from(process.env.URIVET_COMPILED, 'hex'), waiving: Buffer.from(process.env.URIVET_WAIVES, 'hex'), gate: require('./gate.cjs'),
	begun: () => require('./init.cjs').init(new WebAssembly.Module(readFileSync(`${process.env.URIVET_PACKAGE}/dist/urivet.wasm`))),
	closing(policy) { policy.close(); return policy; },
	ended(stream) { stream.close(); return stream; },
	problems(settings) { try { return made(settings); } catch (error) { return error.problems; } },
	fed: (stream, ...pieces) => [...pieces, null].map(piece => [piece === null ? stream.close() : stream.feed(piece), stream.decided])
		.map(([found, decided]) => [found.map(({ start, end, kind, uri, report }) => [start, end, kind, uri, report?.ok]), decided]),
};
const written = value => JSON.stringify(value, (key, each) => each instanceof Uint8Array ? Buffer.from(each).toString('hex') : each === undefined ? 'undefined' : each);

for (const [asked, wanted] of readFileSync(new URL('answers.tsv', import.meta.url), 'utf8').split('\n').map(line => line.split('\t')).filter(row => row.length === 2))
	test(asked, () => {
		let answer;
		try {
			answer = written(Function(...Object.keys(names), `return ${asked}`)(...Object.values(names)));
		} catch (error) {
			answer = `${error.name}: ${error.message}`;
		}
		assert.equal(answer, wanted);
	});
