// SPDX-License-Identifier: Apache-2.0
// What the playground computes itself, without a browser: naive checks against the languages that they are of, YAML against the
// command, readings, examples, and the link that carries the input.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test, { after } from 'node:test';
import { domainToASCII, domainToUnicode } from 'node:url';
import { CHECKS, astray, hostToAllow, withHost } from '../../src/site/app/checks.js';
import { EXAMPLES } from '../../src/site/app/examples.js';
import { readState, writeState } from '../../src/site/app/state.js';
import { lettersOf, unescape } from '../../src/site/app/text.js';
import { placeOf, readYaml } from '../../src/site/app/yaml.js';
import { load } from '../../build/site-work/engine.mjs';
import { command, judgedByCommand, root, urls } from './inputs.mjs';

const engine = await load(), folder = mkdtempSync(path.join(os.tmpdir(), 'urivet-site-'));
after(() => rmSync(folder, { recursive: true }));
const HOST = 'example.com';
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const isText = octets => {
	try {
		return !decoder.decode(octets).includes('\ufeff');
	} catch {
		return false;
	}
};
// Links about the host, and mutations of them.
function links() {
	const pieces = ['http', 'https', ':', '/', '//', '://', '@', '\\', '?', '#', '[', ']', '::1', 'v1.x', '%', '.', 'example.com', 'evil.example', 'exampleXcom', 'EXAMPLE.com', ':80', ':8a', ':-1', ': 5', ':99999', ':123456',
		'file', 'user:pw', ' ', '\t', '\n', '\r', '\x01', '\x7f', '\u2028', '\u2100', '\u00e9', '\ufe0f', '1', '127.0.0.1', '::ffff:1.2.3.4', 'a:b', '-', '+', ''];
	let seed = 7;
	const next = most => {
		seed = Math.imul(seed ^ seed >>> 15, 0x2c1b3c6d) + 0x9e3779b9 | 0;
		return (seed >>> 0) % most;
	};
	const made = Array.from({ length: 3000 }, (_, k) => (k % 2 ? 'https://' : '') + Array.from({ length: 1 + next(7) }, () => pieces[next(pieces.length)]).join(''));
	return [...new Set([...urls().filter(isText).map(octets => decoder.decode(octets)), ...made, ...EXAMPLES.flatMap(({ rows }) => rows.map(({ input }) => input))])].filter(each => each.isWellFormed?.() ?? true);
}
const LINKS = links();
const ofLanguage = language => CHECKS.filter(each => each.language === language);
const answers = language => LINKS.map(link => ofLanguage(language).map(({ passes }) => passes(link, HOST)));

function compare(language, theirs) {
	const ours = answers(language);
	assert.equal(theirs.length, LINKS.length);
	for (let k = 0; k < LINKS.length; k++)
		assert.deepEqual(ours[k], theirs[k], `${language}: ${JSON.stringify(LINKS[k])}`);
}
const codes = language => ofLanguage(language).map(({ code }) => withHost(code, HOST));

test('checks of Python answer as python3 does', () => {
	const program = `import json, re, sys
from urllib.parse import urlparse
def answer(check, url):
    try:
        return bool(check(url))
    except ValueError:
        return False
checks = [${codes('Python').map(code => `lambda url: ${code}`).join(', ')}]
print(json.dumps([[answer(check, url) for check in checks] for url in json.load(sys.stdin)]))`;
	compare('Python', JSON.parse(execFileSync('/usr/bin/python3', ['-c', program], { input: JSON.stringify(LINKS), maxBuffer: 1 << 26 })));
});

test('checks of PHP answer as php does', { skip: spawnSync('php', ['--version']).error ? 'php-cli is missing' : false }, () => {
	const program = `$answers = []; foreach (json_decode(stream_get_contents(STDIN)) as $url) $answers[] = [${codes('PHP').map(code => `(bool)(${code})`).join(', ')}]; echo json_encode($answers);`;
	compare('PHP', JSON.parse(execFileSync('php', ['-n', '-r', program], { input: JSON.stringify(LINKS), maxBuffer: 1 << 26 })));
});

test('checks of JavaScript answer as their code does', () => {
	const checks = codes('JavaScript').map(code => Function('url', `try { return Boolean(${code}); } catch { return false; }`));
	compare('JavaScript', LINKS.map(link => checks.map(check => check(link))));
});

