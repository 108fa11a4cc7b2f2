// SPDX-License-Identifier: Apache-2.0
// What the whole package has beside: references, requests, parameters, spelling, text.

const RESULTS = ['refused', 'undecoded', 'no-room', 'accepted', 'not-asked'];
const FORMS = ['none', 'origin', 'absolute', 'authority', 'asterisk'];
const RUNGS = ['different', 'protocol', 'scheme', 'syntax', 'identical'];
const IRI = ['unmappable', 'offered', 'ascii', 'disagree'];
const LONGEST = 1 << 28; // of what is not judged by a policy

const faultText = fault => stringAt(wasm.urivet_compiled_fault_text(fault)) ?? 'this build lacks a list that it needs';
const version = stringAt(wasm.urivet_version());

// ---- Options

// Tests of options, and what each asks for.
const FLAG = [value => typeof value === 'boolean', 'true or false'];
const ANYTHING = [() => true];
const oneOf = (...words) => [value => words.includes(value), words.join(' or ')];

// How many letters to insert, delete or replace.
function distanceOf(a, b) {
	let row = Array.from({ length: b.length + 1 }, (_, k) => k);
	for (let i = 0; i < a.length; i++) {
		const next = [i + 1];
		for (let k = 0; k < b.length; k++)
			next.push(Math.min(next[k] + 1, row[k + 1] + 1, row[k] + (a[i] === b[k] ? 0 : 1)));
		row = next;
	}
	return row[b.length];
}

// "; did you mean X?" where a known word is near the given one, or nothing.
function hintOf(word, words) {
	const distance = each => distanceOf(word.slice(0, 64).toLowerCase(), each.toLowerCase());
	const near = words.filter(each => distance(each) <= Math.max(1, word.length / 3));
	return near.length > 0 ? `; did you mean ${near.sort((a, b) => distance(a) - distance(b))[0]}?` : '';
}

// Reads the options of a plain object once each, without its prototype. `known` has a test for each name. An unknown
// name and a value that fails its test throw what `fail` makes of the message.
function wantOptions(options, known, fail = message => new TypeError(`urivet: ${message}`)) {
	const read = Object.create(null);
	if (options === undefined)
		return read;
	if (Object(options) !== options || ![Object.prototype, null].includes(Object.getPrototypeOf(options)))
		throw fail('options are a plain object');
	for (const name of Reflect.ownKeys(options)) {
		if (!Object.hasOwn(known, name))
			throw fail(`the option ${String(name)} is not known${hintOf(String(name), Object.keys(known))}`);
		const value = options[name], [test, wanted] = known[name];
		if (value === undefined)
			continue;
		if (!test(value))
			throw fail(`the option ${name} has to be ${wanted}`);
		read[name] = value;
	}
	return read;
}

function stringAt(at) {
	return at === 0 ? null : decoder.decode(view.subarray(at, view.indexOf(0, at)));
}
const textAt = (at, length) => at === 0 ? null : decoder.decode(view.subarray(at, at + length));
const octetsAt = (at, length) => at === 0 ? null : view.slice(at, at + length);

// Writes texts one after the other from top on: their places and lengths, and where room begins. One that
// is undefined or null is not there. None may have half a surrogate.
function putAll(...texts) {
	const places = [];
	let above = 0;
	for (const text of texts) {
		if (text === undefined || text === null) {
			places.push(0, 0);
			continue;
		}
		if ((typeof text === 'string' ? text.length : lengthOf.call(wantText(text))) > LONGEST)
			throw new RangeError('urivet: the text is too long');
		const length = put(text, above);
		if (illFormed)
			throw new RangeError('urivet: half a surrogate is no text');
		places.push(top + above, length);
		above += length + 15 & -16;
	}
	return { places, above };
}

// Room for a result above the texts.
function room(above, capacity) {
	reserve(above + capacity);
	return [top + above, capacity];
}

// The text that a function of the module writes for texts, with room for `capacityOf` their lengths.
function made(texts, capacityOf, call) {
	const { places, above } = putAll(...texts.map(wantText)), [out, capacity] = room(above, capacityOf(...places));
	const length = call(places, out, capacity) >>> 0;
	return length < capacity ? textAt(out, length) : null;
}

