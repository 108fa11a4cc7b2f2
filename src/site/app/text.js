// SPDX-License-Identifier: Apache-2.0
// Octets as a person can look at them: each character in its place, what cannot be seen by its number, and marks below.
import { el } from './dom.js';

const strictDecoder = new TextDecoder('utf-8', { fatal: true });
const UNSEEN = /^[\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}]$/u;
const MOST_SHOWN = 4096; // octets

// Octets of a text with escapes: \xHH is an octet, \u{H} a character, \\ a backslash.
export function unescape(text) {
	const encoder = new TextEncoder(), octets = [];
	for (const [whole, hex, point] of text.matchAll(/\\x([\da-fA-F]{2})|\\u\{([\da-fA-F]{1,6})\}|\\\\|[^\\]+|\\/gs)) {
		if (hex !== undefined)
			octets.push(parseInt(hex, 16));
		else if (point !== undefined && parseInt(point, 16) <= 0x10ffff)
			octets.push(...encoder.encode(String.fromCodePoint(parseInt(point, 16))));
		else
			for (const octet of encoder.encode(whole === '\\\\' ? '\\' : whole))
				octets.push(octet);
	}
	return Uint8Array.from(octets);
}

// The length in octets of the character at a place; 0 if it is none.
function characterAt(octets, at) {
	const first = octets[at], length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
	try {
		strictDecoder.decode(octets.subarray(at, at + length));
		return length;
	} catch {
		return 0;
	}
}

// { start, end, shown, width, unseen } for each character; width in columns.
export function cellsOf(octets) {
	const cells = [];
	for (let at = 0; at < octets.length && at < MOST_SHOWN;) {
		const length = characterAt(octets, at), end = at + Math.max(length, 1);
		let shown = length === 0 ? null : new TextDecoder().decode(octets.subarray(at, end)), unseen = false;
		if (shown === '\ufeff' || shown === '' || shown === null || shown === ' ' || UNSEEN.test(shown)) {
			unseen = true;
			const point = shown === null ? null : shown === '' ? 0xfeff : shown.codePointAt(0);
			shown = point === null || point < 0x80 ? `\\x${octets[at].toString(16).toUpperCase().padStart(2, '0')}` : `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
		}
		cells.push({ start: at, end, shown, unseen, width: unseen ? shown.length : octets[at] < 0x80 ? 1 : 2 });
		at = end;
	}
	return cells;
}

// Octets as one line of text: what cannot be seen by its number.
export const shownText = octets => cellsOf(octets).map(({ shown }) => shown).join('') + (octets.length > MOST_SHOWN ? ` … and ${octets.length - MOST_SHOWN} more octets` : '');

// RFC 3492: the letters of a label after xn--, or null.
function decodePunycode(label) {
	const base = label.lastIndexOf('-'), output = Array.from(label.slice(0, Math.max(base, 0)));
	let [point, at, bias, next] = [128, 0, 72, base + 1];
	while (next < label.length) {
		const before = at;
		for (let weight = 1, k = 36; ; k += 36) {
			const digit = 'abcdefghijklmnopqrstuvwxyz0123456789'.indexOf(label[next++]?.toLowerCase()), most = Math.min(Math.max(k - bias, 1), 26);
			if (digit < 0 || at > 1 << 26)
				return null;
			at += digit * weight;
			if (digit < most)
				break;
			weight *= 36 - most;
		}
		let delta = Math.floor((at - before) / (before === 0 ? 700 : 2)), k = 0;
		for (delta += Math.floor(delta / (output.length + 1)); delta > 455; k += 36)
			delta = Math.floor(delta / 35);
		bias = k + Math.floor(36 * delta / (delta + 38));
		point += Math.floor(at / (output.length + 1));
		at %= output.length + 1;
		if (point > 0x10ffff)
			return null;
		output.splice(at++, 0, String.fromCodePoint(point));
	}
	return output.join('');
}

// A host with its A-labels in their letters, as careless programs show it; null if there is none.
export function lettersOf(host) {
	const labels = host.split('.').map(label => /^xn--/i.test(label) ? decodePunycode(label.slice(4)) ?? label : label).join('.');
	return labels === host ? null : labels;
}

// Lines of cells, each at most so many columns.
function linesOf(cells, columns) {
	const lines = [[]];
	let used = 0;
	for (const cell of cells) {
		if (used + cell.width > columns && used > 0) {
			lines.push([]);
			used = 0;
		}
		lines.at(-1).push({ ...cell, column: used });
		used += cell.width;
	}
	return lines;
}

// The text of a line, in runs of one component; `partOf` gives the component of an octet.
function runsOf(line, partOf) {
	const runs = [];
	for (const cell of line) {
		const part = partOf(cell.start), last = runs.at(-1);
		const piece = cell.unseen ? el('span', { class: 'unseen' }, cell.shown) : cell.width === 2 ? el('span', { class: 'wide' }, cell.shown) : cell.shown;
		if (last && last.part === part)
			last.pieces.push(piece);
		else
			runs.push({ part, pieces: [piece] });
	}
	return runs.map(({ part, pieces }) => el('span', { class: part ? `part part-${part}` : 'part' }, pieces.reduce((all, piece) => {
		if (typeof piece === 'string' && typeof all.at(-1) === 'string')
			all[all.length - 1] += piece;
		else
			all.push(piece);
		return all;
	}, [])));
}

// What stands below a line for one finding, or null.
function markOf(line, finding, isLast, columns) {
	const from = line[0]?.start ?? 0, to = line.at(-1)?.end ?? 0, end = Math.max(finding.end, finding.start + 1);
	const isHere = finding.start < to && end > from || isLast && finding.start >= to;
	if (!isHere)
		return null;
	const under = line.filter(cell => cell.start < end && cell.end > finding.start);
	const first = under[0] ?? { column: line.length ? line.at(-1).column + line.at(-1).width : 0, width: 1 }, last = under.at(-1) ?? first;
	const width = last.column + last.width - first.column, mark = (finding.start >= from ? '^' : '~') + '~'.repeat(Math.max(width - 1, 0));
	const fits = first.column + width + finding.id.length < columns, before = ' '.repeat(Math.max(first.column - finding.id.length - 1, 0));
	if (fits)
		return el('div', { class: `mark ${finding.class}` }, ' '.repeat(first.column), mark, ' ', finding.id);
	return first.column > finding.id.length ? el('div', { class: `mark ${finding.class}` }, before, finding.id, ' ', mark)
		: [el('div', { class: `mark ${finding.class}` }, ' '.repeat(first.column), mark), el('div', { class: `mark ${finding.class}` }, finding.id)];
}

// The text with its components in colour and its findings below.
export function ruler(octets, partOf, findings, columns) {
	const lines = linesOf(cellsOf(octets), columns);
	return lines.map((line, k) => el('div', { class: 'line' }, el('div', { class: 'octets' }, runsOf(line, partOf)),
		el('div', { 'aria-hidden': 'true' }, findings.map(finding => markOf(line, finding, k === lines.length - 1, columns)).flat())));
}
