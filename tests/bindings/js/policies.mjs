// SPDX-License-Identifier: Apache-2.0
// Policies of objects: the same settings, written as JSON, which is YAML, are compiled by the command; both judge all
// inputs of tests/bindings/conformance alike, or both are refused with the same words.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test, { after } from 'node:test';
import { cases, require } from './fixtures.mjs';

const { Policy, policy } = require('./policy.cjs');
const command = new URL('../../../build/urivet', import.meta.url).pathname;
const folder = mkdtempSync(path.join(os.tmpdir(), 'urivet-'));
after(() => rmSync(folder, { recursive: true }));
const inputs = cases.filter(each => each.kind === 'check').map(each => Buffer.from(each.input, 'latin1'));

// The policy that the command compiles of the settings, or what it says is wrong with them.
function byCommand(settings) {
	const file = path.join(folder, 'policy.yaml'), out = path.join(folder, 'policy');
	writeFileSync(file, JSON.stringify(settings));
	const { status, stderr } = spawnSync(command, ['policy', 'compile', file, '-o', out], { encoding: 'utf8' });
	if (status === 0)
		return { policy: Policy.compiled(readFileSync(out)) };
	return { problems: stderr.trim().split('\n').map(line => line.replace(/^urivet: .*?:\d+:\d+: /, '')) };
}
function byObjects(settings) {
	try {
		return { policy: policy(settings) };
	} catch (error) {
		assert.ok(error instanceof RangeError && error.message.startsWith('urivet: '), String(error));
		return { problems: error.problems.map(each => each.text) };
	}
}
const shown = report => [report.ok, report.publicReason, report.findings.map(({ id, start, end, refuses }) => [id, start, end, refuses])];

const good = [
	{ base: 'public' }, { base: 'any', name: 'mine' }, { schemes: ['https', 'mailto'] }, { schemes: ['http', 'https', 'tel', 'ftp'] },
	{ base: 'public', hosts: { deny: ['evil.example', '.example.net', 'a.example.com'] }, ports: { https: [8443, '9000-9010'], http: [8080] } },
	{ base: 'public', hosts: { allow: ['example.com', '.example.org'] } }, { base: 'public', addresses: { allow: ['10.0.0.0/8', '::1'], deny: ['8.8.8.8'] } },
	{ base: 'public', addresses: { nat64: ['64:ff9b:1::/48'] } }, { base: 'gateway', opaque_query: true }, { limits: { length: 100, host: 60, label: 20 } },
	{ base: 'public', refuse: ['host-unknown-tld', 'query-secret'], allow: ['userinfo-present'] }, { base: 'public', protect: ['paypal.com', 'xn--bcher-kva.de'] },
	{ base: 'gateway', paths: [{ prefix: '/a/', methods: ['GET'], allow: ['escaped-slash'] }, { prefix: '/b', allow: ['path-semicolon'] }], strip_prefix: ['/c'] },
	{ base: 'strict', urls: { allow: ['https://hooks.example.com/services'] } }, { base: 'strict', hosts: { deny: Array.from({ length: 500 }, (_, k) => `h${k}.example`) } },
];
const bad = [
	{ base: 'pubic' }, { deny: ['x'] }, { hosts: { denied: ['x'] } }, { hosts: { deny: ['http://x/'] } }, { hosts: { deny: 'x' } }, { hosts: ['x'] }, { base: ['x'] },
	{ ports: { https: [443, 8443] } }, { ports: { https: ['1-0'] } }, { ports: { https: [70000] } }, { ports: { gopher: [70] } },
	{ limits: { length: '100' } }, { limits: { length: 0 } }, { limits: { length: 5000000000 } }, { limits: { length: -1 } }, { opaque_query: 'true' }, { opaque_query: 1 },
	{ refuse: ['host-unknwn-tld'] }, { refuse: ['dot-segment'], allow: ['dot-segment'] }, { allow: ['policy-invalid'] },
	{ addresses: { allow: ['10.0.0.1/8'] } }, { addresses: { allow: ['x'] } }, { protect: ['x y'] }, { paths: [{ prefix: '/a;', allow: ['escaped-slash'] }] }, { paths: [{ prefix: '/a', allow: ['dot-segment'] }] }, { paths: ['/a'] }, { paths: [{ prefix: '/a' }] }, { strip_prefix: ['a'] }, { schemes: ['ht tp'] }, { schemes: ['htps'] }, { name: '' }, { hosts: { deny: ['a'.repeat(5000)] } },
	{ hosts: { deny: ['a.example', 'a.example', '.a.example'] } }, { base: 'public', hosts: { deny: ['a"b', 'x]}\\', '*.y.example'] } }, { base: true }, { base: 7 },
];

