// SPDX-License-Identifier: Apache-2.0
// Request targets as a browser writes them: path and query by the WHATWG parser of Node.
//
//   node targets.js real <URLS               of each http and https URL of the input, a line each
//   node targets.js international COUNT SEED WORDS.tsv
//                                            of URLs made of words in several languages
//   node targets.js titles COUNT SEED WORDS.tsv
//                                            whole URLs with titles, as a browser's address bar copies them
'use strict';
const fs = require('fs');

function target(url) {
	const u = new URL(url);
	return u.pathname + u.search;
}

function real() {
	const targets = [];
	for (const url of fs.readFileSync(0, 'utf8').split('\n'))
		if (/^https?:/i.test(url) && URL.canParse(url))
			targets.push(target(url));
	return targets;
}

// Numbers from a seed, the same everywhere (mulberry32).
function numbers(seed) {
	let state = seed >>> 0;
	return n => {
		state = (state + 0x6d2b79f5) >>> 0;
		let t = Math.imul(state ^ (state >>> 15), state | 1);
		t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
		return ((t ^ (t >>> 14)) >>> 0) % n;
	};
}

const form = pairs => new URLSearchParams(pairs).toString();
const component = encodeURIComponent;

// w() is a word, e() an emoji, n(k) a number below k. What a link or an address bar holds, raw or
// as scripts escape it; the words of one URL are of one language.
const PATHS = [
	(w, e, n) => `/wiki/${w()}`,
	(w, e, n) => `/wiki/${w().replace(/ /g, '_')}`,
	(w, e, n) => `/${w()}/${w()}/${n(1000)}`,
	(w, e, n) => `/blog/${2000 + n(27)}/${1 + n(12)}/${w()}.html`,
	(w, e, n) => `/tag/${component(w())}`,
	(w, e, n) => `/tag/${component(w() + ' ' + e())}`,
	(w, e, n) => `/${w()} ${e()} ${w()}`,
	(w, e, n) => `/${e()}/${w()}!`,
	(w, e, n) => `/files/${w()} (${n(9)}).pdf`,
	(w, e, n) => `/@${component(w())}/${n(1e9)}`,
	(w, e, n) => `/maps/place/${w().replace(/ /g, '+')}/@${n(90)}.${n(1e6)},-${n(180)}.${n(1e6)},${n(20)}z`,
	(w, e, n) => `/catalog/${w()}:${w()},${w()}`,
	(w, e, n) => '/search',
	(w, e, n) => '/api/v1/items',
	(w, e, n) => '/',
];

// What a path of gateway does not take, though people do put it into titles: rare, as it is.
const AWKWARD = [
	(w, e, n) => `/wiki/${component(w() + '?')}`,
	(w, e, n) => `/sale/${component(n(100) + ' % ' + w())}`,
	(w, e, n) => `/artist/${component(w() + '/' + w())}`,
];

const QUERIES = [
	(w, e, n) => `q=${w()}`,
	(w, e, n) => `q=${component(w())}&page=${n(30)}`,
	(w, e, n) => form({q: w(), lang: 'x'}),
	(w, e, n) => form({utf8: '✓', 'user[name]': w(), 'user[note]': `~${w()}~`, commit: e()}),
	(w, e, n) => `ids[]=${n(9)}&ids[]=${n(9)}&filter[name]=${w()}`,
	(w, e, n) => `q=${w()}|${w()}`,
	(w, e, n) => `next=${component('/' + w() + '?a=1&b=' + component(w()))}`,
	(w, e, n) => `u=${component('https://www.example.com/' + component(w()) + '?x=' + component(component(w())))}`,
	(w, e, n) => `url=https://www.example.com:8443/${w()}?a=b`,
	(w, e, n) => `filter={"name":"${w()}","tags":["${w()}",${n(9)}]}`,
	(w, e, n) => `filter=${component(JSON.stringify({name: w(), n: [n(9), {a: e()}]}))}`,
	(w, e, n) => `$filter=name eq '${w()}' and n gt ${n(9)}&$top=${n(50)}`,
	(w, e, n) => `q=tag:"${w()}" AND -${w()}^${n(9)}`,
	(w, e, n) => `from=2026-11-${10 + n(20)}T${10 + n(10)}:30:00+01:00&title=${w()}`,
	(w, e, n) => `date=2026-11-22T12:30:00Z&tz=Europe/Paris&w=${w()}`,
	(w, e, n) => `sig=${Buffer.from(w()).toString('base64')}&t=${n(1e9)}`,
	(w, e, n) => `name=${['%E9t%E9', '%DCbung', '%CC%EE%F1%EA%E2%E0', '%93%8C%8B%9E'][n(4)]}`,
	(w, e, n) => `title=${w()}${e()}!&emoji=${component(e())}`,
	(w, e, n) => `redirect_uri=${component('com.example.app:/cb')}&scope=openid%20email&state=${component(w())}`,
	(w, e, n) => `tpl={${n(9)}}&path=C:\\${w()}\\x&code=\`${n(9)}\`;${n(9)};`,
	(w, e, n) => `${component(w())}&&a=&=${w()}&discount=${n(100)}%`,
	(w, e, n) => `callback=jQuery${n(1e9)}_${n(1e9)}&_=${n(1e9)}&term=${w()}`,
	(w, e, n) => `utm_source=${w()}&utm_campaign=${e()}&fbclid=IwAR${n(1e9)}`,
];