// ---- Of a text alone

// The target of a reference by RFC 3986; null if base or reference cannot be read.
function resolve(base, reference) {
	const target = made([base, reference], (a, length, b, more) => length + more + 16, (places, ...out) => wasm.js_resolve(...places, ...out));
	return words[0] === 0 ? null : target;
}

// The normal form by `syntax` or by `scheme`; null if it cannot be read.
function normalise(text, level = 'syntax') {
	const number = ['syntax', 'scheme'].indexOf(level);
	if (number < 0)
		throw new RangeError('urivet: a level is syntax or scheme');
	const normal = made([text], (a, length) => 3 * length + 64, (places, ...out) => wasm.urivet_normalise(...out, ...places, number, 0, WORDS_AT));
	return view[WORDS_AT] === 0 ? null : normal; // it is 1 if the text can be read
}

// The lowest rung on which two URIs are equal: identical, syntax, scheme, or different.
function compare(a, b, options) {
	const { noFragment = false } = wantOptions(options, { noFragment: FLAG });
	const { places } = putAll(wantText(a), wantText(b));
	return RUNGS[wasm.js_compare(...places, noFragment ? 1 : 0)];
}

// Finds the URIs of octets that putAll() wrote, from a position on. `most`: see js_scan(); `before`: how many octets of
// the text are not there any more.
function findAll({ places, above }, position, most, before, judge) {
	// what has no room is cut: longer than the policy allows
	const [out, capacity] = room(above, Math.min(places[1], Math.max(judge?.maxLength ?? 0, 1 << 20)) + 64);
	const found = [];
	for (; wasm.js_scan(...places, position, most, out, capacity) === 1; position = words[0]) {
		const start = before + words[1], end = start + words[2], kind = words[3] === 0 ? 'uri' : 'abbreviated';
		found.push({ start, end, kind, uri: textAt(out, Math.min(words[4], capacity - 1)) });
	}
	position = words[0];
	return { position, found: judge === null ? found : found.map(each => ({ ...each, report: judge.check(each.uri) })) };
}

const SCAN = { policy: ANYTHING };
const judgeOf = ({ policy: by }) => by === undefined ? null : wantPolicy(by);

// The URIs in a text: start and end of each in octets, kind, the URI itself, and its report if there is a policy.
function scan(text, options) {
	const judge = judgeOf(wantOptions(options, SCAN));
	return findAll(putAll(wantText(text)), 0, -1, 0, judge).found;
}

