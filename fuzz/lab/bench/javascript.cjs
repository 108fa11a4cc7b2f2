// SPDX-License-Identifier: Apache-2.0
// node fuzz/lab/bench/javascript.cjs [BUILD]: what a verdict costs in JavaScript, beside URL.canParse and new URL, on 1,000
// distinct URLs in one run: nanoseconds a URL, the least of many rounds, each judging all of them one after the other.
const urivet = require(`${process.cwd()}/build/js/package/dist/${process.argv[2] ?? 'urivet'}.cjs`);

const urls = Array.from({ length: 1000 }, (_, k) => `https://www.example${k % 97}.com/path/to/page${k}` + (k % 2 ? `.html?id=${k * 7}` : ''));
const data = Buffer.from(urls.join('')), offsets = new Int32Array(urls.length + 1);
urls.forEach((url, k) => { offsets[k + 1] = offsets[k] + url.length; });
const open = urivet.policy('public');
const each = judge => () => urls.reduce((sum, url) => sum + judge(url), 0);
const rounds = {
	'an empty call': each(url => url.length > 0),
	'ok': each(urivet.ok),
	'ok by public': each(open.ok),
	'check': each(url => urivet.check(url).ok),
	...urivet.scan && { 'check and endpoint': each(url => urivet.check(url).endpoint.port > 0) },
	'URL.canParse': each(url => URL.canParse?.(url) ?? NaN),
	'new URL': each(url => new URL(url).port === ''),
	'checkMany of octets': () => urivet.checkMany(data, offsets).accepted,
	'checkMany of strings': () => urivet.checkMany(urls).accepted,
};
const least = {};
for (let round = 0; round < 200; round++)
	for (const [name, run] of Object.entries(rounds)) {
		const begin = process.hrtime.bigint();
		if (run() !== urls.length)
			throw new Error(`${name}: a verdict is wrong`);
		least[name] = Math.min(least[name] ?? Infinity, Number(process.hrtime.bigint() - begin) / urls.length);
	}
for (const [name, cost] of Object.entries(least))
	console.log(`${name.padEnd(22)} ${cost.toFixed(0).padStart(5)}`);
