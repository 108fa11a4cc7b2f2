// SPDX-License-Identifier: Apache-2.0
// Allowlist checks as they stand in programs, and what they answer, emulated exactly: the tests compare with python3, php and
// node. A host is lower-case letters, digits, hyphens and dots, so that it is one text in each language.

// ---- Python's urllib.parse, as Debian 12 has it (3.11.2 with the fixes of 3.11.4)

const BRACKETED_OLD = /^v[a-fA-F0-9]+\..+$/su;

function isIpv6(text) {
	const [address, scope, ...rest] = text.split('%');
	if (rest.length > 0 || scope === '' || !/^[\da-fA-F:.]+$/.test(address))
		return false;
	const parts = address.split(':');
	if (parts.length < 3)
		return false;
	const last = parts.at(-1);
	if (last.includes('.')) {
		if (!/^(?:(?:0|[1-9]\d{0,2})\.){3}(?:0|[1-9]\d{0,2})$/.test(last) || last.split('.').some(part => Number(part) > 255))
			return false;
		parts.splice(-1, 1, '0', '0');
	}
	if (parts.length > 9)
		return false;
	const gaps = parts.slice(1, -1).filter(part => part === '').length;
	if (gaps > 1 || parts.some(part => part.length > 4))
		return false;
	const atStart = parts[0] === '', atEnd = parts.at(-1) === '';
	if (gaps === 0)
		return parts.length === 8 && !atStart && !atEnd;
	if (atStart && parts[1] !== '' || atEnd && parts.at(-2) !== '')
		return false;
	return parts.filter(part => part !== '').length < 8;
}

function partition(text, at) {
	const k = text.indexOf(at);
	return k < 0 ? [text, ''] : [text.slice(0, k), text.slice(k + at.length)];
}

