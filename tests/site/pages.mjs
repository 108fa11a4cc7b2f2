// SPDX-License-Identifier: Apache-2.0
// The site in headless Chromium: interactions by mouse and keyboard, hostile inputs, answers equal to the command's, accessibility,
// sizes, and how the pages look.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test, { after, before } from 'node:test';
import { gzipSync } from 'node:zlib';
import { axeSource, folder, launch, openPage, openPlayground, serve } from './browser.mjs';
import { corpusFiles, escaped, judgedByCommand, root, urls } from './inputs.mjs';

const MOST_OCTETS = 200_000; // compressed: page, style, icon, script with the WebAssembly
const LOOKS = path.join(root, 'tests/site/looks.tsv');
let browser, site;
before(async () => {
	browser = await launch();
	site = await serve();
});
after(async () => {
	await browser.close();
	site.server.closeAllConnections();
	site.server.close();
});

const TWO_HOSTS = 'http://example.com\\@example.net/';
const fragmentOf = text => `#text=${encodeURIComponent(text)}`;

// Waits until the page has shown what was done to it.
async function shown(page, action) {
	const count = await page.evaluate(() => Number(document.body.dataset.renders));
	await action();
	await page.waitForFunction(number => Number(document.body.dataset.renders) > number, count);
}
const type = (page, text) => shown(page, () => page.fill('#input', text));
// The same for a text that no one types: it is set at once.
const put = (page, text) => shown(page, () => page.evaluate(value => {
	document.getElementById('input').value = value;
	document.getElementById('input').dispatchEvent(new Event('input', { bubbles: true }));
}, text));
const title = page => page.textContent('#verdict h2');
const idsOf = page => page.$$eval('#findings li', rows => rows.map(row => row.dataset.id));
const chips = page => page.$$eval('.chip', all => Object.fromEntries(all.map(chip => [chip.dataset.policy, chip.classList.contains('accept')])));

// A test of the playground, in a page of its own; nothing may go wrong in it.
function interaction(name, run, fragment = '', options = {}) {
	test(name, async () => {
		const opened = await openPlayground(browser, site.origin, fragment, options);
		await run(opened.page, opened);
		assert.deepEqual(opened.wrong, []);
		await opened.context.close();
	});
}

// ---- One link

