// SPDX-License-Identifier: Apache-2.0
// Links in text that comes in pieces, in the tokens of markdown-it, and in Markdown in pieces as others render it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { alone, client, require, tables } from './fixtures.mjs';

const { ScanStream, policy, scan } = require('./urivet.cjs'), markdownIt = alone.skip ? () => ({ linkify: new Map() }) : require('markdown-it');
const { markdownLinks, markdownStream } = require('./markdown.cjs'), commonmark = client('commonmark');
const { marked } = client('marked'), [{ micromark }, { gfm, gfmHtml }, { fromMarkdown }, { gfmFromMarkdown }] = await Promise.all(
	['micromark', 'micromark-extension-gfm', 'mdast-util-from-markdown', 'mdast-util-gfm'].map(name => alone.skip ? {} : import(require.resolve(name))));

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
	for (const call of ['feed', 'close'])
		assert.throws(() => stream[call]('x'), /closed/);
	for (const options of ['public', { polcy: 'public' }, { policy: 7 }, { policy: 'pubic' }])
		assert.throws(() => new ScanStream(options), options.policy === 'pubic' ? RangeError : TypeError);
});

// What markdown-it renders: the same as without the plugin, but for what is refused.
const filtered = (text, { html = false, ...options } = {}) => {
	const refused = [];
	const made = markdownIt({ linkify: true, html }).use(markdownLinks, { onRefused: ({ kind, ids }) => refused.push(`${kind} ${ids}`), ...options }).render(text);
	return { made: made.trim(), refused };
};

test('links, images and HTML of Markdown', alone, () => {
	const cases = JSON.parse(readFileSync(new URL('../markdown.json', import.meta.url)));
	for (const { text, made, refused, ...options } of cases)
		assert.deepEqual(filtered(text, options), { made, refused }, text);
	for (const [shown, isRefused] of [['paypal.com', true], ['(PayPal.com).', true], ['pay**pal**.com', true], ['paypal\u3002com', true], ['b\u00fccher.de', true], ['see paypal.com now', true],
		['wikipedia.org', false], ['Node.js', false], ['README.md', false], ['e.g. this', false], ['WWW.WIKIPEDIA.ORG', false]])
		for (const refused of [filtered(`[${shown}](https://www.wikipedia.org/)`).refused.length > 0, !renderers.commonmark(streamed(`[${shown}](https://www.wikipedia.org/)`)).some(({ text }) => text !== 'https://www.wikipedia.org/')])
			assert.equal(refused, isRefused, shown);
});

test('the plugin: tokens of others, and options', alone, () => {
	const others = md => md.core.ruler.push('others', state => {
		const token = new state.Token('video', 'video', 0);
		token.attrs = [['src', 'http://10.0.0.1/'], ['class', 'x']];
		state.tokens.push(token);
	});
	for (const [md, src] of [[markdownIt().use(others).use(markdownLinks), 'about:invalid'], [markdownIt().use(others), 'http://10.0.0.1/']])
		assert.equal(md.render(''), `<video src="${src}" class="x">`);
	for (const options of [{ polcy: 'public' }, { policy: 7 }, { onRefused: 7 }, 'public', { policy: 'pubic' }, { base: 7 }])
		assert.throws(() => markdownIt().use(markdownLinks, options).render('[a](b)'), options.policy === 'pubic' ? RangeError : TypeError);
});

const streamed = (text, options, size = text.length || 1, by = 'public') => {
	const stream = markdownStream(by, options);
	let made = '';
	for (let at = 0; at < text.length; at += size)
		made += stream.push(text.slice(at, at + size)) + stream.push('');
	return made + stream.end();
};

// What renderers make of Markdown: targets of links and images, and HTML that was in the text.
const plainOf = html => html.replace(/&(amp|lt|gt|quot|#39);/g, (all, name) => ({ amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" })[name]);
const tagsOf = html => [...html.matchAll(/<\/?([a-z!?][^\s>]*)([^>]*)>([^<]*)/gi)].flatMap(([all, tag, attributes, text]) => !/^(p|em|strong|code|pre|[uo]l|li|h\d|hr|br|blockquote|table|t[rhd]|thead|tbody|del|s|input|a|img)$/.test(tag) ? [{ url: all }]
	: [...attributes.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, url]) => ({ url: plainOf(url), text: plainOf(text) })));
