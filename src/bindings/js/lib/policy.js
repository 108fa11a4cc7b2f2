// SPDX-License-Identifier: Apache-2.0
// urivet/policy: policies of the settings of a policy file, given as objects. `compiled` is the module of policy.c; an
// instance of it compiles one policy.

const textEncoder = new TextEncoder(), textDecoder = new TextDecoder();
// what no setting may hold: controls, what ends lines for some readers, halves of surrogates
const UNSEEN = /[\0-\x1f\x7f-\x9f\u2028\u2029\ufeff]|\p{Surrogate}/u;
const DEEPEST = 16;

// The octets that policy.c reads, and for each value, by its number, where it stands.
function written(settings) {
	const parts = [], paths = ['the policy'];
	const put = (kind, text, path) => {
		if (UNSEEN.test(text))
			throw new RangeError(`urivet: ${path}: a control, a line separator or half a surrogate in a text`);
		parts.push(`${kind}${text}\0`);
	};
	const write = (value, path, depth) => {
		paths.push(path);
		const isList = Array.isArray(value), bracket = isList ? '[' : '{';
		if (typeof value === 'string')
			return put('t', value, path);
		if (Number.isSafeInteger(value) || typeof value === 'boolean')
			return put('n', String(value), path);
		if (!isList && (Object(value) !== value || ![Object.prototype, null].includes(Object.getPrototypeOf(value))))
			throw new TypeError(`urivet: ${path} is a text, a whole number, true, false, a list or a plain object`);
		if (depth > DEEPEST)
			throw new RangeError(`urivet: ${path}: nested too deep`);
		parts.push(bracket);
		for (const name of isList ? value.keys() : Reflect.ownKeys(value)) {
			if (typeof name === 'symbol')
				throw new TypeError(`urivet: ${path} has a key that is no text`);
			const inner = isList ? `${path}[${name}]` : depth === 0 ? name : `${path}.${name}`;
			if (!isList) {
				paths.push(inner);
				put('t', name, path);
			}
			write(value[name], inner, depth + 1);
		}
		parts.push(']');
	};
	write(settings, 'the policy', 0);
	paths.splice(1, 1, 'the policy');
	return { octets: textEncoder.encode(parts.join('')), paths };
}

function problemsOf(text, paths) {
	return text.split('\n').filter(Boolean).map(line => {
		const [number, what] = line.split('\t');
		const text = what.replace(/\bin line (\d+)/g, (all, other) => paths[other] ? `at ${paths[other]}` : all);
		return { at: paths[number] ?? 'the policy', text };
	});
}

// A policy of settings: {base, hosts: {allow, deny}, ports: {https: [8443]}, schemes, ...}, as policy files have them.
// A RangeError with `problems` for what is no policy; settings are lists, plain objects, texts, numbers and booleans.
function policy(settings) {
	if (Object(settings) !== settings || Array.isArray(settings))
		throw new TypeError('urivet: settings are a plain object');
	if (Object.hasOwn(settings, 'mode'))
		throw new RangeError('urivet: mode: a policy of JavaScript enforces; the middleware has the option mode');
	const { octets, paths } = written(settings), { length } = octets;
	const wasm = new WebAssembly.Instance(compiled).exports, start = wasm.js_room(length) >>> 0;
	if (start === 0)
		throw new RangeError('urivet: out of memory');
	new Uint8Array(wasm.memory.buffer, start, length).set(octets);
	const isPolicy = wasm.js_compile(start, length) === 1;
	const words = new Uint32Array(wasm.memory.buffer, wasm.js_result(), 2);
	const result = new Uint8Array(wasm.memory.buffer, words[0], words[1]);
	if (isPolicy)
		return Policy.compiled(result.slice(), String(settings.name ?? 'settings'));
	const problems = problemsOf(textDecoder.decode(result), paths), [first] = problems;
	throw Object.assign(new RangeError(`urivet: ${first ? `${first.at}: ${first.text}` : 'out of memory'}`), { problems });
}
