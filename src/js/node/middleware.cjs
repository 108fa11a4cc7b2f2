// SPDX-License-Identifier: Apache-2.0
// What a server asks of a request before it routes it, for Express and Fastify: the target and the Host field as they
// were received, and the parameters of the raw query.
'use strict';
const { wantPolicy } = require('./guard.cjs');

// One Host field, or whatever there is: several are none that may be relied on.
function hostsOf(raw) {
	return raw.filter((value, k) => k % 2 === 1 && raw[k - 1].toLowerCase() === 'host');
}

// Express takes next[], next[0], next[x] and [next] for next: names of the query with the same pieces, or more of them,
// are asked for as well.
const piecesOf = name => name.split(/[[\]]+/).filter(Boolean);

function namesIn(target, names) {
	const found = [...new URLSearchParams(target.slice(target.indexOf('?') + 1)).keys()];
	const wanted = names.map(piecesOf).filter(pieces => pieces.length > 0);
	const isWanted = pieces => wanted.some(each => each.every((piece, k) => piece === pieces[k]));
	return [...names, ...new Set(found.filter(name => !names.includes(name) && isWanted(piecesOf(name))))];
}

// Judges by what the options say: {policy, params, paramsPolicy, sameOrigin, absolute, scheme, port, mode, log}.
function judge({ policy = 'gateway', params = null, paramsPolicy = 'public', sameOrigin = false, absolute = false, scheme, port, mode = 'enforce', log = () => {} } = {}) {
	const by = wantPolicy(policy), inner = wantPolicy(paramsPolicy);
	if (!['observe', 'enforce'].includes(mode))
		throw new RangeError('urivet: a mode is observe or enforce');
	const names = params === null || params === '*' ? [] : Array.from(params);
	if (names.length === 0 && params !== null && params !== '*')
		throw new RangeError('urivet: no parameters are named; "*" is for all that look like a URL or a path');
	return (target, message) => {
		const hosts = hostsOf(message.rawHeaders), octets = text => Buffer.from(text, 'latin1'); // as Node has read them
		const request = { method: message.method, scheme, port, host: hosts.length === 1 ? octets(hosts[0]) : undefined };
		const report = params === null ? by.checkRequest(octets(target), request)
			: by.parameters(octets(target), { names: names.length > 0 ? namesIn(target, names) : names, policy: inner, sameOrigin, absolute, request });
		if (!report.ok)
			log({ mode, target, reason: report.publicReason, findings: report.findings.filter(finding => finding.refuses).map(finding => finding.id), report });
		return { report, refused: !report.ok && mode === 'enforce' };
	};
}

// app.use(express({params: ['url', 'next']})): refused requests are answered by 400 and one word.
function express(options) {
	const judged = judge(options);
	return (req, res, next) => {
		const { report, refused } = judged(req.originalUrl, req);
		req.urivet = report;
		if (!refused)
			return next();
		res.statusCode = 400;
		res.setHeader('Content-Type', 'text/plain');
		res.end(`${report.publicReason}\n`);
	};
}

// app.register(fastify, {params: ['url', 'next']})
function fastify(app, options, done) {
	const judged = judge(options);
	app.decorateRequest('urivet', null);
	app.addHook('onRequest', (request, reply, next) => {
		const { report, refused } = judged(request.originalUrl, request.raw);
		request.urivet = report;
		if (!refused)
			return next();
		reply.code(400).type('text/plain').send(`${report.publicReason}\n`);
	});
	done();
}
fastify[Symbol.for('skip-override')] = true; // for all routes, not for those of a plugin alone

module.exports = { express, fastify };
