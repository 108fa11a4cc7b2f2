// SPDX-License-Identifier: Apache-2.0
// What every guard shares: refusals, and the addresses that a connection may be made to.
'use strict';
const dns = require('node:dns');
const net = require('node:net');
const { Policy, policy, check, wantOptions } = require('./urivet.cjs');

// What was refused, with its report for the log; `publicReason` is for whoever sent the URL.
class RefusedError extends TypeError {
	constructor(what, report) {
		const ids = report?.findings.filter(finding => finding.refuses).map(finding => finding.id).join(', ');
		super(`urivet: refused: ${what}${ids ? ` (${ids})` : ''}`);
		this.name = 'RefusedError';
		this.code = 'URIVET_REFUSED';
		this.report = report;
		this.publicReason = report && !report.ok ? report.publicReason : 'not-allowed';
	}
}

function wantPolicy(by = 'public') {
	const chosen = typeof by === 'string' ? policy(by) : by;
	if (!(chosen instanceof Policy))
		throw new TypeError('urivet: no policy');
	return chosen;
}

// The report of an accepted URL that there is one place to go to for, by http or https.
function judgeUrl(by, url) {
	if (typeof url !== 'string')
		throw new TypeError('urivet: give the URL as the string that was received, before anything rewrites it');
	const report = by.check(url), endpoint = report.endpoint;
	if (!report.ok || !endpoint || !['http', 'https'].includes(endpoint.scheme))
		throw new RefusedError('the URL', report);
	return endpoint;
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

// All addresses of a host, each of them judged: one that is refused refuses all. `lookup` is as dns.lookup().
function addressesOf(by, host, port, lookup = dns.lookup) {
	const name = host.replace(/^\[|\]$/g, '');
	if (net.isIP(name))
		return Promise.resolve().then(() => [judgeAddress(by, name, port)]);
	return new Promise((resolve, reject) => {
		lookup(name, { all: true, verbatim: true }, (error, found) => {
			if (error)
				return reject(error);
			try {
				const addresses = found.map(({ address }) => judgeAddress(by, address, port));
				if (addresses.length === 0)
					throw new RefusedError('a name without addresses');
				resolve(addresses);
			} catch (refused) {
				reject(refused);
			}
		});
	});
}

// Connects to the first of the judged addresses that answers, and looks whom it got. `connectTo(address, done)`
// begins a connection to that address and nothing else.
function connectJudged(by, { host, port, lookup }, connectTo, done) {
	const attempt = addresses => connectTo(addresses[0], (error, socket) => {
		if (error && addresses.length > 1)
			return attempt(addresses.slice(1));
		if (error)
			return done(error);
		try {
			judgeAddress(by, socket.remoteAddress ?? '', socket.remotePort ?? 65536);
		} catch (refused) {
			socket.destroy();
			return done(refused);
		}
		done(null, socket);
	});
	addressesOf(by, host, port, lookup).then(attempt, done);
}

// Options of a guard, all of which are known: an agent, a Unix socket or another transport that is asked for
// would go around it.
const isCount = value => Number.isSafeInteger(value) && value >= 0;
const COUNT = [isCount, 'a number of at least 0, and whole'], SECRET = [value => typeof value === 'string' || Buffer.isBuffer(value), 'a string or a Buffer'];
const OPTIONS = {
	lookup: [value => typeof value === 'function', 'a function as dns.lookup() is'], proxy: [value => typeof value === 'string', 'a URL as a string'],
	ca: SECRET, cert: SECRET, key: SECRET, connectTimeout: COUNT, headersTimeout: COUNT, bodyTimeout: COUNT, keepAliveTimeout: COUNT,
	maxResponseSize: COUNT, connections: COUNT, pipelining: COUNT,
};
const optionsOf = (options, names) => wantOptions(options, Object.fromEntries(names.map(name => [name, OPTIONS[name]])), message => new RefusedError(message));

module.exports = { RefusedError, addressesOf, connectJudged, judgeAddress, judgeLocations, judgeUrl, locationsOf, optionsOf, wantOptions, wantPolicy };
