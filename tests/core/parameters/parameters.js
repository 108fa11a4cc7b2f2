// SPDX-License-Identifier: Apache-2.0
// What Node makes of each record of standard input (after its length, in four octets), one line of JSON each: of a query
// [decodeURIComponent or null, [name, value], ...]; of a base and a reference [origin of the base, of the target, target].
'use strict';

const fs = require('fs');

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

function pairs(record) {
	const query = decoder.decode(record);
	let whole = null;
	try {
		whole = decodeURIComponent(query);
	} catch {
		// broken
	}
	// a first "?" would be taken for the delimiter
	return [whole, ...new URLSearchParams('?' + query)];
}

function origins(record) {
	const end = record.indexOf(0);
	const base = new URL(decoder.decode(record.subarray(0, end)));
	try {
		const target = new URL(decoder.decode(record.subarray(end + 1)), base);
		return [base.origin, target.origin, target.href];
	} catch {
		return [base.origin, null, null];
	}
}

const read = process.argv[2] === 'origins' ? origins : pairs;
const data = fs.readFileSync(0);
const lines = [];
for (let at = 0; at < data.length;) {
	const end = at + 4 + data.readUInt32BE(at);
	lines.push(JSON.stringify(read(data.subarray(at + 4, end))));
	at = end;
}
process.stdout.write(lines.join('\n') + (lines.length > 0 ? '\n' : ''));