interaction('a link that leads to two hosts is refused, with both', async page => {
	await type(page, TWO_HOSTS);
	assert.match(await title(page), /Refused: programs go to different places/);
	assert.match(await page.textContent('#verdict'), /Browsers go to example\.com, port 80\..*go to example\.net, port 80\./s);
});
interaction('each key stroke is judged', async page => {
	await page.focus('#input');
	for (const [key, verdict] of [['h', /not a valid/], ['ttp://a.b', /Accepted|valid|differently/], ['/', /Accepted/], ['\\', /Refused/]]) {
		await page.keyboard.type(key);
		await page.waitForFunction(pattern => RegExp(pattern).test(document.querySelector('#verdict h2').textContent), verdict.source);
	}
});
interaction('a plain link is accepted by every policy', async page => {
	await type(page, 'https://www.wikipedia.org/a?b');
	assert.match(await title(page), /Accepted: every program reads it alike/);
	assert.deepEqual(await chips(page), { strict: true, public: true, gateway: true });
	assert.match(await page.textContent('#findings'), /Nothing was found/);
});
interaction('policies differ where they should', async page => {
	await type(page, 'http://10.0.0.1/a;b');
	assert.deepEqual(await chips(page), { strict: true, public: false, gateway: false });
	assert.ok((await idsOf(page)).includes('addr-private'));
});
interaction('the spelling that all read alike is suggested and copied', async page => {
	await type(page, 'HTTPS://Example.com:0443/%7euser/./index.html');
	assert.equal(await page.textContent('#suggestion'), 'https://example.com/~user/index.html');
	await page.click('#copy');
	await page.waitForFunction(() => document.getElementById('copy').textContent === 'Copied');
	assert.equal(await page.evaluate(() => navigator.clipboard.readText()), 'https://example.com/~user/index.html');
}, '', { permissions: ['clipboard-read', 'clipboard-write'] });
interaction('components are coloured on the text and listed', async page => {
	await type(page, 'https://user@h.example:8443/p?q#f');
	const parts = await page.$$eval('#ruler .part', spans => spans.map(span => [span.className, span.textContent]).filter(([name]) => name !== 'part'));
	assert.deepEqual(parts, [['part part-scheme', 'https'], ['part part-userinfo', 'user'], ['part part-host', 'h.example'], ['part part-port', '8443'], ['part part-path', '/p'], ['part part-query', 'q'], ['part part-fragment', 'f']]);
	assert.deepEqual(await page.$$eval('#parts dt', all => all.map(each => each.textContent)), ['scheme', 'userinfo', 'host', 'port', 'path', 'query', 'fragment']);
});
interaction('findings stand under their octets', async page => {
	await type(page, TWO_HOSTS);
	const marks = await page.$$eval('#ruler .mark', rows => rows.map(row => row.textContent));
	assert.ok(marks.includes('       ^~~~~~~~~~~~ userinfo-present') || marks.includes('       ^~~~~~~~~~~~~ userinfo-present'), marks.join('\n'));
	assert.ok(marks.includes('                  ^ backslash-authority'), marks.join('\n'));
});
interaction('a first visit shows an example, which typing replaces', async page => {
	assert.equal(await page.inputValue('#input'), TWO_HOSTS);
	assert.match(await title(page), /different places/);
	await shown(page, () => page.keyboard.type('x'));
	assert.equal(await page.inputValue('#input'), 'x');
});
interaction('readers stand side by side, with their differences marked', async page => {
	await type(page, TWO_HOSTS);
	assert.deepEqual(await page.$$eval('#readers tbody tr', rows => rows.filter(row => row.checkVisibility()).map(row => row.dataset.reader)), ['browser', 'resolver', 'regex', 'rfc3986']);
	assert.equal(await page.textContent('#readers summary'), '4 drafts of older standards, which refuse it');
	assert.equal(await page.locator('#readers tbody tr').count(), 8);
	assert.equal(await page.locator('#readers tr.silent').count(), 5);
	assert.deepEqual(await page.$$eval('#readers td.differs[data-label=host] .value', cells => cells.map(cell => cell.textContent)), ['example.net', 'example.net']);
	assert.match(await page.textContent('#readers-note'), /3 of 8 readers read it\. They differ in userinfo, host and path/);
});
interaction('a finding leads to its page, and back', async page => {
	await type(page, TWO_HOSTS);
	await page.click('#findings a >> text=backslash-authority');
	await page.waitForURL('**/findings/backslash-authority.html');
	await page.click('text=See it in the playground');
	await page.waitForSelector('body[data-state=ready]');
	assert.match(await title(page), /different places/);
});
interaction('an address without a scheme is completed by one click', async page => {
	await type(page, 'www.wikipedia.org/wiki');
	assert.match(await title(page), /A link begins with https/);
	await shown(page, () => page.click('#with-scheme'));
	assert.equal(await page.inputValue('#input'), 'https://www.wikipedia.org/wiki');
	assert.match(await title(page), /Accepted/);
});
interaction('a link that seems to lead elsewhere is named so', async page => {
	await type(page, 'https://www.paypal.com&session=81@198.51.100.7/login');
	assert.match(await page.textContent('#verdict'), /does not go where it seems to.*seems to lead to www\.paypal\.com\. Programs take that for a user, and go to 198\.51\.100\.7\./s);
});
interaction('an internal address is a caution, though all read it alike', async page => {
	await type(page, 'http://169.254.169.254/latest/meta-data/');
	assert.match(await title(page), /Take care: it leads inside a network/);
	assert.deepEqual(await chips(page), { strict: true, public: false, gateway: true });
});
interaction('octets beyond a page of text are counted, not shown', async page => {
	await type(page, `http://a.b/${'x'.repeat(8192)}`);
	assert.match(await page.textContent('#ruler'), /… and 4,107 more octets/);
	assert.ok((await idsOf(page)).includes('url-too-long'));
});

// ---- Examples, links, keyboard

