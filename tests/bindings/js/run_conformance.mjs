// SPDX-License-Identifier: Apache-2.0
// run_conformance.mjs FOLDER [CASES]: the cases of tests/bindings/conformance, asked of what Node and browsers load of a package.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { askAll, askGate } from './conformance.mjs';

const dist = `${process.argv[2]}/dist`, require = createRequire(import.meta.url);
const cases = readFileSync(process.argv[3] ?? new URL('../conformance/cases.jsonl', import.meta.url), 'latin1').trim().split('\n').map(line => JSON.parse(line));
for (const load of [name => require(`${dist}/${name}.cjs`), name => import(pathToFileURL(`${dist}/${name}.mjs`)), name => import(pathToFileURL(`${dist}/${name}.node.mjs`))]) {
	console.log(`urivet: ${askAll(await load('urivet'), cases)} cases alike`);
	console.log(`gate: ${askGate(await load('gate'), cases)}`);
}

// Every function and member that the types declare is in a case.
const text = file => readFileSync(new URL(file, import.meta.url), 'utf8').replace(/\/\*[^]*?\*\/|^\s*\/\/.*/gm, '');
const used = new Set(text('conformance.mjs').match(/\w+/g));
const declared = ['gate', 'urivet'].flatMap(name => text(`../../../src/bindings/js/types/${name}.d.ts`).split('\n'))
	.map(line => /^(?:\t(?:static )?(?:readonly )?|export (?:function|const) )(\w+)\??[(:; ]/.exec(line)?.[1]);
const missing = declared.filter(name => name && !['constructor', 'protected'].includes(name) && !used.has(name));
if (missing.length > 0)
	throw new Error(`no case has ${missing.join(', ')}`);
console.log(`types: ${new Set(declared).size} names are in cases`);