test('the check of the shell answers as sh does', () => {
	const some = LINKS.filter(link => !link.includes('\0') && link.length < 1000).slice(0, 1500), [check] = ofLanguage('Shell');
	const program = `for url; do case $url in https://*${HOST}/*) echo 1 ;; *) echo 0 ;; esac; done`;
	const theirs = execFileSync('sh', ['-c', program, 'sh', ...some], { env: { LC_ALL: 'C.UTF-8' } }).toString().trim().split('\n');
	some.forEach((link, k) => assert.equal(check.passes(link, HOST), theirs[k] === '1', JSON.stringify(link)));
});

test('each check is fooled by a link, and lets the host itself pass', () => {
	const fooling = ['https://example.com.evil.example/', 'https://evil.example/?https://example.com', 'https://example.com@evil.example/', 'https://evil.example/example.com', 'https://evilexample.com/', 'https://example.com:x@evil.example/',
		'http://evil.example\\@example.com/', 'http://example.com\\@evil.example/', 'https://evil.example/x/example.com/', 'https://evil.example/#example.com', 'https:/evil.example/example.com'];
	for (const { code, passes } of CHECKS) {
		const found = fooling.filter(link => passes(link, HOST) && astray(engine.readings(link).filter(({ reader }) => ['browser', 'resolver', 'regex', 'rfc3986'].includes(reader)), HOST).length > 0);
		assert.notEqual(found.length, 0, code);
		assert.equal(passes('https://example.com/', HOST) || passes('https://example.com', HOST), true, code);
	}
	assert.deepEqual(astray(engine.readings('https://www.example.com./'), HOST), []);
	assert.equal(CHECKS.length >= 12, true);
	assert.deepEqual(['Example.COM', 'a b', 'x*', '', '-a.com', 'localhost'].map(hostToAllow), ['example.com', null, null, null, null, 'localhost']);
});

test('readings and findings are those of the command', () => {
	const inputs = urls();
	assert.ok(inputs.length >= 1000, `${inputs.length} inputs`);
	for (const [k, theirs] of judgedByCommand(inputs, '--readings').entries()) {
		const text = isText(inputs[k]) ? decoder.decode(inputs[k]) : null;
		if (text === null || theirs.findings.some(({ id }) => id === 'url-too-long'))
			continue;
		const ours = engine.readings(new Uint8Array(inputs[k]));
		assert.deepEqual(ours, theirs.readings, text);
		assert.equal(engine.disagreement(new Uint8Array(inputs[k])) !== null, theirs.findings.some(({ id }) => id === 'readers-disagree'), text);
	}
});

// ---- YAML

function verdictsOf(policy, inputs) {
	const verdicts = policy.checkMany(inputs);
	return inputs.map((_, k) => verdicts.at(k));
}

test('policies judge as by the command, and what the command refuses is refused', () => {
	const inputs = urls().slice(0, 200).map(each => new Uint8Array(each)), corpus = path.join(root, 'corpus/policy'), examples = path.join(root, 'src/examples/policies');
	const files = [...[examples, path.join(examples, 'applications')].flatMap(each => readdirSync(each).filter(name => name.endsWith('.yaml')).map(name => path.join(each, name))), ...readdirSync(corpus).map(name => path.join(corpus, name))];
	let alike = 0, refused = 0;
	for (const file of files) {
		const octets = readFileSync(file);
		if (!isText(octets) || octets.length > 1 << 16)
			continue;
		let policy = null, document, problem = null;
		try {
			document = readYaml(decoder.decode(octets));
			const { value } = document;
			delete value.mode;
			if (value.include === undefined)
				policy = engine.policyOf(value);
		} catch (error) {
			problem = error.problems?.[0] ?? null;
			assert.ok(error.line > 0 || Array.isArray(error.problems) || error instanceof RangeError || error instanceof TypeError, `${file}: ${error.stack}`);
		}
		const copy = path.join(folder, 'policy.yaml');
		writeFileSync(copy, octets);
		const { status, stderr } = spawnSync(command, ['policy', 'check', copy], { encoding: 'utf8' }), isGood = status === 0;
		if (policy !== null && stderr.includes('public suffix'))
			continue; // the list of public suffixes is not in the page
		if (policy === null) {
			const { line, column } = problem === null ? {} : placeOf(document, problem), place = /:(\d+):(\d+): /.exec(stderr);
			const isKnown = problem === null || isGood || problem.at === 'the policy' || /earlier version|mode/.test(stderr); // which the page leaves to others
			assert.deepEqual(isKnown ? null : [line, column].map(String), isKnown ? null : place.slice(1), `${file}: ${stderr}`);
			refused++;
			const isOfLibrary = problem?.text.includes('"parameters" is not judged in JavaScript');
			assert.ok(!isGood || !file.startsWith(examples) || isOfLibrary, `${file} is refused here alone`);
			continue;
		}
		assert.ok(isGood, `${file} is accepted here alone`);
		const theirs = judgedByCommand(inputs.map(each => Buffer.from(each)), `--policy-file=${copy}`).map(({ verdict }) => verdict === 'accept');
		assert.deepEqual(verdictsOf(policy, inputs), theirs, file);
		alike++;
		policy.close();
	}
	assert.ok(alike >= 30 && refused >= 30, `${alike} alike, ${refused} refused`);
});