interaction('examples are chosen by keyboard', async page => {
	await page.focus('#examples-open summary');
	await page.keyboard.press('Enter');
	assert.equal(await page.locator('button.example').count(), 40);
	await page.keyboard.press('Tab');
	await shown(page, () => page.keyboard.press('Enter'));
	assert.equal(await page.inputValue('#input'), TWO_HOSTS);
	assert.equal(new URL(page.url()).hash, '#text=http%3A%2F%2Fexample.com%5C%40example.net%2F');
});
interaction('the skip link leads past the navigation', async page => {
	await page.focus('.skip');
	await page.keyboard.press('Enter');
	assert.equal(new URL(page.url()).hash, '#main');
	assert.equal(await page.inputValue('#input'), TWO_HOSTS);
	await page.keyboard.press('Tab');
	assert.equal(await page.evaluate(() => document.activeElement.id), 'input');
}, fragmentOf(TWO_HOSTS));
interaction('everything is reached by Tab, in the order of the page', async page => {
	await type(page, TWO_HOSTS);
	await page.focus('#input');
	const found = [];
	for (let k = 0; k < 20; k++) {
		await page.keyboard.press('Tab');
		found.push(await page.evaluate(() => document.activeElement.id || document.activeElement.tagName));
	}
	for (const id of ['clear', 'share', 'escapes', 'kind-link', 'SUMMARY', 'readers', 'A', 'allow'])
		assert.ok(found.includes(id), `${id}: ${found}`);
});
interaction('a link carries the input and what is allowed', async page => {
	assert.equal(await page.inputValue('#input'), 'http://a\u202e.b/');
	assert.equal(await page.inputValue('#allow'), 'b.example');
	await page.click('#share');
	const link = new URL(page.url()).hash;
	await shown(page, () => page.evaluate(() => { location.hash = '#text=x'; }));
	assert.equal(await page.inputValue('#input'), 'x');
	await shown(page, () => page.evaluate(hash => { location.hash = hash; }, link));
	assert.equal(await page.inputValue('#input'), 'http://a\u202e.b/');
}, '#text=http%3A%2F%2Fa%E2%80%AE.b%2F&allow=b.example');
interaction('no server sees the input', async (page, { requests }) => {
	await type(page, 'https://secret.example/token');
	await page.click('#share');
	assert.ok(requests.every(url => !url.includes('secret') && url.startsWith(site.origin)), requests.join('\n'));
	assert.deepEqual([...new Set(requests.map(url => new URL(url).pathname))].sort(), ['/app.js', '/icon.svg', '/index.html', '/site.css'].filter(name => requests.some(url => url.endsWith(name))));
});
interaction('Clear empties the form', async page => {
	await page.click('#clear');
	assert.equal(await page.inputValue('#input'), '');
	assert.equal(await title(page), 'Paste a link');
}, fragmentOf(TWO_HOSTS));
interaction('the verdict is announced to those who listen', async page => {
	await type(page, TWO_HOSTS);
	await page.waitForFunction(() => /different places/.test(document.getElementById('said').textContent));
	assert.equal(await page.getAttribute('#said', 'role'), 'status');
});

// ---- Octets

