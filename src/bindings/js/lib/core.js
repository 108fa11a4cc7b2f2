// SPDX-License-Identifier: Apache-2.0
// What both builds share: octets into the module's memory, policies, verdicts and reports. `wasm` is what the
// module exports; each build begins with how it is loaded.

const CLASSES = ['malformed', 'ambiguous', 'dangerous', 'policy', 'note'];
const COMPONENTS = ['uri', 'scheme', 'authority', 'userinfo', 'host', 'port', 'path', 'query', 'fragment'];
const BUILT_IN = ['strict', 'public', 'any', 'gateway'];
const REASONS = ['not-allowed', 'accepted', 'unclear'];
// the words of wasm.c
const PARSED = 1, REASON = 2, COUNT = 3, DROPPED = 4, PORT = 6, IN = 7, PRESENT = 8, PARTS = 9, FINDINGS = 27, WORDS = 283;

// ---- Memory: what lives long lies below `top`, what one call needs above it

const WORDS_AT = wasm.js_start(), [NAMES, NUMBERS, COUNT_OF_NAMES, POLICY_SIZE, BEFORE] = new Uint32Array(wasm.memory.buffer, WORDS_AT, 5);
let top = wasm.__heap_base.value + 15 & -16;
let view, words, scratch; // scratch: SHORT octets from top on
const free = [];
const encoder = new TextEncoder(), decoder = new TextDecoder('utf-8', { ignoreBOM: true });

// Sees to it that `size` octets are there above top. Growing moves the memory: views are made anew.
function reserve(size) {
	const lacks = top + size - wasm.memory.buffer.byteLength;
	if (lacks > 0 && (size > 0xf0000000 || wasm.memory.grow(Math.ceil(lacks / 65536)) < 0))
		throw new RangeError('urivet: out of memory');
	if (lacks > 0 || !view) {
		view = new Uint8Array(wasm.memory.buffer);
		words = new Uint32Array(wasm.memory.buffer, WORDS_AT, WORDS);
		scratch = view.subarray(top, top + SHORT);
	}
}
const SHORT = 12288;
reserve(1 << 16);

function allocate(size) {
	const room = size + 15 & -16, k = free.findIndex(piece => piece.size >= room);
	if (k >= 0)
		return free.splice(k, 1)[0];
	reserve(room + (1 << 16));
	current = null;
	top += room;
	scratch = view.subarray(top, top + SHORT);
	return { at: top - room, size: room };
}

// ---- Octets

const TYPED = Object.getPrototypeOf(Uint8Array.prototype);
// of the typed array itself, whatever a subclass says
const tagOf = Object.getOwnPropertyDescriptor(TYPED, Symbol.toStringTag).get;
const lengthOf = Object.getOwnPropertyDescriptor(TYPED, 'length').get;

function wantText(text) {
	if (typeof text !== 'string' && tagOf.call(text) !== 'Uint8Array')
		throw new TypeError('urivet: neither a string nor a Uint8Array');
	return text;
}

let illFormed = false; // the text that was put last has half a surrogate, which is in no URI
let current = null;    // the report about the text at top that the module has, until another text is put there
let currentLength = 0; // of that text

// Writes a text, which wantText() took, so many octets above top; returns its length.
function put(text, above) {
	illFormed = false;
	current = null;
	if (typeof text !== 'string') {
		const length = lengthOf.call(text);
		reserve(above + length);
		view.set(text, top + above);
		return length;
	}
	const isShort = above === 0 && 3 * text.length <= SHORT;
	if (!isShort)
		reserve(above + 3 * text.length);
	const { read, written } = encoder.encodeInto(text, isShort ? scratch : view.subarray(top + above));
	if (read !== text.length)
		throw new RangeError('urivet: the text was cut');
	illFormed = written !== read && /\p{Surrogate}/u.test(text);
	return written;
}

// The same above 0 for what is to be judged: what is longer than a policy allows is not read, and only counted; of
// strings above a million the code units are.
function putInput(text, most) {
	const length = typeof text === 'string' ? text.length : lengthOf.call(wantText(text));
	illFormed = false;
	current = null;
	return length > most && (typeof text !== 'string' || length > 1 << 20) ? Math.min(length, 0x7fffffff) : put(text, 0);
}

// What a report keeps of the text that was put at `at`: a string, or the octets that were judged, which a buffer that
// others share need not have any more. What was too long to be read is copied, and refused.
const kept = (text, at, length) => typeof text === 'string' ? text : view.slice(at, at + length);
const copyOf = text => typeof text === 'string' ? text : Uint8Array.prototype.slice.call(text);

// ---- Verdicts of many

class Verdicts {
	constructor(rows) {
		this.rows = rows;
		this.accepted = 0;
		this.bitmap = new Uint8Array(rows + 7 >> 3); // bit k % 8 of octet k / 8: row k is accepted
	}
	at(k) {
		return k >= 0 && k < this.rows && (this.bitmap[k >> 3] >> (k & 7) & 1) === 1;
	}
}

