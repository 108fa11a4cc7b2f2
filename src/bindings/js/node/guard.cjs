// SPDX-License-Identifier: Apache-2.0
// What every guard shares: refusals, and the addresses that a connection may be made to.
'use strict';
const dns = require('node:dns');
const net = require('node:net');
const zlib = require('node:zlib');
const { Policy, policy, check, wantOptions } = require('./urivet.cjs');

// What was refused; `publicReason` is for whoever sent the URL. Logs show `url` without its secrets: `report`, which has the URL as it is, is not
// enumerable.
class RefusedError extends TypeError {
	constructor(what, report) {
		const ids = report?.findings.filter(finding => finding.refuses).map(finding => finding.id).join(', ');
		super(`urivet: refused: ${what}${ids ? ` (${ids})` : ''}`);
		this.name = 'RefusedError';
		this.code = 'URIVET_REFUSED';
		this.publicReason = report && !report.ok ? report.publicReason : 'not-allowed';
		const { scheme, host } = report?.components ?? {};
		this.url = scheme && host ? `${scheme}://${host}/\u2026` : undefined;
		Object.defineProperty(this, 'report', { value: report });
	}
	// Gives an error of a client what was refused, and hides what the client tells of the request.
	mark(error) {
		for (const name of ['config', 'options', 'request', 'response'])
			if (Object.hasOwn(error, name))
				Object.defineProperty(error, name, { value: error[name], enumerable: false });
		return Object.defineProperties(error, { report: { value: this.report }, publicReason: { value: this.publicReason, enumerable: true } });
	}
}

function wantPolicy(by = 'public') {
	const chosen = typeof by === 'string' ? policy(by) : by;
	if (!(chosen instanceof Policy))
		throw new TypeError('urivet: no policy');
	return chosen;
}

// The endpoint of an accepted URL that there is one place to go to for, by http or https, and how it was repaired.
function judgeUrl(by, url, repair = false) {
	if (typeof url !== 'string')
		throw new TypeError('urivet: give the URL as the string that was received, before anything rewrites it');
	const report = repair ? by.repair(url) : by.check(url), { endpoint, repaired = null } = report;
	if (!report.ok || !endpoint || !['http', 'https'].includes(endpoint.scheme))
		throw new RefusedError('the URL', report);
	return { ...endpoint, repaired };
}

// The Host field is that of the URL.
function judgeHost({ hostField }, host) {
	if (host !== undefined && String(host).toLowerCase().replace(/\.(?=$|:)/, '') !== hostField.replace(/\.(?=$|:)/, ''))
		throw new RefusedError('a Host field that is not of the URL');
}

// Locations of a response to `url`, as they were received: there is one, and it is accepted.
function judgeLocations(by, url, locations) {
	if (locations.length === 0)
		return;
	if (locations.length > 1)
		throw new RefusedError('several Location fields');
	const report = by.checkRedirect(locations[0], { base: url });
	if (!report.ok || !report.endpoint)
		throw new RefusedError('the Location field', report);
}

// Location fields among raw headers, names and values by turns, as octets; of all statuses that anybody here follows, and
// got follows 300 and 304.
function locationsOf(status, raw) {
	const found = [];
	for (let k = 0; status >= 300 && status < 400 && k + 1 < raw.length; k += 2)
		if (raw[k].toString('latin1').toLowerCase() === 'location')
			found.push(Buffer.from(raw[k + 1].toString('latin1'), 'latin1'));
	return found;
}

// The octets of an address as resolvers and sockets write it; none of one with a scope.
function octetsOf(address) {
	const endpoint = check(net.isIPv6(address) ? `http://[${address}]/` : `http://${address}/`).endpoint;
	return endpoint && endpoint.address.length > 0 ? endpoint.address : new Uint8Array();
}

function judgeAddress(by, address, port) {
	const report = by.checkAddress(octetsOf(address), port);
	if (!report.ok)
		throw new RefusedError('the address', report);
	return address;
}