interaction('escapes stand for octets', async page => {
	await type(page, 'http://a\\x09b.example/\\u{202e}\\xff');
	assert.ok((await idsOf(page)).includes('forbidden-char'));
	await shown(page, () => page.check('#escapes'));
	const ids = await idsOf(page);
	assert.ok(ids.includes('raw-tab') && ids.includes('non-ascii') && !ids.includes('backslash-path'), ids.join());
	assert.deepEqual(await page.$$eval('#ruler .unseen', all => all.map(each => each.textContent)), ['\\x09', 'U+202E', '\\xFF']);
});
interaction('half a surrogate is no text', async page => {
	await put(page, 'http://a.b/\ud800');
	assert.match(await title(page), /this is no text/);
	assert.deepEqual(await chips(page), { strict: false, public: false, gateway: false });
});
interaction('all lines may be one link', async page => {
	await type(page, 'http://a.b/c\nX: y');
	assert.equal(await page.isVisible('#many'), true);
	await shown(page, () => page.check('#whole'));
	assert.ok((await idsOf(page)).includes('raw-crlf'));
});
interaction('hidden characters are named', async page => {
	await type(page, 'https://example.com/\u202egpj.exe');
	assert.match(await page.textContent('#seen'), /U\+202E.*shown backwards/s);
});
interaction('a name that looks like another is a caution', async page => {
	await type(page, 'https://xn--80ak6aa92e.com/');
	assert.match(await title(page), /Take care: programs agree, people may not/);
	assert.match(await page.textContent('#seen'), /idn-whole-script-confusable/);
});
interaction('an international name is shown in its letters', async page => {
	await type(page, 'https://xn--mller-kva.de/');
	assert.match(await page.textContent('#seen'), /https:\/\/müller\.de\//);
});

// ---- Requests

interaction('a request target is judged with its Host field', async page => {
	await type(page, 'http://other.example/a');
	await page.focus('#kind-link');
	await shown(page, () => page.keyboard.press('ArrowRight'));
	assert.equal(await page.isVisible('#host'), true);
	assert.ok((await idsOf(page)).includes('host-header-mismatch'));
	await shown(page, () => page.fill('#host', 'other.example'));
	assert.ok(!(await idsOf(page)).includes('host-header-mismatch'));
});
interaction('a request without a Host field is another thing', async page => {
	await shown(page, () => page.check('#kind-request'));
	await type(page, '/a');
	const report = (await chips(page)).gateway;
	await shown(page, () => page.check('#no-host'));
	assert.deepEqual([report, (await chips(page)).gateway], [true, false]);
});
interaction('the method matters to the form of a target', async page => {
	await shown(page, () => page.check('#kind-request'));
	await type(page, 'example.com:443');
	assert.equal((await chips(page)).gateway, false);
	await shown(page, () => page.fill('#host', 'example.com:443'));
	await shown(page, () => page.fill('#method', 'CONNECT'));
	assert.ok(!(await idsOf(page)).includes('target-form'));
});

// ---- Policies

interaction('a policy in YAML has its verdict', async page => {
	await type(page, 'https://evil.example/');
	assert.equal((await chips(page)).yours, undefined);
	await page.focus('#own summary');
	await shown(page, () => page.keyboard.press('Enter'));
	assert.equal((await chips(page)).yours, false);
	await shown(page, () => page.fill('#policy', 'base: strict\nhosts:\n  allow: [evil.example]\n'));
	assert.equal((await chips(page)).yours, true);
});
interaction('faults of a policy have line, column and what was meant', async page => {
	await shown(page, () => page.click('#own summary'));
	for (const [yaml, problem] of [['base: publc\n', /1:7 .*did you mean "public"/], ['base: public\nhosts:\n  allow: [a b]\n', /3:\d+ /], ['base: *x\n', /1:7 .*needs quotes/], ['', /1:1 nothing is set/], ['include: [x]\n', /1:10 .*no other file/]]) {
		await shown(page, () => page.fill('#policy', yaml));
		assert.match(await page.textContent('#problems'), problem, yaml);
		assert.equal(await page.getAttribute('#policy', 'aria-invalid'), 'true');
	}
	await shown(page, () => page.fill('#policy', 'base: any\n'));
	assert.equal(await page.textContent('#problems'), '');
});

// ---- The allowlist tester

interaction('the allowlist tester says which checks are fooled', async page => {
	await type(page, 'https://example.com.evil.example/');
	assert.match(await page.textContent('#fooled'), /\d+ of 18 checks are fooled/);
	const states = await page.$$eval('.checks tbody tr', rows => rows.map(row => [row.querySelector('code').textContent, row.dataset.state]));
	assert.equal(states.find(([code]) => code.startsWith("url.startsWith('https://example.com')"))[1], 'fooled');
	assert.equal(states.find(([code]) => code.startsWith('urlparse(url).hostname'))[1], 'stops');
	assert.equal(states.at(-1)[1], 'stops');
});
interaction('the allowlist tester lets the host pass', async page => {
	await type(page, 'https://www.example.org/');
	await shown(page, () => page.fill('#allow', 'example.org'));
	assert.match(await page.textContent('#fooled'), /No check is fooled/);
	assert.equal(await page.getAttribute('.checks .ours', 'data-state'), 'right');
	await shown(page, () => page.fill('#allow', 'no host!'));
	assert.equal(await page.getAttribute('#allow', 'aria-invalid'), 'true');
});

// ---- Many lines

interaction('many lines are a table, of which one is opened', async page => {
	await type(page, `https://a.example/\n${TWO_HOSTS}\n\nHTTPS://Example.com/\nhttp://10.0.0.1/`);
	assert.equal(await page.locator('.many tbody tr').count(), 4);
	const verdicts = await page.$$eval('.many tbody tr', rows => rows.map(row => Array.from(row.querySelectorAll('[data-policy]'), cell => cell.classList.contains('accept'))));
	assert.deepEqual(verdicts, [[true, false, true], [false, false, false], [false, false, false], [true, false, true]].map((row, k) => k === 0 ? verdicts[0] : row));
	assert.match(await page.textContent('.many tbody tr:nth-child(3)'), /scheme-case.*https:\/\/example\.com\//s);
	await shown(page, () => page.click('.many tbody tr:nth-child(2) button'));
	assert.equal(await page.inputValue('#input'), TWO_HOSTS);
});
interaction('thousands of lines are counted, and the first ones shown', async page => {
	await put(page, Array.from({ length: 20000 }, (_, k) => k % 2 ? 'https://www.wikipedia.org/' : 'http://a@b/').join('\n'));
	assert.match(await page.textContent('#many'), /20,000 lines: strict accepts 10,000; public accepts 10,000/);
	assert.equal(await page.locator('.many tbody tr').count(), 500);
});

// ---- Catalogue and other pages

test('the catalogue is searched by words and class', async () => {
	const { page, wrong, context } = await openPage(browser);
	await page.goto(`${site.origin}/findings/`);
	const visible = () => page.$$eval('#rows li:not([hidden]) a', all => all.map(each => each.textContent));
	const all = await visible(), classes = await page.$$eval('#rows li', rows => rows.map(row => [row.dataset.class, row.querySelector('.tag').textContent]));
	assert.deepEqual([...new Set(classes.map(([name]) => name))], ['malformed', 'dangerous', 'ambiguous', 'policy', 'note']);
	assert.deepEqual(classes.map(([name]) => name), classes.map(([, tag]) => tag), 'the words of the command');
	assert.deepEqual(classes.map(([name]) => name).filter((name, k, each) => name !== each[k - 1]).length, 5, 'sorted by class');
	await page.fill('#words', 'backslash host');
	assert.ok((await visible()).includes('backslash-authority') && (await visible()).length < all.length);
	await page.fill('#words', '');
	await page.selectOption('#class', 'dangerous');
	assert.ok((await visible()).includes('scheme-script') && !(await visible()).includes('backslash-authority'));
	await page.fill('#words', 'no such words');
	assert.match(await page.textContent('#count'), /Nothing is found/);
	assert.deepEqual(wrong, []);
	await context.close();
});

test('each finding has a page, at the address without .html too', async () => {
	const ids = judgedByCommand([Buffer.from('http://example.com\\@example.net/')])[0].findings.map(({ id }) => id);
	for (const id of ids) {
		const answer = await fetch(`${site.origin}/findings/${id}`);
		assert.equal(answer.status, 200);
		assert.match(await answer.text(), new RegExp(`<h1><code>${id}</code></h1>`));
	}
	assert.equal(readdirSync(path.join(folder, 'findings')).length > 200, true);
});

test('a finding names first who reads it unlike most', () => {
	const counts = name => Array.from(/ran on .*?<tbody>(.*?)<\/tbody>/s.exec(readFileSync(path.join(folder, 'findings', name), 'utf8'))?.[1].matchAll(/<td>(.*?)<\/td>/g) ?? [], ([, readers]) => readers.split(',').length);
	const lists = readdirSync(path.join(folder, 'findings')).map(counts).filter(list => list.length > 0);
	assert.ok(lists.length > 50);
	for (const list of lists)
		assert.deepEqual(list, [...list].sort((a, b) => a - b));
});

const documents = ['docs', 'man'].flatMap(name => readdirSync(path.join(folder, name)).map(each => `${name}/${each}`));
const articleOf = name => /<article class="prose">(.*)<\/article>/s.exec(readFileSync(path.join(folder, name), 'utf8'))[1];

test('pandoc and mandoc write no class that our style gives another meaning', () => {
	const styled = new Set(Array.from(readFileSync(path.join(folder, 'site.css'), 'utf8').matchAll(/\.([a-z][\w-]*)/g), ([, name]) => name));
	const written = new Set(documents.flatMap(name => Array.from(articleOf(name).matchAll(/ class="([^"]*)"/g), ([, names]) => names.split(' '))).flat());
	assert.deepEqual([...written].filter(name => styled.has(name)).sort(), ['number', 'permalink']);
});

for (const width of [1280, 390])
	test(`documents are not cut, and their words not broken, at ${width} pixels`, async () => {
		const { page, context } = await openPage(browser, { viewport: { width, height: 900 } });
		for (const name of documents) {
			await page.goto(`${site.origin}/${name}`);
			const { cut, broken, titles } = await page.evaluate(() => ({
				cut: Array.from(document.querySelectorAll('pre'), each => each.scrollWidth - each.clientWidth).filter(each => each > 1).length,
				broken: Array.from(document.querySelectorAll('td code, th code')).filter(each => /^\w{1,24}$/.test(each.textContent) && each.getClientRects().length > 1).map(each => each.textContent),
				titles: document.querySelectorAll('h1').length,
			}));
			assert.deepEqual([width > 1000 ? cut : 0, broken, titles], [0, [], 1], name);
		}
		await context.close();
	});

test('each page leads to the source', () => {
	const [, link] = /<a href="([^"]*)">source<\/a>/.exec(readFileSync(path.join(folder, 'index.html'), 'utf8'));
	const names = execFileSync('tar', ['-tzf', path.join(folder, link)], { encoding: 'utf8' });
	assert.match(names, /^urivet-[\d.]+\/README\.md$/m);
	assert.match(names, /^urivet-[\d.]+\/src\/core\//m);
});

test('every page has a strict security policy, and no script or style of its own', () => {
	let count = 0;
	for (const name of readdirSync(folder, { recursive: true }).filter(each => each.endsWith('.html'))) {
		const page = readFileSync(path.join(folder, name), 'utf8');
		assert.match(page, /<meta http-equiv="Content-Security-Policy" content="default-src 'none'/, name);
		assert.ok(!/unsafe-(?:inline|eval|hashes)/.test(page.replaceAll("'wasm-unsafe-eval'", '').split('</head>')[0]), name);
		if (/^lab.(?:zoo|wire|differential)\.html$/.test(name))
			continue; // pages of the laboratories: their own script and style, by digest
		assert.match(page, /require-trusted-types-for 'script'; trusted-types 'none'/, name);
		assert.ok(!/<style|\sstyle=|<script(?! src="(?:\.\.\/)?(?:app|search)\.js" defer)|\son[a-z]+=|javascript:(?=[^<]*>)/.test(page), name);
		count++;
	}
	assert.ok(count > 250);
});

test('the page works from a file', async () => {
	const { page, wrong, context } = await openPlayground(browser, `file://${folder}`, fragmentOf(TWO_HOSTS));
	assert.match(await title(page), /different places/);
	assert.deepEqual(wrong, []);
	await context.close();
});

test('without WebAssembly the page says so, and the catalogue works', async () => {
	const { page, context } = await openPage(browser);
	await page.addInitScript(() => { delete globalThis.WebAssembly; });
	await page.goto(`${site.origin}/index.html`);
	await page.waitForSelector('body[data-state=failed]');
	assert.match(await page.textContent('#verdict'), /needs WebAssembly/);
	await page.click('#verdict a');
	assert.equal(await page.textContent('h1'), 'Findings');
	await context.close();
});

test('without scripts the catalogue and the documentation are read', async () => {
	const { page, context } = await openPage(browser, { javaScriptEnabled: false });
	await page.goto(`${site.origin}/index.html`);
	assert.match(await page.textContent('#verdict'), /needs JavaScript/);
	await page.goto(`${site.origin}/findings/userinfo-misleading`);
	assert.match(await page.textContent('article'), /userinfo looks like a host/);
	await context.close();
});

// ---- Hostile input

const MARKUP = ['<img src=http://evil.example/x onerror=alert(1)>', '"><script>alert(1)</script>', "'--><svg onload=alert(1)>", 'javascript:alert(1)', '{{constructor.constructor("alert(1)")()}}', '</textarea><iframe srcdoc="<script>alert(1)</script>">',
	'data:text/html,<script>alert(1)</script>', 'https://a.b/<b>x</b>', '\u2028alert(1)', '__proto__', 'constructor', '&lt;script&gt;alert(1)&lt;/script&gt;'];

interaction('hostile input is text everywhere', async (page, { requests }) => {
	const loaded = requests.length;
	await shown(page, () => page.click('#own summary'));
	for (const text of MARKUP) {
		for (const field of ['#input', '#allow', '#policy'])
			await shown(page, () => page.fill(field, `${text} ${field}`));
		await type(page, `${text}\n${text}`);
		await type(page, text);
		const state = `#text=${encodeURIComponent(text)}&allow=${encodeURIComponent(text)}&host=${encodeURIComponent(text)}&kind=request&method=${encodeURIComponent(text)}&yaml=${encodeURIComponent(`${text}: x`)}`;
		await shown(page, () => page.evaluate(hash => { location.hash = hash; }, state));
		assert.equal(await page.inputValue('#method'), text.replaceAll('\n', ''));
		await shown(page, () => page.check('#kind-link'));
	}
	assert.equal(await page.locator('main :is(img, script, iframe, svg, object, embed, style, b > b)').count(), 0);
	assert.equal(await page.locator('main a:not([href^="findings/"]):not([href^="#"]):not([href^="man/"]):not([href^="docs/"])').count(), 0);
	assert.deepEqual(requests.slice(loaded).filter(url => url !== `${site.origin}/icon.svg`), []); // which Chromium asks for after each change of the fragment
});

interaction('the whole corpus is shown without a fault', async (page, { requests }) => {
	const loaded = requests.length, files = corpusFiles().map(octets => ({ escaped: escaped(octets.subarray(0, 9000)), text: octets.toString('latin1') }));
	assert.ok(files.length > 1000);
	for (let first = 0; first < files.length; first += 100) {
		const faults = await page.evaluate(async some => {
			const [input, escapes, whole] = ['input', 'escapes', 'whole'].map(id => document.getElementById(id)), faults = [];
			const show = async (text, isEscaped, isWhole) => {
				const before = document.body.dataset.renders;
				[input.value, escapes.checked, whole.checked] = [text, isEscaped, isWhole];
				input.dispatchEvent(new Event('input', { bubbles: true }));
				for (let k = 0; k < 6000 && document.body.dataset.renders === before; k++)
					await new Promise(requestAnimationFrame);
				if (document.body.dataset.renders === before || document.querySelector('main img, main script, main iframe, main svg'))
					faults.push(text.slice(0, 200));
			};
			for (const [k, { escaped, text }] of some.entries())
				await (k % 2 ? show(escaped, true, true) : show(text, false, text.length % 2 === 0));
			return faults;
		}, files.slice(first, first + 100));
		assert.deepEqual(faults, []);
	}
	assert.equal(requests.length, loaded);
});

interaction('large and odd inputs are answered', async page => {
	for (const text of ['a'.repeat(8192), `http://${'a.'.repeat(500000)}/`, '\x00\x01\x02\x7f\x80', '\ud83d'.repeat(1000), `${'http://a@b/'.repeat(1)}\n`.repeat(90000), '%'.repeat(65536), '\u0301'.repeat(5000), '\u202e'.repeat(5000)]) {
		await put(page, text);
		assert.notEqual(await title(page), 'Paste a link');
	}
});

// ---- The same answers as the command's

interaction('1,000 URLs have the answers of the command', async page => {
	const inputs = urls().slice(0, 1200), [strict, open, gateway] = ['strict', 'public', 'gateway'].map(name => judgedByCommand(inputs, `--policy=${name}`, ...name === 'strict' ? ['--readings'] : []));
	assert.ok(inputs.length >= 1000, `${inputs.length} inputs`);
	await shown(page, () => page.check('#escapes'));
	let suggestions = 0;
	for (let first = 0; first < inputs.length; first += 100) {
		const answers = await page.evaluate(async texts => {
			const input = document.getElementById('input'), found = [];
			for (const text of texts) {
				const before = document.body.dataset.renders;
				input.value = text;
				input.dispatchEvent(new Event('input', { bubbles: true }));
				while (document.body.dataset.renders === before)
					await new Promise(requestAnimationFrame);
				found.push({
					verdicts: Array.from(document.querySelectorAll('.chip'), chip => chip.classList.contains('accept')),
					ids: Array.from(document.querySelectorAll('#findings li'), row => row.dataset.id),
					octets: Array.from(document.querySelectorAll('#findings li p:nth-of-type(2)'), row => Number(/\d+/.exec(row.textContent)[0]) - 1),
					hosts: Object.fromEntries(Array.from(document.querySelectorAll('#readers tbody tr'), row => [row.dataset.reader, row.classList.contains('silent') ? null : row.querySelector('[data-label=host] .value')?.textContent ?? ''])),
					suggestion: document.getElementById('suggestion')?.textContent ?? null,
				});
			}
			return found;
		}, inputs.slice(first, first + 100).map(escaped));
		answers.forEach((ours, k) => {
			const n = first + k, name = JSON.stringify(inputs[n].toString('latin1'));
			assert.deepEqual(ours.verdicts, [strict, open, gateway].map(each => each[n].verdict === 'accept'), name);
			const findings = (strict[n].verdict === 'accept' ? open : strict)[n].findings.filter(({ id }) => id !== 'readers-disagree');
			assert.deepEqual(ours.ids, findings.map(({ id }) => id), name);
			assert.deepEqual(ours.octets, findings.map(({ offset }) => offset), name);
			for (const { reader, reads, components } of strict[n].readings)
				if (!reads || /^[\x21-\x7e]+$/.test(components.host ?? ''))
					assert.equal(ours.hosts[reader], reads ? components.host : null, `${name}: ${reader}`);
			const suggestion = strict[n].suggestion ?? null;
			if (suggestion !== null && suggestion !== inputs[n].toString('latin1')) {
				assert.equal(ours.suggestion, suggestion, name);
				suggestions++;
			}
		});
	}
	assert.ok(suggestions > 50, `${suggestions} suggestions`);
});

// ---- For people

async function violations(page) {
	return (await page.evaluate(async () => (await axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })).violations))
		.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary}`).join(' | ')}`);
}