// The same for plain text in pieces; for Markdown there is lib/markdown.js. What may still become a part of a URI is held back, as many octets as the
// policy (strict if there is none) allows a URL; a longer URL is found as far as it goes, and refused.
class ScanStream {
	#judge;
	#kept = new Uint8Array(); // the octets that later finds depend on
	#position = 0;            // in these
	#before = 0;              // octets of the text before these
	#closed = false;
	constructor(options) {
		this.#judge = judgeOf(wantOptions(options, SCAN));
	}
	#add(piece, last) {
		if (this.#closed)
			throw new Error('urivet: the stream is closed');
		if (typeof piece === 'string' && /\p{Surrogate}/u.test(piece))
			throw new RangeError('urivet: half a surrogate is no text');
		const octets = typeof piece === 'string' ? encoder.encode(piece) : wantText(piece);
		const all = new Uint8Array(this.#kept.length + lengthOf.call(octets));
		all.set(this.#kept);
		all.set(octets, this.#kept.length);
		const most = last ? -1 : Math.min((this.#judge ?? strict).maxLength, LONGEST);
		const { position, found } = findAll(putAll(all), this.#position, most, this.#before, this.#judge);
		const gone = Math.max(position - BEFORE, 0);
		this.#kept = all.slice(gone);
		this.#position = position - gone;
		this.#before += gone;
		this.#closed = last;
		return found;
	}
	// Adds a piece. Returns what no later piece can change any more.
	feed(piece) {
		return this.#add(piece, false);
	}
	// Returns what is left at the end of the text.
	close() {
		return this.#add('', true);
	}
	// How many octets at the beginning of the text have no more URIs to be found.
	get decided() {
		return this.#before + this.#position;
	}
}

// What the catalogue says of a finding: its number, text and reference; null if there is none.
function explain(id) {
	if (names.size === 0)
		readNames();
	for (const [number, name] of names)
		if (name === id || number === id) {
			wasm.js_explain(number);
			return { id: name, number, text: stringAt(words[0]), reference: stringAt(words[1]) };
		}
	return null;
}

// ---- Of a report

// Of the report that the module has, about the text at `at`.
function endpointAt(at, length) {
	const [out, capacity] = room(at - top + length + 15 & -16, 3 * length + 192);
	const size = wasm.js_endpoint(at, length, out, capacity) >>> 0;
	if (size === 0)
		return null;
	const all = decoder.decode(view.subarray(out, out + size)); // its texts are in ASCII, each with a NUL after it
	const textOf = w => {
		const from = words[w] - out;
		return from >= 0 && from < size ? all.slice(from, all.indexOf('\0', from)) : stringAt(words[w]);
	};
	return {
		scheme: textOf(4), host: textOf(5), port: words[1], tls: words[3] === 1,
		address: words[2] === 0 ? NO_OCTETS : new Uint8Array(words.slice(10, 14).buffer, 0, words[2]),
		hostField: textOf(6), tlsName: textOf(7), target: textOf(8), url: textOf(9),
	};
}
const NO_OCTETS = new Uint8Array();

// Of a plain string (is_plain() of wasm.c): its components are where the module found them.
const PLAIN = 1 << 16, [SCHEME, AUTHORITY, HOST, FRAGMENT] = [1, 2, 4, 8].map(c => PARTS - IN + 2 * c);
function endpointOfPlain(text, words, port) {
	const end = words[AUTHORITY] + words[AUTHORITY + 1], start = text.slice(0, end).toLowerCase();
	const scheme = start.slice(0, words[SCHEME + 1]), host = start.slice(words[HOST], words[HOST] + words[HOST + 1]);
	const target = text.slice(end, words[PRESENT - IN] >> 8 & 1 ? words[FRAGMENT] - 1 : text.length);
	return {
		scheme, host, port, tls: scheme === 'https' || scheme === 'wss', address: NO_OCTETS,
		hostField: start.slice(words[AUTHORITY], end), tlsName: host, target, url: start + target,
	};
}

// Sees to it that the module has a report: its input is judged again unless it was the last one. False for a report of a
// reference, a request or an address.
function again(report) {
	const { input, host, judge, illFormed } = Report.parts(report), at = Policy.address(judge);
	if (illFormed || host !== undefined)
		return false;
	if (current !== report) {
		const length = putInput(input, judge.maxLength);
		wasm.js_check(top, length, at);
		[current, currentLength] = [report, length];
	}
	return (typeof input === 'string' ? input.length : lengthOf.call(input)) <= LONGEST;
}

function jsonOf({ input, judge }) {
	const { places, above } = putAll(input);
	for (let capacity = 8192; ; capacity *= 4) {
		const [out] = room(above, capacity), length = wasm.js_json(...places, 0, 0, Policy.address(judge), out, capacity) >>> 0;
		if (length < capacity)
			return textAt(out, length);
	}
}

// Adds what an object has to a class.
function extend(Kind, more) {
	for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(more)))
		Object.defineProperty(Kind.prototype, name, { ...property, enumerable: false });
}

extend(Report, {
	// Where an accepted URL leads to and what to ask for there; null where there is no one place.
	get endpoint() {
		const { input, host, judge, words } = Report.parts(this);
		if (!this.ok || !this.parsed)
			return null;
		const isPlain = host === undefined && typeof input === 'string' && (words[PRESENT - IN] & PLAIN) !== 0;
		if (isPlain && Policy.address(judge) !== 0)
			return endpointOfPlain(input, words, this.port);
		return again(this) ? endpointAt(top, currentLength) : null;
	},
	// The spelling that the policy accepts with nothing but notes; null if there is none.
	get suggestion() {
		const { illFormed, judge, input } = Report.parts(this);
		return illFormed ? null : judge.suggest(input);
	},
	// As `urivet check --format=json` has it.
	toJSON() {
		const parts = Report.parts(this);
		return again(this) ? JSON.parse(jsonOf(parts)) : { ...this };
	},
	// A line for each finding, as people read it.
	get explanation() {
		return this.findings.map(f => `${f.start}: ${f.refuses ? 'refused: ' : ''}${f.class}: ${f.id}\n    ${explain(f.id).text}\n    [${explain(f.id).reference}]`).join('\n');
	},
});

// ---- By a policy

function wantPolicy(value, or) {
	const chosen = value === undefined ? or : typeof value === 'string' ? policy(value) : value;
	if (!(chosen instanceof Policy))
		throw new TypeError('urivet: no policy');
	return chosen;
}

// What is known of a request. host: undefined is a request without a Host field, null says nothing of it.
const REQUEST = {
	method: ANYTHING, host: ANYTHING, scheme: oneOf('http', 'https'),
	port: [value => Number.isInteger(value) && value >= 0 && value <= 65535, 'a number up to 65535'],
};

function setRequest({ method, host, scheme, port = 0 }, target, names = []) {
	const number = { http: 2, https: 3 }[scheme] ?? 0;
	const all = putAll(target, method, host, ...names);
	wasm.js_request(...all.places.slice(2, 6), host === null ? 1 : 0, number, port);
	return all;
}

class Parameter {
	constructor() { // the words are of js_parameter()
		this.name = textAt(words[2], words[3]);
		this.raw = textAt(words[4], words[5]);
		this.result = RESULTS[words[1]];
		this.value = textAt(words[6], words[7]);
		this.judged = textAt(words[8], words[9]);
		this.ok = words[1] === 3 || words[1] === 4;
		this.ids = Array.from({ length: wasm.js_parameter_ids() }, (_, k) => nameOf(words[FINDINGS + k]));
	}
}

// `names` may be one name.
const PARAMETERS = { names: [value => Symbol.iterator in Object(value), 'one name or several'], policy: ANYTHING, times: oneOf(1, 2), sameOrigin: FLAG, absolute: FLAG, request: ANYTHING };

// Judges a reference that cannot be resolved: as it is if it has a scheme, else after the origin of the base. Returns null
// if the reference is not at fault.
function judgeUnresolved(by, reference, base) {
	const report = by.check(reference), { scheme, authority } = by.check(base).components;
	const isRelative = report.findings.some(({ id }) => id === 'not-absolute');
	if (!isRelative || authority === undefined)
		return isRelative || report.ok ? null : report;
	const octets = typeof reference === 'string' ? encoder.encode(reference) : copyOf(reference), [first, second] = octets;
	const origin = first === 47 && second === 47 ? `${scheme}:` : `${scheme}://${authority}${first === 47 ? '' : '/'}`;
	const start = encoder.encode(origin), whole = new Uint8Array(start.length + octets.length);
	whole.set(start);
	whole.set(octets, start.length);
	const judged = by.check(whole);
	return judged.ok ? null : judged;
}

const iriCapacity = (at, length) => wasm.js_iri_capacity(length) >>> 0;
extend(Policy, {
	// The report of a text, or of the spelling that the policy accepts in its place: `repaired` has both, or is null.
	repair(text) {
		const report = this.check(text), to = report.ok ? null : report.suggestion, better = to === null ? report : this.check(to);
		const isBetter = better.ok && !report.ok, from = decoder.decode(report.octetsOf('input'));
		return Object.assign(isBetter ? better : report, { repaired: isBetter ? { from, to } : null });
	},
	// The equivalent spelling that the policy accepts with nothing but notes; null if there is none.
	suggest(text) {
		const at = Policy.address(this); // what is not ASCII may have a spelling that is
		return made([text], iriCapacity, (places, ...out) => wasm.urivet_suggest(...out, ...places, at) || wasm.js_iri(...places, at, ...out)) || null;
	},
	// The one spelling in ASCII of a URI with other characters that every reader makes of it.
	suggestIri(text) {
		const at = Policy.address(this), result = made([text], iriCapacity, (places, ...out) => wasm.js_iri(...places, at, ...out)) || null;
		const [outcome, number, codePoint, offset, size] = words;
		return { outcome: IRI[outcome], finding: nameOf(number) ?? null, codePoint, start: offset, end: offset + size, result };
	},
	// A picture of the URL for the text of an element: never link to it.
	displayHtml(text) {
		return made([text], (a, length) => 10 * length + 64, (places, ...out) => wasm.urivet_display(...out, ...places, Policy.address(this), 2)) ?? '';
	},
	// A Location field, or any reference, against the URL that it came from. The report is that of the target; where there
	// is none, the target is '' and the report says why.
	checkRedirect(location, options) {
		const { base, sameOrigin = false } = wantOptions(options, { base: ANYTHING, sameOrigin: FLAG });
		const at = Policy.address(this);
		if (typeof location === 'string' && /\p{Surrogate}/u.test(location))
			return Object.assign(this.check(location), { target: '' });
		const { places, above } = putAll(wantText(base), wantText(location));
		const [out, capacity] = room(above, places[1] + places[3] + 16);
		wasm.js_reference(...places, sameOrigin ? 1 : 0, at, out, capacity);
		illFormed = false;
		const length = view.indexOf(0, out) - out, report = new Report(this, octetsAt(out, length), '');
		const unresolved = length === 0 ? judgeUnresolved(this, location, base) : null;
		if (unresolved !== null)
			return Object.assign(unresolved, { target: '' });
		report.target = decoder.decode(Report.parts(report).input);
		Object.defineProperty(report, 'endpoint', { value: report.ok ? endpointAt(out, length) : null });
		return report;
	},
	// An HTTP request target with what is known of its request: {method, host, scheme, port}.
	checkRequest(target, options) {
		const at = Policy.address(this), request = wantOptions(options, REQUEST), { host } = request;
		const { places } = setRequest(request, wantText(target));
		wasm.js_check_request(places[0], places[1], at);
		illFormed = false;
		const report = new Report(this, kept(target, ...places), kept(host ?? '', ...places.slice(4)));
		report.form = FORMS[words[5]];
		return report;
	},
	// Judges the parameters of a URL, or of a request's target if `request` is given. `parameters` of the
	// report has each pair of the query, in order; a refused one refuses the input.
	parameters(text, options) {
		const { names = [], policy: by, times = 1, sameOrigin = false, absolute = false, ...rest } = wantOptions(options, PARAMETERS);
		const request = rest.request === undefined ? undefined : wantOptions(rest.request, REQUEST);
		const isOne = typeof names === 'string' || ArrayBuffer.isView(names), wanted = Array.from(isOne ? [names] : names, wantText);
		const inner = Policy.address(wantPolicy(by, policy('public'))), at = Policy.address(this);
		const { places, above } = setRequest(request ?? {}, wantText(text), wanted), [target, length, , , , hostLength] = places, placed = places.slice(6);
		const [list] = room(above, 4 * placed.length + 16), [buffer, capacity] = room(above + (4 * placed.length + 15 & -16), 5 * (length + hostLength) + 64);
		new Uint32Array(wasm.memory.buffer, list, placed.length).set(placed);
		wasm.js_parameters(list, wanted.length, times, sameOrigin ? 1 : 0, absolute ? 1 : 0, inner, target, length, request ? 1 : 0, buffer, capacity);
		if (request)
			wasm.js_check_request(target, length, at);
		else
			wasm.js_check(target, length, at);
		const found = [];
		for (let position = 0; wasm.js_parameter(position) === 1; position = words[0])
			found.push(new Parameter());
		wasm.js_check_parameters(at);
		illFormed = false;
		const report = new Report(this, kept(text, ...places), kept(request?.host ?? '', ...places.slice(4)));
		report.parameters = found;
		return report;
	},
});
