// SPDX-License-Identifier: Apache-2.0
// What the JavaScript readers of the zoo share: records in, one line of columns out.
'use strict';

const fs = require('fs');

const REFUSED = ['reject', '-', ...Array(8).fill('\\N')].join('\t');
const DEFAULT_PORTS = { http: 80, ws: 80, https: 443, wss: 443, ftp: 21 };

function escaped(text) {
	if (text === null || text === undefined)
		return '\\N';
	if (/^[!-[\]-~]*$/.test(text))
		return text;
	let made = '';
	for (const octet of Buffer.from(text, 'utf8'))
		made += octet > 0x20 && octet < 0x7f && octet !== 0x5c ? String.fromCharCode(octet)
			: '\\x' + octet.toString(16).toUpperCase().padStart(2, '0');
	return made;
}

function effectivePort(scheme, port) {
	if (port === null || port === undefined || port === '')
		return DEFAULT_PORTS[String(scheme).toLowerCase()] ?? '\\N';
	return /^[0-9]+$/.test(port) && Number(port) <= 65535 ? String(Number(port)) : '\\N';
}

// r has scheme, userinfo, host, port, path, query, fragment as strings, null where absent.
function line(r) {
	const host = r.host && r.host.replace(/^\[(.*)\]$/s, '$1');
	const columns = [r.scheme, r.userinfo, host, r.port, r.path, r.query, r.fragment];
	return ['accept', '-', ...columns.map(escaped), effectivePort(r.scheme, r.port)].join('\t');
}

// A text that is there, else null.
function some(text) {
	return text === '' || text === undefined ? null : text;
}

// What the class URL of the WHATWG standard shows; absent and empty are one where it makes them one.
function ofWhatwg(url) {
	return {
		scheme: url.protocol.slice(0, -1),
		userinfo: some(url.username + (url.password === '' ? '' : ':' + url.password)),
		host: some(url.hostname),
		port: some(url.port),
		path: url.pathname,
		query: some(url.search.slice(1)),
		fragment: some(url.hash.slice(1)),
	};
}

// Answers each record; whatever a reader throws is a refusal.
function serve(version, read) {
	if (process.argv[2] === '--version') {
		console.log(version);
		return;
	}
	const data = fs.readFileSync(0);
	const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
	const lines = [];
	for (let at = 0; at < data.length;) {
		let end = data.indexOf(0, at);
		if (end < 0)
			end = data.length;
		let answer = REFUSED;
		try {
			answer = line(read(decoder.decode(data.subarray(at, end))));
		} catch {
			// refused
		}
		lines.push(answer + '\n');
		at = end + 1;
	}
	fs.writeFileSync(1, lines.join(''));
}

module.exports = { ofWhatwg, serve, some };