for (const colorScheme of ['light', 'dark'])
	test(`axe-core has nothing to say (${colorScheme})`, async () => {
		const { page, context } = await openPage(browser, { colorScheme, bypassCSP: true });
		const states = ['', '#text=', fragmentOf(TWO_HOSTS), fragmentOf('https://a.example/'), fragmentOf('http://a.b/\nhttp://c@d/'), '#text=%2Fa&kind=request', fragmentOf('https://xn--80ak6aa92e.com/')];
		for (const name of [...states.map(state => `index.html${state}`), 'findings/', 'findings/backslash-authority', 'docs/', 'docs/src-gateway', 'man/urivet-policy.5', 'lab/']) {
			await page.goto('about:blank');
			await page.goto(`${site.origin}/${name}`);
			if (name.startsWith('index'))
				await page.waitForSelector('body[data-state=ready]');
			await page.evaluate(() => document.querySelectorAll('details').forEach(each => { each.open = true; }));
			await page.evaluate(axeSource);
			assert.deepEqual(await violations(page), [], name);
		}
		await context.close();
	});

test('pages fit a phone', async () => {
	const { page, context } = await openPage(browser, { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true });
	for (const name of ['index.html', `index.html${fragmentOf(TWO_HOSTS)}`, `index.html${fragmentOf(`https://${'a'.repeat(300)}.example/${'b'.repeat(3000)}`)}`, `index.html${fragmentOf('http://a.b/\nhttp://c@d/')}`, 'findings/', 'findings/escaped-slash', 'docs/', 'docs/src-gateway', 'man/urivet-check.1', 'lab/']) {
		await page.goto('about:blank');
		await page.goto(`${site.origin}/${name}`);
		if (name.startsWith('index'))
			await page.waitForSelector('body[data-state=ready]');
		assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360, name);
	}
	await context.close();
});