// t() is a title: words, the punctuation of their language, an emoji.
const TITLE_PATHS = [
	(t, n) => `/${component(t())}`,
	(t, n) => `/wiki/${t().replace(/ /g, '_')}`,
	(t, n) => `/tags/${t()}/`,
	(t, n) => `/blog/${2000 + n(27)}/${1 + n(12)}/${t()}.html`,
	(t, n) => `/${t()}/${t()}/${n(1e6)}`,
];
const TITLE_QUERIES = [
	(t, n) => '',
	(t, n) => `?q=${t()}`,
	(t, n) => `?phone=49${n(1e9)}&text=${component(t())}`,
	(t, n) => `?${form({title: t(), page: n(30)})}`,
];
const TITLE_LANGUAGES = ['ar', 'hi', 'ja', 'ko', 'pt', 'zh'];

function vocabulary(file) {
	const words = {};
	for (const line of fs.readFileSync(file, 'utf8').split('\n'))
		if (line !== '' && !line.startsWith('#')) {
			const [language, ...some] = line.split('\t');
			(words[language] ||= []).push(...some);
		}
	return words;
}

function titles(count, seed, file) {
	const words = vocabulary(file), n = numbers(seed), one = list => list[n(list.length)];
	const urls = [];
	for (let k = 0; k < count; k++) {
		const language = TITLE_LANGUAGES[k % TITLE_LANGUAGES.length];
		const mark = () => [...one(words[n(500) === 0 ? 'rare-marks' : language + '-marks'])];
		const part = () => { // every second with a mark after the word, or around it
			const word = one(words[language]), [open, close] = n(2) === 0 ? [''] : mark();
			return close === undefined || close === open ? word + open : open + word + close;
		};
		const t = () => part() + part() + (n(4) === 0 ? ` ${one(words.emoji)}` : '') + (n(4) === 0 ? ` ${part()}` : '');
		urls.push(new URL('https://www.example.com' + one(TITLE_PATHS)(t, n) + one(TITLE_QUERIES)(t, n)).href);
	}
	return urls;
}

function international(count, seed, file) {
	const words = vocabulary(file), n = numbers(seed);
	const languages = Object.keys(words).filter(l => l !== 'emoji' && !l.endsWith('-marks'));
	const one = list => list[n(list.length)];
	const targets = [];
	for (let k = 0; k < count; k++) {
		const own = words[languages[k % languages.length]];
		const w = () => one(own), e = () => one(words.emoji);
		const path = one(n(400) === 0 ? AWKWARD : PATHS)(w, e, n);
		const query = n(3) === 0 ? '' : '?' + one(QUERIES)(w, e, n);
		targets.push(target('https://www.example.org' + path + query));
	}
	return targets;
}

const [mode, count, seed, file] = process.argv.slice(2);
const made = mode === 'real' ? real() : {international, titles}[mode](Number(count), Number(seed), file);
process.stdout.write(made.map(t => t + '\n').join(''));
