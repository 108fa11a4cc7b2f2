#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// A reader for urivet to compare with others: make versus MINE=mine.js
// Change read() so that it asks your parser; the rest is how records come in and answers go out.
'use strict';

// Scheme, userinfo, host, port, path, query, fragment: text, or null where absent. What it throws is a refusal.
function read(text) {
	const url = new URL(text);
	const userinfo = url.username + (url.password === '' ? '' : ':' + url.password);
	return [url.protocol.slice(0, -1), userinfo || null, url.hostname, url.port || null, url.pathname,
		url.search.slice(1) || null, url.hash.slice(1) || null];
}

// ---- from here on nothing is to be changed

const fs = require('fs');
const DEFAULT_PORTS = { http: 80, ws: 80, https: 443, wss: 443, ftp: 21 };

// Octets that are printable as they are, others as \xHH.
function column(part) {
	if (part === null || part === undefined)
		return '\\N';
	return [...Buffer.from(String(part), 'utf8')].map((o) => o > 0x20 && o < 0x7f && o !== 0x5c ? String.fromCharCode(o)
		: '\\x' + o.toString(16).toUpperCase().padStart(2, '0')).join('');
}

function effective(scheme, port) {
	if (port === null || port === undefined || port === '')
		return DEFAULT_PORTS[String(scheme).toLowerCase()] ?? '\\N';
	return /^[0-9]+$/.test(port) && Number(port) <= 65535 ? Number(port) : '\\N';
}

function answer(record) {
	try {
		const parts = read(new TextDecoder('utf-8', { ignoreBOM: true }).decode(record));
		parts[2] = parts[2] && parts[2].replace(/^\[(.*)\]$/s, '$1');
		return ['accept', '-', ...parts.map(column), effective(parts[0], parts[3])].join('\t');
	} catch {
		return 'reject\t-' + '\t\\N'.repeat(8);
	}
}

const data = fs.readFileSync(0);
for (let at = 0; at < data.length;) {
	const end = data.indexOf(0, at);
	const record = data.subarray(at, end < 0 ? data.length : end);
	fs.writeSync(1, answer(record) + '\n');
	at += record.length + 1;
}