// Judges rows that lie in memory, and copies their bits to the first'th octet of the bitmap.
function batch(verdicts, first, policy, length, offsets) {
	const rows = offsets.length - 1, table = length + 15 & -8, bits = table + 4 * offsets.length;
	reserve(bits + rows);
	new Int32Array(wasm.memory.buffer, top + table & -8, offsets.length).set(offsets);
	verdicts.accepted += wasm.js_batch(top, length, top + table & -8, rows, policy, top + bits) >>> 0;
	verdicts.bitmap.set(view.subarray(top + bits, top + bits + (rows + 7 >> 3)), first);
}

// Chunks, so that memory does not grow with the list.
function batchOfList(list, policy, most) {
	const verdicts = new Verdicts(list.length);
	for (let first = 0; first < list.length;) {
		const offsets = [0];
		let length = 0;
		for (; first + offsets.length <= list.length && (offsets.length - 1 & 7 || length < 1 << 20); offsets.push(length)) {
			const text = list[first + offsets.length - 1];
			const octets = (typeof text === 'string' ? text.length : lengthOf.call(text)) > most ? 0 : put(text, length);
			if (!illFormed) // else its row is empty, which every policy refuses, as that of one that is too long
				length += octets;
		}
		batch(verdicts, first >> 3, policy, length, offsets);
		first += offsets.length - 1;
	}
	return verdicts;
}

function batchOfLines(data, policy) {
	const length = put(data, 0), verdicts = new Verdicts(wasm.js_count_lines(top, length) >>> 0);
	reserve(length + verdicts.bitmap.length);
	verdicts.accepted = wasm.js_lines(top, length, policy, top + length) >>> 0;
	verdicts.bitmap.set(view.subarray(top + length, top + length + verdicts.bitmap.length));
	return verdicts;
}

// ---- Reports

const names = new Map();

function readNames() {
	let at = NAMES;
	for (const number of new Uint16Array(wasm.memory.buffer, NUMBERS, COUNT_OF_NAMES)) {
		const end = view.indexOf(0, at);
		names.set(number, decoder.decode(view.subarray(at, end)));
		at = end + 1;
	}
}

function nameOf(number) {
	if (names.size === 0)
		readNames();
	return names.get(number);
}

