// SPDX-License-Identifier: Apache-2.0
// Writes the engine of the site: node build.mjs URIVET.wasm OUT.mjs. It is one module with the WebAssembly
// inside, so that a page opened from a file works as well; load() starts it.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const [wasm, out] = process.argv.slice(2);
const read = name => readFileSync(new URL(name, import.meta.url), 'utf8');
const code = execFileSync('zopfli', ['-c', '--zlib', '--i15', wasm], { maxBuffer: 1 << 24 }).toString('base64');
const [judge, settings] = [['core.js', 'full.js', '../../../site/readers.js'], ['policy.js']].map(names =>
	names.map(name => read(`../bindings/js/lib/${name}`)).join(''));
writeFileSync(out, `const code = '${code}';
export async function load() {
	if (typeof WebAssembly !== 'object')
		throw new Error('this browser has no WebAssembly, or it is switched off');
	const deflated = Uint8Array.from(atob(code), c => c.charCodeAt(0));
	const inflated = new Blob([deflated]).stream().pipeThrough(new DecompressionStream('deflate'));
	const compiled = await WebAssembly.compile(await new Response(inflated).arrayBuffer());
	const wasm = new WebAssembly.Instance(compiled).exports;
	${judge}
	const policyOf = (() => {
		${settings}
		return policy;
	})();
	return { policy, policyOf, explain, readings, disagreement, displayText, placesOf, placesByRegex, version };
}
`);