test('faults of YAML have line and column', () => {
	const fault = text => {
		try {
			readYaml(text);
		} catch ({ line, column }) {
			return `${line}:${column}`;
		}
		return 'none';
	};
	const faults = {
		'base: public\n\tname: x\n': '2:1', 'base: *a\n': '1:7', 'base: public\nbase: any\n': '2:1', 'hosts:\n  allow: [a.com, b.com\n': '2:10', 'base: yes\n': '1:7', 'ports: {http: [0x10]}\n': '1:16', '- a\n': '1:1', '': '1:1',
		'base: "public\n': '1:7', 'base public\n': '1:1', 'schemes:\n': '2:1', 'base: public\n  name: x\n': '2:3', 'a: b\n---\nc: d\n': '2:1', 'name: a\u0085b\n': '1:8', 'base: ~\n': '1:7', '<<: {a: b}\n': '1:1', 'name: "a\\nb"\n': '1:9',
		'schemes: [https,, http]\n': '1:17', 'name: x: y\n': '1:8', 'hosts:\n    allow: [a.com]\n  deny: [b.com]\n': '3:3',
	};
	assert.deepEqual(Object.fromEntries(Object.keys(faults).map(text => [text, fault(text)])), faults);
	assert.deepEqual(JSON.parse(JSON.stringify(readYaml('a: [x, {b: 1}] # c\nd:\n- "q\\x41"\n- e: true\n  f: \'it\'\'s\'\n').value)), { a: ['x', { b: 1 }], d: ['qA', { e: true, f: "it's" }] });
});

test('hosts are shown in their letters as by Node', () => {
	const names = ['müller', '中国', 'مثال', 'お茶カフェtea', 'торты-123', '☃', 'ü'.repeat(40), 'a-ü', '💩', 'ելք'].map(name => `${domainToASCII(name)}.example`);
	for (const name of names)
		assert.equal(lettersOf(name), domainToUnicode(name));
	assert.deepEqual(['a.b', 'xn--', 'xn--a.b', 'xn--99999999', 'xn--\x00'].map(lettersOf).filter(each => each !== null && each.includes('xn--')), []);
	assert.equal(lettersOf('a.b'), null);
});

// ---- Examples and links

test('each example shows what it says', () => {
	const looks = engine.policyOf({ base: 'any', refuse: ['idn-mixed-script', 'idn-whole-script-confusable', 'idn-digit-lookalike', 'idn-dangerous-pattern'] });
	let count = 0;
	for (const [k, { group, rows }] of EXAMPLES.entries())
		for (const { title, finding, input, escapes, target, host, policy = 'strict' } of rows) {
			const text = escapes ? unescape(input) : input, report = target ? engine.policy('gateway').checkRequest(text, { method: 'GET', host }) : engine.policy(policy).check(text);
			const ids = [...report.findings, ...looks.check(text).findings].map(({ id }) => id);
			assert.ok(finding === null || ids.includes(finding), `${group}: ${title}: ${ids}`);
			const hosts = new Set(engine.readings(text).filter(({ reads }) => reads).map(({ components, host: { address } }) => (address ?? components.host ?? '').toLowerCase()));
			assert.ok(k > 0 || hosts.size > 1 || ids.includes('idn-readers-disagree') || ids.includes('raw-tab'), `${title} is read alike`);
			count++;
		}
	assert.equal(count, 40);
});

test('the link carries each text', () => {
	for (const text of ['', 'a&b=c#d%20', '\ud800x', 'x\udfff', '%ud800', '😀\u202e', '\0\x01\n', '"><script>']) {
		const state = { text, allow: 'a.b', kind: 'request', method: 'GET', host: 'example.com', escapes: true, whole: false, noHost: true, yaml: 'base: any', usualYaml: 'base: public' };
		const { usualYaml, ...wanted } = state, link = writeState(state);
		assert.match(link, /^#[\x21-\x7e]*$/);
		assert.deepEqual(readState(link, { text: '', escapes: false, whole: false, noHost: false, allow: 'example.com', host: 'example.com', method: 'GET', kind: 'link', yaml: usualYaml }), { ...wanted, text: text });
	}
	assert.deepEqual(readState('#text=%ff&x=1&escapes=2', { text: 'a' }), { text: 'a', escapes: false });
});