class Finding {
	#report;
	constructor(w, report) {
		this.id = nameOf(words[w]);
		this.number = words[w];
		this.class = CLASSES[words[w + 1]];
		this.component = COMPONENTS[words[w + 2]];
		this.in = words[w + 3] === 0 ? 'input' : 'host';
		this.start = words[w + 4];
		this.end = words[w + 4] + words[w + 5];
		this.count = words[w + 6];
		this.refuses = words[w + 7] === 1;
		this.#report = report;
	}
	// the octets at fault, as a string
	get text() {
		return decoder.decode(this.#report.octetsOf(this.in).subarray(this.start, this.end));
	}
}

// The words from IN to FINDINGS; an array is made sooner than a copy of the typed one.
function partsNow() {
	const parts = [];
	for (let w = IN; w < FINDINGS; w++)
		parts.push(words[w]);
	return parts;
}

// What was found out about one input. `ok` alone decides.
class Report {
	#parts; #input; #host; #by; #half;
	constructor(policy, input, host) {
		this.policy = policy.name;
		this.ok = words[0] === 1 && !illFormed;
		this.verdict = this.ok ? 'accept' : 'reject';
		this.publicReason = illFormed ? 'unclear' : REASONS[words[REASON]];
		this.parsed = words[PARSED] === 1;
		this.dropped = words[DROPPED];
		this.port = words[PORT] === 0xffffffff ? null : words[PORT];
		this.findings = [];
		for (let k = 0; k < words[COUNT]; k++)
			this.findings.push(new Finding(FINDINGS + 8 * k, this));
		this.#parts = partsNow();
		this.#input = input;
		this.#host = host;
		this.#by = policy;
		this.#half = illFormed;
	}
	// for the package itself
	static parts(report) {
		return { input: report.#input, host: report.#host, judge: report.#by, illFormed: report.#half, words: report.#parts };
	}
	octetsOf(where) {
		const text = where === 'host' ? this.#host : this.#input;
		return typeof text === 'string' ? encoder.encode(text) : text ?? new Uint8Array();
	}
	// Those that are there, as strings.
	get components() {
		const found = {}, parts = this.#parts;
		for (let c = 1; c < COMPONENTS.length; c++) {
			if (!(parts[PRESENT - IN] >> c & 1))
				continue;
			const from = parts[PARTS - IN + 2 * c], octets = this.octetsOf(parts[0] && c > 1 && c < 6 ? 'host' : 'input');
			found[COMPONENTS[c]] = decoder.decode(octets.subarray(from, from + parts[PARTS - IN + 2 * c + 1]));
		}
		return found;
	}
}

// ---- Policies

const SECRET = Symbol('made by urivet');
const freed = typeof FinalizationRegistry === 'function' ? new FinalizationRegistry(piece => free.push(piece)) : null;
const builtIn = new Map();

class Policy {
	#piece;
	#at = 0; // of struct urivet_policy; 0: closed
	constructor(secret, name, piece) {
		if (secret !== SECRET)
			throw new TypeError('urivet: policies are made by policy(NAME) and Policy.compiled(OCTETS)');
		this.name = name;
		this.#piece = piece;
		this.#at = piece.at;
		this.maxLength = wasm.js_max_length(piece.at) >>> 0;
		const most = this.maxLength;
		// bound, so that it can be handed on: z.string().refine(policy.ok)
		this.ok = text => {
			const at = this.#at;
			current = null;
			if (at !== 0 && typeof text === 'string' && text.length <= most && 3 * text.length <= SHORT) {
				const { read, written } = encoder.encodeInto(text, scratch);
				if (read === written && read === text.length) // ASCII, and all of it
					return wasm.js_ok(top, read, at) === 1;
			}
			return wasm.js_ok(top, putInput(text, most), Policy.address(this)) === 1 && !illFormed;
		};
		freed?.register(this, piece, this);
	}
	// Octets that `urivet policy compile` wrote. What is no whole and sound policy throws.
	static compiled(octets, name = 'compiled') {
		if (tagOf.call(octets) !== 'Uint8Array')
			throw new TypeError('urivet: a compiled policy is a Uint8Array');
		const size = POLICY_SIZE + 15 & -16, length = lengthOf.call(octets), piece = allocate(size + length);
		view.set(octets, piece.at + size);
		const fault = wasm.js_policy_open(piece.at, piece.at + size, length);
		if (fault !== 0) {
			free.push(piece);
			throw Object.assign(new RangeError(`urivet: no policy to judge by (${faultText(fault)})`), { fault });
		}
		return new Policy(SECRET, name, piece);
	}
	// For the package itself: where it lies. TypeError for what is no policy.
	static address(by) {
		if (by.#at === 0)
			throw new Error('urivet: the policy is closed');
		return by.#at;
	}
	// Frees its memory; the built-in policies stay.
	close() {
		if (this.#at === 0 || builtIn.get(this.name) === this)
			return;
		this.#at = 0;
		freed?.unregister(this);
		free.push(this.#piece);
	}
	check(text) {
		const length = putInput(text, this.maxLength);
		wasm.js_check(top, length, Policy.address(this));
		current = new Report(this, length <= this.maxLength ? kept(text, top, length) : copyOf(text));
		currentLength = length;
		return current;
	}
	// An address of 4 or 16 octets that a connection is about to be made to; port 0: none is known.
	checkAddress(octets, port = 0) {
		if (tagOf.call(octets) !== 'Uint8Array' || !Number.isInteger(port) || port < 0)
			throw new TypeError('urivet: an address is a Uint8Array of 4 or 16 octets, a port a number');
		const length = put(octets, 0);
		wasm.js_address(top, length, Math.min(port, 0x7fffffff), Policy.address(this));
		return new Report(this, new Uint8Array(), '');
	}
	// A list of texts; a Uint8Array and the offsets of its rows as Apache Arrow has them (an Int32Array,
	// one more than rows); or a Uint8Array alone, of which each line is a row.
	checkMany(rows, offsets) {
		const at = Policy.address(this);
		if (offsets === undefined && Array.isArray(rows))
			return batchOfList(Array.from(rows, wantText), at, this.maxLength);
		if (tagOf.call(rows) !== 'Uint8Array')
			throw new TypeError('urivet: neither a list of texts nor a Uint8Array');
		if (offsets === undefined)
			return batchOfLines(rows, at);
		if (tagOf.call(offsets) !== 'Int32Array' || lengthOf.call(offsets) === 0)
			throw new TypeError('urivet: offsets are an Int32Array, one more than rows');
		const verdicts = new Verdicts(lengthOf.call(offsets) - 1);
		batch(verdicts, 0, at, put(rows, 0), Int32Array.from(offsets));
		return verdicts;
	}
}

for (const name of BUILT_IN)
	Object.defineProperty(Policy, name, { get: () => policy(name) });

// A built-in policy: strict, public, any or gateway.
function policy(name) {
	if (!BUILT_IN.includes(name))
		throw new RangeError(`urivet: no built-in policy of that name; there are ${BUILT_IN.join(', ')}`);
	if (!builtIn.has(name)) {
		const piece = allocate(POLICY_SIZE);
		wasm.js_policy_init(piece.at, BUILT_IN.indexOf(name));
		builtIn.set(name, new Policy(SECRET, name, piece));
	}
	return builtIn.get(name);
}

// By strict.
const strict = policy('strict');
const ok = strict.ok;
const check = text => strict.check(text);
const checkMany = (rows, offsets) => strict.checkMany(rows, offsets);