const linksOf = node => [...(['link', 'image', 'definition'].includes(node.type) ? [node] : node.type === 'html' ? [{ url: node.value }] : []), ...(node.children ?? []).flatMap(linksOf)];
const lenient = markdownIt({ linkify: true, html: true });
lenient.linkify.set({ fuzzyIP: true });
const renderers = {
	'markdown-it': text => tagsOf(lenient.render(text)),
	commonmark: text => tagsOf(new commonmark.HtmlRenderer().render(new commonmark.Parser().parse(text))),
	marked: text => tagsOf(marked.parse(text)),
	micromark: text => tagsOf(micromark(text, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true, allowDangerousProtocol: true })),
	remark: text => linksOf(fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })), // as react-markdown with remark-gfm
};

test('tokens as a renderer has them', () => {
	for (const { options, tokens, made, refused } of tables.tokens) {
		let walk, found = [];
		markdownLinks({ core: { ruler: { push: (name, rule) => { walk = rule; } } } }, { ...options, onRefused: ({ kind, url, ids }) => found.push(`${kind} ${url} ${ids}`) });
		walk({ tokens });
		assert.deepEqual([tokens.map(({ attrs, content }) => attrs?.map(([, value]) => value).join(' ') ?? content), found], [made, refused]);
	}
});

test('Markdown in pieces', () => {
	for (const [text, made, { refused, ...options } = {}] of tables.streamed)
		for (let size = 1; size <= text.length + 1; size++) {
			const found = [];
			assert.equal(streamed(text, { ...options, onRefused: ({ kind, url, ids }) => found.push(`${kind} ${url} ${ids}`) }, size), made, `${size}`);
			if (size === 1 && refused)
				assert.deepEqual(found, refused, text);
		}
	const stream = markdownStream();
	assert.deepEqual(['one tw', 'o [a](https:', '//www.wikipedia.org/) b'].map(stream.push), ['one ', 'two ', '[a](<https://www.wikipedia.org/>) ']);
	for (const text of ['[', '[a](', '`', '<https:', 'http://a/', '    ', '```', '> '])
		assert.ok(markdownStream().push(text + 'a'.repeat(9000)).length > 0, text); // what is held back is bounded
	assert.throws(() => stream.push(Buffer.from('x')), TypeError);
	stream.end();
	for (const [error, call] of [[/closed/, stream.push], [/closed/, stream.end], [TypeError, () => markdownStream('public', { image: 'public' })], [RangeError, () => markdownStream('pubic')], [RangeError, () => markdownStream('public', { images: 'x' })]])
		assert.throws(() => call('x'), error);
});

test('no renderer makes a link of Markdown in pieces that is refused', alone, () => {
	const by = require('./policy.cjs').policy({ base: 'public', hosts: { allow: ['ok.example.com'] } }), isGood = ({ url }) => by.ok(url);
	let state = 7, kept = 0, controls = 0;
	const below = n => (state = Math.imul(state, 1103515245) + 12345 | 0, (state >>> 8) % n);
	for (let turn = 0; turn < 3000; turn++) {
		const text = Array.from({ length: 1 + below(25) }, () => tables.parts[below(tables.parts.length)]).join(''), options = turn % 4 ? {} : { images: by }, made = streamed(text, options, undefined, by);
		assert.equal(streamed(text, options, 1 + below(4), by), made, JSON.stringify(text));
		for (const [name, render] of Object.entries(renderers)) {
			const links = render(made);
			kept += links.length;
			controls += render(text).filter(link => !isGood(link)).length;
			assert.deepEqual(links.filter(link => !isGood(link)), [], `${name}: ${JSON.stringify(text)}`);
		}
	}
	assert.ok(kept > 1000 && controls > 1000, `${kept} ${controls}`);
});

test('hostile Markdown takes linear time', alone, () => {
	const time = (judge, text) => {
		const start = process.hrtime.bigint();
		judge(text);
		return Number(process.hrtime.bigint() - start) / 1e6;
	};
	const again = holds => [0, 1, 2].some(holds); // other programs may have had the processor
	for (const part of ['<a   ', '<a href="', 'x <b> ', '<div>\n<', '[a](http://u@h/) ', '[a](http://a.example/) '])
		assert.ok(again(() => time(text => filtered(text, { html: true }), part.repeat(4000)) < 40 * time(text => filtered(text, { html: true }), part.repeat(400)) + 400), part);
	for (const part of ['[', '![', '[a](', '[a](https://www.wikipedia.org/) ', '[a](u "', '` `` ', '`', '<a:', '\\', '> ', 'a.b ', '))', '\u4f60', '~~~', 'x@', '1', '\r', '    ```'])
		assert.ok(again(() => time(streamed, part.repeat(1 << 20).slice(0, 1 << 20)) < 5 * time(streamed, part.repeat(1 << 18).slice(0, 1 << 18)) + 400), part);
});
