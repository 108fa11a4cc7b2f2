// SPDX-License-Identifier: Apache-2.0
// The form in the fragment of the page's address, which no browser sends to a server.

const TEXTS = ['text', 'allow', 'yaml', 'host', 'method', 'kind'], FLAGS = ['escapes', 'whole', 'noHost'];
const DEFAULTS = { allow: 'example.com', host: 'example.com', method: 'GET', kind: 'link' };

// Half a surrogate has no encoding in a URL: it is written %uHHHH, which encodeURIComponent() never writes.
const encode = text => text.replace(/\p{Surrogate}|[^]/gu, each => /\p{Surrogate}/u.test(each) ? `%u${each.charCodeAt(0).toString(16)}` : encodeURIComponent(each));

function decode(text) {
	return text.split(/(%u[\da-f]{4})/).map((piece, k) => k % 2 ? String.fromCharCode(parseInt(piece.slice(2), 16)) : decodeURIComponent(piece)).join('');
}

export function writeState(state) {
	const pairs = TEXTS.filter(name => state[name] !== undefined && state[name] !== DEFAULTS[name] && name !== 'yaml').map(name => `${name}=${encode(state[name])}`);
	if (state.yaml !== undefined && state.yaml !== state.usualYaml)
		pairs.push(`yaml=${encode(state.yaml)}`);
	return `#${[...pairs, ...FLAGS.filter(name => state[name]).map(name => `${name}=1`)].join('&')}`;
}

// The state in a fragment; what is missing or cannot be read is as in `usual`.
export function readState(fragment, usual) {
	const state = { ...usual };
	for (const pair of fragment.replace(/^#/, '').split('&')) {
		const [name, value = ''] = pair.split(/=(.*)/s);
		try {
			if (TEXTS.includes(name))
				state[name] = decode(value);
			else if (FLAGS.includes(name))
				state[name] = value === '1';
		} catch {
			// not written by this page: an escape that is none
		}
	}
	return state;
}
