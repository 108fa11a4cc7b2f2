// SPDX-License-Identifier: Apache-2.0
// What the site needs beside the package: readings, and how a URL is displayed. It is put after lib/full.js.

const KINDS = ['none', 'name', 'ipv4', 'ipv6', 'ipvfuture', 'registry'];

// Writes 16 octets as RFC 5952 writes them.
function writeIpv6(octets) {
	const groups = Array.from({ length: 8 }, (_, k) => (octets[2 * k] << 8 | octets[2 * k + 1]).toString(16));
	const runs = [...groups.map(group => group === '0' ? '0' : '1').join('').matchAll(/0{2,}/g)].sort((a, b) => b[0].length - a[0].length || a.index - b.index);
	if (runs.length === 0)
		return groups.join(':');
	const [{ 0: { length }, index }] = runs;
	return `${groups.slice(0, index).join(':')}::${groups.slice(index + length).join(':')}`;
}

// What one reader makes of the text that putAll() wrote, as `readings` of `urivet check --readings --format=json`.
function readingOf(number, places, out, capacity) {
	const written = wasm.js_read_as(number, ...places, out, capacity) >>> 0, start = written > 0 ? out : places[0];
	const reads = words[0] === 1, address = new Uint8Array(words.slice(4, 8).buffer), present = words[PRESENT];
	const components = {};
	for (let c = 1; c < COMPONENTS.length; c++)
		if (c !== 2)
			components[COMPONENTS[c]] = present >> c & 1 ? textAt(start + words[PARTS + 2 * c], words[PARTS + 2 * c + 1]) : null;
	const shown = words[3] === 1 ? address.slice(0, 4).join('.') : KINDS[words[1]] === 'ipv6' ? writeIpv6(address) : null;
	const port = words[2] === 0xffffffff ? null : words[2], reader = stringAt(wasm.urivet_reader_name(number));
	return reads ? { reader, reads, components, host: { kind: KINDS[words[1]], address: shown }, port }
		: { reader, reads, components: null, host: { kind: 'none', address: null }, port: null };
}

// The readings of a text by all readers.
function readings(text) {
	const { places, above } = putAll(wantText(text)), [out, capacity] = room(above, 10 * places[1] + 64);
	const found = [];
	while (wasm.urivet_reader_name(found.length) !== 0)
		found.push(readingOf(found.length, places, out, capacity));
	return found;
}

// The names of two readers that disagree about where a text leads, or null.
function disagreement(text) {
	const { places, above } = putAll(wantText(text)), [out, capacity] = room(above, 20 * places[1] + 128);
	const pair = wasm.js_readers_disagree(...places, out, capacity) === 1 ? [words[0], words[1]] : null;
	return pair && pair.map(number => stringAt(wasm.urivet_reader_name(number)));
}

// The text as a careful program displays it: international names in their own letters unless they may deceive.
function displayText(text, by) {
	const { places, above } = putAll(wantText(text)), [out, capacity] = room(above, 10 * places[1] + 64);
	const length = wasm.urivet_display(out, capacity, ...places, Policy.address(by), 0) >>> 0;
	return textAt(out, length < capacity ? length : 0);
}

// Where each component of a report lies: { scheme: { start, end, in } }; `in` is input or host.
function placesOf(report) {
	const { words: w } = Report.parts(report), places = {};
	for (let c = 1; c < COMPONENTS.length; c++)
		if (w[PRESENT - IN] >> c & 1)
			places[COMPONENTS[c]] = { start: w[PARTS - IN + 2 * c], end: w[PARTS - IN + 2 * c] + w[PARTS - IN + 2 * c + 1], in: w[0] && c > 1 && c < 6 ? 'host' : 'input' };
	return places;
}

// The same as the regular expression of RFC 3986, appendix B, splits the text, which splits any.
function placesByRegex(text) {
	const { places } = putAll(wantText(text)), found = {};
	wasm.js_read_as(5, ...places, 0, 0);
	for (let c = 1; c < COMPONENTS.length; c++)
		if (words[0] === 1 && words[PRESENT] >> c & 1)
			found[COMPONENTS[c]] = { start: words[PARTS + 2 * c], end: words[PARTS + 2 * c] + words[PARTS + 2 * c + 1], in: 'input' };
	return found;
}
