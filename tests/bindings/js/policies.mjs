// SPDX-License-Identifier: Apache-2.0
// Policies of objects: the same settings, written as JSON, which is YAML, are compiled by the command; both judge all
// inputs of tests/bindings/conformance alike, or both are refused with the same words.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test, { after } from 'node:test';
import { cases, require, tables } from './fixtures.mjs';

const { Policy, policy } = require('./policy.cjs'), { settings } = tables;
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

const good = [...settings.good, { base: 'strict', hosts: { deny: Array.from({ length: 500 }, (_, k) => `h${k}.example`) } }], bad = [...settings.bad, ...[4094, 4095, 5000].map(most => ({ hosts: { deny: ['a'.repeat(most)] } }))];

test('settings judge as those of the command', () => {
	for (const settings of good) {
		const own = byObjects(settings), command = byCommand(settings);
		assert.deepEqual([own.problems, command.problems], [undefined, undefined], JSON.stringify(settings));
		for (const input of inputs)
			assert.deepEqual(shown(own.policy.check(input)), shown(command.policy.check(input)), `${JSON.stringify(settings)} ${input}`);
	}
	assert.deepEqual([policy({ schemes: ['https', 'mailto'] }).ok('mailto:a@example.com'), policy({ base: 'public', name: 'mine' }).name], [true, 'mine']);
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
