// SPDX-License-Identifier: Apache-2.0
// node run.mjs vectors.json: does URL read the valid vectors as written?
import { readFileSync } from 'node:fs';

const file = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const tests = file.testGroups.flatMap(group => group.tests);
if (file.algorithm !== 'consensus-url' || file.version !== 1 || tests.length !== file.numberOfTests)
	throw new Error('another version of the vectors, or a file that was cut off');
const same = text => (text ?? '').replaceAll("'", '%27'); // an allowed difference
let read = 0, refused = 0, differ = 0;
for (const { tcId, input, components: want } of tests.filter(test => test.result === 'valid')) {
	let url;
	try {
		url = new URL(input);
	} catch {
		refused++;
		continue;
	}
	const got = [url.protocol, url.hostname.replace(/[[\]]/g, ''), Number(url.port || { 'http:': 80, 'https:': 443 }[url.protocol]), url.pathname, url.search.slice(1), url.hash.slice(1)];
	read++;
	if (got.map(String).map(same).join('\n') !== [want.scheme + ':', want.host.toLowerCase(), String(want.port), want.path || '/', want.query, want.fragment].map(same).join('\n')) {
		differ++;
		console.log(tcId, input, got);
	}
}
console.log(`URL of Node ${process.version}: ${read} read, ${refused} refused, ${differ} read otherwise`);
process.exit(differ > 0 || read === 0 ? 1 : 0);