// Throws where urlsplit() raises ValueError.
function urlsplit(text) {
	let url = text.replace(/^[\0-\x20]+/, '').replace(/[\t\r\n]/g, ''), netloc = '';
	const colon = url.indexOf(':');
	if (colon > 0 && /^[A-Za-z][A-Za-z\d+.-]*$/.test(url.slice(0, colon)))
		url = url.slice(colon + 1);
	if (url.startsWith('//'))
		[netloc] = url.slice(2).split(/[/?#]/, 1);
	const opens = netloc.includes('['), closes = netloc.includes(']');
	if (opens !== closes)
		throw new Error('Invalid IPv6 URL');
	if (opens)
		checkBrackets(netloc.slice(netloc.lastIndexOf('@') + 1));
	if (/[^\0-\x7f]/.test(netloc)) {
		const plain = netloc.replace(/[@:#?]/g, ''), normal = plain.normalize('NFKC');
		if (plain !== normal && /[/?#@:]/.test(normal))
			throw new Error('contains invalid characters under NFKC normalization');
	}
	const info = netloc.slice(netloc.lastIndexOf('@') + 1), open = info.indexOf('[');
	const name = open >= 0 ? partition(info.slice(open + 1), ']')[0] : partition(info, ':')[0];
	const percent = name.indexOf('%'), end = percent < 0 ? name.length : percent;
	return { netloc, hostname: name === '' ? null : name.slice(0, end).toLowerCase() + name.slice(end) };
}

function checkBrackets(info) {
	const open = info.indexOf('[');
	let name = partition(info, ':')[0];
	if (open >= 0) {
		const close = info.indexOf(']', open), port = close < 0 ? '' : info.slice(close + 1);
		name = info.slice(open + 1, close < 0 ? undefined : close);
		if (open > 0 || port !== '' && !port.startsWith(':'))
			throw new Error('Invalid IPv6 URL');
	}
	if (name.startsWith('v') ? !BRACKETED_OLD.test(name) : !isIpv6(name))
		throw new Error('Invalid IPv6 URL');
}

// ---- PHP's parse_url(), as php_url_parse_ex2() of PHP 8.2

const digitsAt = (url, from, most) => /^\d*/.exec(url.slice(from, from + most))[0].length;
const hasTwoSlashes = url => url.startsWith('//') && url.length > 1;

// strtol() of at most five octets; -1 if it finds no number that is a port.
function portOf(text) {
	const [, number] = /^[\t-\r ]*([-+]?\d+)/.exec(text) ?? [];
	return number !== undefined && Number(number) >= 0 && Number(number) <= 65535 ? Number(number) : -1;
}

// Returns where the authority begins: an offset, -1 if there is none, or null if it is no URL; and a port before it.
function phpStart(url) {
	const colon = url.indexOf(':'), scheme = url.slice(0, Math.max(colon, 0));
	const relative = hasTwoSlashes(url) ? 2 : -1;
	if (colon < 0)
		return { start: relative };
	if (colon > 0 && /^[A-Za-z\d+.-]+$/.test(scheme)) {
		if (colon + 1 === url.length)
			return { start: -1 };
		if (url[colon + 1] !== '/') {
			const digits = digitsAt(url, colon + 1, 6), next = url[colon + 1 + digits];
			return digits + 1 < 7 && (next === undefined || next === '/') ? phpPort(url, colon, relative) : { start: -1 };
		}
		if (url[colon + 2] !== '/')
			return { start: -1 };
		return { start: scheme.toLowerCase() === 'file' && url[colon + 3] === '/' ? -1 : colon + 3 };
	}
	const tail = url.search(/[?#]/), end = tail < 0 ? url.length : tail;
	return colon === 0 || colon + 1 < url.length && colon < end ? phpPort(url, colon, relative) : { start: relative };
}

function phpPort(url, colon, relative) {
	const digits = digitsAt(url, colon + 1, 6), next = url[colon + 1 + digits];
	if (digits > 0 && digits < 6 && (next === undefined || next === '/')) {
		const port = portOf(url.slice(colon + 1, colon + 1 + digits));
		return port < 0 ? { start: null } : { start: relative < 0 ? 0 : relative, port };
	}
	return colon + 1 === url.length && digits === 0 ? { start: null } : { start: relative };
}

// The host as parse_url() returns it, in octets; null if there is none.
function phpHost(text) {
	const url = octetsOf(text), { start, port = 0 } = phpStart(url);
	if (start === null || start < 0)
		return null;
	const tail = url.slice(start).search(/[/?#]/), authority = tail < 0 ? url.slice(start) : url.slice(start, start + tail);
	const host = authority.slice(authority.lastIndexOf('@') + 1), colon = host.startsWith('[') && authority.endsWith(']') ? -1 : host.lastIndexOf(':');
	if (colon >= 0 && port === 0) {
		const written = host.slice(colon + 1);
		if (written.length > 5 || written.length > 0 && portOf(written) < 0)
			return null;
	}
	const name = colon >= 0 ? host.slice(0, colon) : host;
	return name === '' ? null : name.replace(/[\0-\x1f\x7f]/g, '_');
}

// A string of characters below 256, one an octet of the UTF-8.
const octetsOf = text => Array.from(new TextEncoder().encode(text), octet => String.fromCharCode(octet)).join('');

// ---- The checks

const parsed = (text, then) => {
	try {
		return then(urlsplit(text));
	} catch {
		return false;
	}
};
const inBrowser = (text, then) => URL.canParse(text) && then(new URL(text));
// A dot of a host in a regular expression stands for any character: of JavaScript and Java none that ends a line, of others all but LF.
const loose = (host, dot) => host.replaceAll('.', dot);
const [JS_DOT, LF_DOT, JAVA_DOT] = ['[^\\n\\r\\u2028\\u2029]', '[^\\n]', '[^\\n\\r\\x85\\u2028\\u2029]'];

// language, the check as code (HOST is the host), what it answers, and why it is fooled.
export const CHECKS = [
	['JavaScript', "url.startsWith('https://HOST')", (u, h) => u.startsWith(`https://${h}`), 'The name may go on: HOST.evil.example, or HOST@evil.example.'],
	['JavaScript', "url.includes('HOST')", (u, h) => u.includes(h), 'The text may stand in the path, in the query or before an @.'],
	['JavaScript', "url.split('/')[2] === 'HOST'", (u, h) => u.split('/')[2] === h, 'Not every reader ends the host at a slash, or begins it after two.'],
	['JavaScript', "url.endsWith('HOST')", (u, h) => u.endsWith(h), 'The end of a link is its path, query or fragment.'],
	['JavaScript', '/^https?:\\/\\/HOST/.test(url)', (u, h) => new RegExp(`^https?:\\/\\/${loose(h, JS_DOT)}`).test(u), 'Nothing ends the name, and a dot stands for any character.'],
	['JavaScript', "new URL(url).hostname.endsWith('HOST')", (u, h) => inBrowser(u, ({ hostname }) => hostname.endsWith(h)), 'evilHOST ends so too; and other programs may read another host.'],
	['JavaScript', "new URL(url).hostname === 'HOST'", (u, h) => inBrowser(u, ({ hostname }) => hostname === h), 'Right for a browser. A program with another parser may connect elsewhere.'],
	['Python', "'HOST' in url", (u, h) => u.includes(h), 'The text may stand anywhere.'],
	['Python', "re.match(r'https?://.*HOST', url)", (u, h) => new RegExp(`^https?://${LF_DOT}*${loose(h, LF_DOT)}`, 'u').test(u), '.* reaches into the path and the query.'],
	['Python', "urlparse(url).netloc.endswith('HOST')", (u, h) => parsed(u, ({ netloc }) => netloc.endsWith(h)), 'evilHOST ends so too.'],
	['Python', "urlparse(url).netloc.split(':')[0] == 'HOST'", (u, h) => parsed(u, ({ netloc }) => netloc.split(':')[0] === h), 'What stands before the first colon may be a user: HOST:x@evil.example.'],
	['Python', "urlparse(url).hostname == 'HOST'", (u, h) => parsed(u, ({ hostname }) => hostname === h), 'Right for urllib. A browser may read another host.'],
	['PHP', "strpos($url, 'HOST') !== false", (u, h) => u.includes(h), 'The text may stand anywhere.'],
	['PHP', "preg_match('/HOST/', $url)", (u, h) => new RegExp(loose(h, LF_DOT), 's').test(octetsOf(u)), 'No anchors, and a dot stands for any octet.'],
	['PHP', "parse_url($url, PHP_URL_HOST) === 'HOST'", (u, h) => phpHost(u) === h, 'Right for parse_url(). Browsers and curl may read another host.'],
	['Go', 'strings.HasPrefix(url, "https://HOST")', (u, h) => u.startsWith(`https://${h}`), 'The name may go on.'],
	['Java', 'url.matches("https?://.*HOST.*")', (u, h) => new RegExp(`^https?://${JAVA_DOT}*${loose(h, JAVA_DOT)}${JAVA_DOT}*$`, 'u').test(u), '.* reaches into the path and the query.'],
	['Shell', 'case $url in https://*HOST/*) …', (u, h) => u.startsWith('https://') && u.indexOf(`${h}/`, 8) >= 0, '* takes everything, a path too.'],
].map(([language, code, passes, why]) => ({ language, code, passes, why }));

export const INSTEAD = [
	['JavaScript', "policy({ base: 'public', hosts: { allow: ['HOST'] } }).ok(url)", 'urivet/policy'],
	['Python', 'urivet.Policy.load("allow.yaml").check(url).ok', 'with the YAML below'],
	['C', 'urivet_check(&report, url, length, urivet_loaded_policy(policy)) == URIVET_ACCEPT', 'liburivet-policy'],
	['Shell', 'urivet check --policy-file=allow.yaml -- "$url"', 'exit status 0'],
].map(([language, code, note]) => ({ language, code, note }));

// The code or the reason of a check with the host in its place.
export const withHost = (text, host) => text.replace(/(?<!_)HOST/g, () => host);

// Returns the host as the checks take it, or null: letters, digits, hyphens, dots.
export function hostToAllow(text) {
	const host = text.trim().toLowerCase();
	return host.length <= 253 && /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)*[a-z](?:[a-z\d-]{0,61}[a-z\d])?$/.test(host) ? host : null;
}

const isWithin = (name, host) => [name.replace(/\.$/, '').toLowerCase()].some(each => each === host || each.endsWith(`.${host}`));

// Returns where each reader goes that does not go to the host or below it: { reader, host }.
export function astray(readings, host) {
	return readings.filter(({ reads, components }) => reads && (components.host === null || !isWithin(components.host, host) || !/^https?$/i.test(components.scheme ?? '')))
		.map(({ reader, components }) => ({ reader, host: components.host, scheme: components.scheme }));
}