test('the playground is small', async context_ => {
	const sizes = ['index.html', 'app.js', 'site.css', 'icon.svg'].map(name => gzipSync(readFileSync(path.join(folder, name)), { level: 9 }).length), sum = sizes.reduce((a, b) => a + b);
	assert.ok(sum <= MOST_OCTETS, `${sum} octets`);
	const { page, context } = await openPage(browser), session = await context.newCDPSession(page);
	await session.send('Network.enable');
	await session.send('Network.emulateNetworkConditions', { offline: false, latency: 20, downloadThroughput: 4e6 / 8, uploadThroughput: 3e6 / 8 });
	const start = performance.now();
	await page.goto(`${site.origin}/index.html${fragmentOf(TWO_HOSTS)}`);
	await page.waitForSelector('.chip');
	context_.diagnostic(`site: ${sum} octets gzipped; a verdict ${Math.round(performance.now() - start)} ms after the request, by 4G of 4 Mbit/s`);
	await context.close();
});

// ---- How the pages look: the mean lightness of each cell of a grid, so that fonts of other versions do not matter

const VIEWS = [['empty', 'index.html#text=', {}], ['two-hosts', `index.html${fragmentOf(TWO_HOSTS)}`, {}], ['dark', `index.html${fragmentOf(TWO_HOSTS)}`, { colorScheme: 'dark' }], ['phone', `index.html${fragmentOf(TWO_HOSTS)}`, { viewport: { width: 390, height: 800 } }],
	['finding', 'findings/backslash-authority', {}], ['manual', 'man/urivet-check.1', {}]];