test('settings judge as those of the command', () => {
	for (const settings of good) {
		const own = byObjects(settings), command = byCommand(settings);
		assert.deepEqual([own.problems, command.problems], [undefined, undefined], JSON.stringify(settings));
		for (const input of inputs)
			assert.deepEqual(shown(own.policy.check(input)), shown(command.policy.check(input)), `${JSON.stringify(settings)} ${input}`);
	}
	assert.equal(policy({ schemes: ['https', 'mailto'] }).ok('mailto:a@example.com'), true);
	assert.equal(policy({ base: 'public', name: 'mine' }).name, 'mine');
	for (const raised of [false, true]) {
		const report = policy({ protect: ['paypal.com'], ...raised && { refuse: ['brand-as-label'] } }).check('https://paypal.com.evil.net/');
		assert.deepEqual(shown(report)[2], [['brand-as-label', 8, 14, raised]]);
	}
});

test('what is wrong is said as the command says it', () => {
	for (const settings of bad) {
		const own = byObjects(settings), command = byCommand(settings);
		assert.ok(own.problems?.length > 0 && command.problems?.length > 0, JSON.stringify(settings));
		const placeless = texts => texts.map(text => text.replace(/ (in line \d+|at [\w.]+\[\d+\])$/, ''));
		assert.deepEqual(placeless(own.problems), placeless(command.problems), JSON.stringify(settings));
	}
	for (const settings of [{}, { include: ['/etc/passwd'] }, { refuse: ['host-public-suffix'] }])
		assert.ok(byObjects(settings).problems.length > 0);
	assert.throws(() => policy({ hosts: { deny: ['a.example', 'http://x/'] } }), /^RangeError: urivet: hosts\.deny\[1\]: /);
	assert.throws(() => policy({ base: 'pubic' }), /did you mean "public"\?/);
});

test('rules for parameters', () => {
	const settings = { base: 'gateway', parameters: { next: { rooted: true } } };
	for (const judge of [policy(settings), byCommand(settings).policy].filter(Boolean))
		assert.deepEqual(['/?next=b', '/?next=%2Fb'].map(path => judge.ok(`http://www.example.com${path}`)), [false, true]);
});

test('what is no setting', () => {
	const circle = [];
	circle.push(circle);
	for (const settings of [null, undefined, 7, 'base: any', [], new Map(), () => {}, { hosts: { deny: [undefined] } }, { hosts: { deny: new Set(['x']) } }, { limits: { length: 1.5 } }, { limits: { length: NaN } },
		{ limits: { length: 1n } }, { name: new String('x') }, { hosts: Object.create({ deny: ['x'] }) }, { [Symbol('base')]: 'any' }, new (class { get base() { return 'any'; } })(), { hosts: { deny: [, 'x'] } }])
		assert.throws(() => policy(settings), TypeError);
	for (const settings of [{ schemes: circle }, { name: 'a\nbase: any' }, { name: '\u2028' }, { name: '\ud800' }, { name: '\0' }, { mode: 'observe' }, { 'a\tb': 1 }])
		assert.throws(() => policy(settings), RangeError);
	Object.prototype.base = 'any';
	try {
		assert.equal(policy({ name: 'x' }).ok('ftp://example.com/'), false);
	} finally {
		delete Object.prototype.base;
	}
});