// A function like dns.lookup() that answers with judged addresses: one that is refused refuses the name.
function judgedLookup(by, port, lookup = dns.lookup) {
	const wanted = (found, family) => {
		const addresses = found.map(({ address }) => ({ address: judgeAddress(by, address, port), family: net.isIP(address) }))
			.filter(each => ![4, 6].includes(family) || each.family === family);
		if (addresses.length === 0)
			throw new RefusedError('a name without addresses');
		return addresses;
	};
	return (name, { all, family }, done) => lookup(name, { all: true, verbatim: true }, (error, found) => {
		try {
			found = error ? [] : wanted(found, family);
		} catch (refused) {
			error = refused;
		}
		return error ? done(error) : all ? done(null, found) : done(null, found[0].address, found[0].family);
	});
}

const DECODERS = { gzip: zlib.createUnzip, deflate: zlib.createUnzip, br: zlib.createBrotliDecompress };

// Ends a request of node:http with an error after `timeout` milliseconds, and its response after `maxResponseSize` octets.
// Returns a function for the response, before others see it; it decodes the body for clients that would decode it.
function limited(request, { maxResponseSize = Infinity, timeout }, decodes) {
	let response, decoder, size = 0;
	// clients take "aborted" for a lost connection, and try again
	const end = error => response ? response.removeAllListeners('aborted').destroy(error) : request.destroy(error);
	const fail = (message, code) => end(Object.assign(new Error(`urivet: ${message}`), { code }));
	const timer = timeout === undefined ? undefined : setTimeout(fail, timeout, 'the request took too long', 'ETIMEDOUT');
	request.once('close', () => clearTimeout(timer));
	return found => {
		response = found;
		const { push } = found, create = decodes && DECODERS[found.headers['content-encoding']?.toLowerCase()];
		const add = piece => {
			size += piece?.length ?? 0;
			return size > maxResponseSize ? fail('the body is too long', 'ERR_BODY_TOO_LONG') : push.call(found, piece);
		};
		const decode = piece => {
			decoder ??= create().on('data', add).on('end', () => add(null)).on('error', end);
			decoder.write(piece);
			return found.readableLength < found.readableHighWaterMark;
		};
		if (maxResponseSize !== Infinity)
			found.push = !create ? add : piece => piece !== null ? decode(piece) : decoder ? decoder.end() : add(null);
		if (maxResponseSize !== Infinity && create)
			for (const name of ['content-encoding', 'content-length'])
				delete found.headers[name];
		found.once('close', () => decoder?.destroy());
	};
}

// Options of a guard, all of which are known: an agent, a Unix socket or another transport that is asked for
// would go around it.
const isCount = value => Number.isSafeInteger(value) && value >= 0;
const FLAG = [value => typeof value === 'boolean', 'true or false'], COUNT = [isCount, 'a whole number of at least 0'];
const SECRET = [value => typeof value === 'string' || Buffer.isBuffer(value), 'a string or a Buffer'];
const OPTIONS = {
	lookup: [value => typeof value === 'function', 'a function as dns.lookup() is'],
	proxy: [value => typeof value === 'string', 'a URL as a string'], ca: SECRET, cert: SECRET, key: SECRET,
	connectTimeout: COUNT, headersTimeout: COUNT, bodyTimeout: COUNT, keepAliveTimeout: COUNT,
	maxResponseSize: COUNT, connections: COUNT, pipelining: COUNT, maxSockets: COUNT,
	timeout: [value => isCount(value) && value < 2 ** 31, 'milliseconds below 2147483648'], // as setTimeout() has it
	mock: [value => typeof value?.dispatch === 'function', "undici's MockAgent"],
	keepAlive: FLAG, repair: FLAG,
};
function optionsOf(options, names) {
	const known = Object.fromEntries(names.map(name => [name, OPTIONS[name]]));
	return wantOptions(options, known, message => new RefusedError(message));
}

module.exports = { RefusedError, judgeAddress, judgeHost, judgeLocations, judgeUrl, judgedLookup, limited, locationsOf, optionsOf, wantOptions, wantPolicy };