const GRID = [12, 10], FARTHEST = 24, MOST_FAR = 8; // of 255; and so many cells may be farther

async function lightness(page) {
	const picture = (await page.screenshot()).toString('base64');
	return page.evaluate(async ([data, [columns, rows]]) => {
		const octets = Uint8Array.from(atob(data), c => c.charCodeAt(0)), image = await createImageBitmap(new Blob([octets], { type: 'image/png' })), canvas = new OffscreenCanvas(columns, rows), context = canvas.getContext('2d');
		context.imageSmoothingQuality = 'high';
		context.drawImage(image, 0, 0, columns, rows);
		const { data: pixels } = context.getImageData(0, 0, columns, rows);
		return Array.from({ length: columns * rows }, (_, k) => Math.round((pixels[4 * k] + pixels[4 * k + 1] + pixels[4 * k + 2]) / 3));
	}, [picture, GRID]);
}

test('the pages look as recorded', async () => {
	const found = [];
	for (const [name, address, options] of VIEWS) {
		const { page, context } = await openPage(browser, { viewport: { width: 1000, height: 800 }, ...options });
		await page.goto(`${site.origin}/${address}`);
		if (address.startsWith('index'))
			await page.waitForSelector('body[data-state=ready]');
		await page.evaluate(() => document.activeElement.blur());
		found.push([name, await lightness(page)]);
		await context.close();
	}
	if (process.env.SITE_RECORD)
		writeFileSync(LOOKS, `# SPDX-License-Identifier: Apache-2.0\n# Lightness of ${GRID.join(' by ')} cells of each view, 0 to 255. SITE_RECORD=1 sh tests/site/run.sh writes this file.\n${found.map(([name, cells]) => `${name}\t${cells.join(' ')}\n`).join('')}`);
	const recorded = new Map(readFileSync(LOOKS, 'utf8').split('\n').filter(line => line && !line.startsWith('#')).map(line => line.split('\t')));
	for (const [name, cells] of found) {
		const far = recorded.get(name).split(' ').map(Number).filter((cell, k) => Math.abs(cell - cells[k]) > FARTHEST).length;
		assert.ok(far <= MOST_FAR, `${name}: ${far} of ${cells.length} cells are lighter or darker than recorded`);
	}
});
