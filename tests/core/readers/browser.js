// SPDX-License-Identifier: Apache-2.0
// Prints what Node's URL makes of each record of standard input, in the format of line_as() in tests/core/library.py; each has its length before it, in four octets.
'use strict';

const fs = require('fs');

const SPECIAL = new Set(['http:', 'https:', 'ws:', 'wss:', 'ftp:']);
// The path percent-encode set has had U+005E since 2025-03 (whatwg/url, pull request 846).  Ada encodes it only
// where something else in the path is encoded too, or nowhere (its maintainers know).
const LACKS_CARET = new URL('http://h/^').pathname !== '/%5E';
// Ada may leave dot segments alone where a segment before them begins with a dot (its maintainers know).
const LEAVES_DOTS = new URL('http://h/a/.b/../c').pathname !== '/a/c';
const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?=\/|$)/i;
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

function column(text, present) {
	return present ? text.replaceAll('\\', '\\x5C') : '\\N';
}

function line(record) {
	let url;
	try {
		url = new URL(decoder.decode(record));
	} catch {
		return '-';
	}
	if (!SPECIAL.has(url.protocol))
		return '-';
	if (LEAVES_DOTS && DOT_SEGMENT.test(url.pathname))
		url.pathname = '/%2e' + url.pathname;	// which keeps Ada off its short cut
	const hash = url.href.indexOf('#');
	const head = hash < 0 ? url.href : url.href.slice(0, hash);
	const userinfo = url.username + (url.password === '' ? '' : ':' + url.password);
	return [
		url.protocol.slice(0, -1),
		column(userinfo, userinfo !== ''),
		column(url.hostname.replace(/^\[|\]$/g, ''), true),
		column(url.port, url.port !== ''),
		column(LACKS_CARET ? url.pathname.replaceAll('^', '%5E') : url.pathname, true),
		column(url.search.slice(1), head.includes('?')),
		column(url.hash.slice(1), hash >= 0),
	].join('\t');
}

const data = fs.readFileSync(0);
const lines = [];
for (let at = 0; at < data.length;) {
	const end = at + 4 + data.readUInt32BE(at);
	lines.push(line(data.subarray(at + 4, end)));
	at = end;
}
process.stdout.write(lines.join('\n') + (lines.length > 0 ? '\n' : ''));
