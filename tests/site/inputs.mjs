// SPDX-License-Identifier: Apache-2.0
// Inputs of the tests of the site: the corpus, and generated URLs.
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

export const root = new URL('../../', import.meta.url).pathname;
export const command = path.join(root, 'build/urivet');

const unescape = text => Buffer.from(text.replace(/\\x([\dA-F]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16))), 'latin1');

// Octets as the page reads them with its escapes on.
export const escaped = octets => Array.from(octets, octet => octet > 0x20 && octet < 0x7f && octet !== 0x5c ? String.fromCharCode(octet) : `\\x${octet.toString(16).padStart(2, '0')}`).join('');

// At least 1,000 inputs without NUL, each once: those of corpus/verdicts.tsv, and generated ones.
export function urls() {
	const corpus = readFileSync(path.join(root, 'corpus/verdicts.tsv'), 'latin1').split('\n').slice(1).filter(Boolean).map(line => unescape(line.split('\t', 1)[0]));
	const made = execFileSync('/usr/bin/python3', ['-B', 'tests/core/model/generate.py', '800', '11'], { cwd: root, maxBuffer: 1 << 24 }).toString('latin1').split('\0').map(record => Buffer.from(record, 'latin1'));
	const all = new Map([...corpus, ...made].filter(each => !each.includes(0) && each.length > 0 && each.length < 4000).map(each => [each.toString('latin1'), each]));
	return [...all.values()];
}

// The octets of every file of the corpus.
export function corpusFiles() {
	const found = [];
	const walk = folder => {
		for (const name of readdirSync(folder)) {
			const each = path.join(folder, name);
			if (statSync(each).isDirectory())
				walk(each);
			else
				found.push(readFileSync(each));
		}
	};
	walk(path.join(root, 'corpus'));
	return found.filter(({ length }) => length < 1 << 17);
}

// What the command says of inputs by a policy: an object each.
export function judgedByCommand(inputs, ...options) {
	const lines = execFileSync('sh', ['-c', '"$@" || [ $? = 1 ]', 'sh', command, 'check', '--null', '--format=json', ...options], { input: Buffer.concat(inputs.flatMap(each => [each, Buffer.of(0)])), maxBuffer: 1 << 28 });
	return lines.toString().trimEnd().split('\n').map(line => JSON.parse(line));
}
