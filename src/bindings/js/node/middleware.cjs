// SPDX-License-Identifier: Apache-2.0
// What a server asks of a request before it routes it, for Express and Fastify: the target and the Host field as they
// were received, and the parameters of the raw query.
'use strict';
const { wantOptions, wantPolicy } = require('./guard.cjs');

// The one Host field of a request; undefined if there is none, or several that differ. HTTP/2 has :authority instead.
function hostOf({ rawHeaders, httpVersionMajor }) {
	const names = httpVersionMajor >= 2 ? ['host', ':authority'] : ['host'];
	const hosts = rawHeaders.filter((value, k) => k % 2 === 1 && names.includes(rawHeaders[k - 1].toLowerCase()));
	return hosts.length === 1 || (httpVersionMajor >= 2 && hosts.length === 2 && hosts[0] === hosts[1]) ? hosts[0] : undefined;
}

// Express takes next[], next[0], next[x] and [next] for next, and URLSearchParams ?next after a second "?": names of the
// query with the same pieces, or more of them, are judged as well.
const piecesOf = name => name.replace(/^\?/, '').split(/[[\]]+/).filter(Boolean);

function namesIn(target, names) {
	if (names.length === 0)
		return names;
	const found = [...new URLSearchParams(`?${target.slice(target.indexOf('?') + 1)}`).keys()];
	const wanted = names.map(piecesOf);
	const isWanted = pieces => wanted.some(each => each.every((piece, k) => piece === pieces[k]));
	return [...names, ...new Set(found.filter(name => !names.includes(name) && isWanted(piecesOf(name))))];
}

// Where a program goes afterwards: values are paths that begin with one "/", unless a parameter has rules of its own.
const RETURN_PATH = /^(next|continue|dest(ination)?|goto|(return|redirect)([_-]?(to|url|uri|path))?)$/i;
const isRooted = value => /^\/(?![/\\])/.test(value);

const FLAG = [value => typeof value === 'boolean', 'true or false'], POLICY = [wantPolicy, 'a policy'];
const RULES = { policy: POLICY, sameOrigin: FLAG, absolute: FLAG, rooted: FLAG };
const OPTIONS = {
	policy: POLICY, paramsPolicy: POLICY, sameOrigin: FLAG, absolute: FLAG,
	params: [value => typeof value === 'string' || (typeof value === 'object' && !(value instanceof String)), 'names of parameters'],
	scheme: [value => ['http', 'https'].includes(value), 'http or https'],
	port: [value => value === 'any' || (Number.isInteger(value) && value > 0 && value < 65536), "a port number or 'any'"],
	mode: [value => ['observe', 'enforce'].includes(value), 'observe or enforce'],
	log: [value => typeof value === 'function', 'a function'],
};

// Parameters in groups that are judged alike; null if none are judged.
function groupsOf({ params = null, paramsPolicy, sameOrigin = false, absolute = false }) {
	const rules = { policy: wantPolicy(paramsPolicy), sameOrigin, absolute };
	if (params === null || params === '*')
		return params === null ? null : [{ names: [], ...rules }];
	const isReturnPath = name => typeof name === 'string' && RETURN_PATH.test(piecesOf(name).at(-1));
	const group = (names, own) => {
		const chosen = wantOptions(own, RULES), rooted = Object.keys(chosen).length === 0 && names.every(isReturnPath);
		return { names, ...rules, rooted, ...chosen, ...(chosen.rooted ?? rooted) && { sameOrigin: true } };
	};
	const grouped = names => [names.filter(isReturnPath), names.filter(name => !isReturnPath(name))].filter(some => some.length > 0).map(some => group(some));
	const groups = typeof params === 'string' ? grouped([params])
		: Symbol.iterator in Object(params) ? grouped([...params])
		: Reflect.ownKeys(params).map(name => group([name], params[name]));
	const names = groups.flatMap(each => each.names), isName = name => typeof name === 'string' && piecesOf(name).length > 0;
	if (names.length === 0 || names.includes('*') || !names.every(isName))
		throw new TypeError("urivet: params names one parameter or several; '*' alone is all that look like URLs or paths");
	return groups;
}

// The first report that refuses; its pairs are as the groups that named them judged them.
function merged(reports) {
	const report = reports.find(each => !each.ok) ?? reports[0], named = ({ result }) => result !== 'not-asked';
	report.parameters = report.parameters?.map((pair, k) => {
		const pairs = reports.map(each => each.parameters[k]).filter(named);
		return pairs.find(each => !each.ok) ?? pairs[0] ?? pair;
	});
	return report;
}

// Refuses what is accepted as a reference to this origin and is no path that begins with "/".
function rooted(report) {
	for (const pair of report.parameters.filter(({ ok, result, value }) => ok && result !== 'not-asked' && !isRooted(value))) {
		Object.assign(pair, { ok: false, result: 'refused' });
		if (report.ok)
			report.findings.push({ id: 'param-refused', class: 'policy', component: 'query', refuses: true });
		Object.assign(report, { ok: false, verdict: 'reject', publicReason: report.ok ? 'not-allowed' : report.publicReason });
	}
	return report;
}

// A target without what may be secret.
const masked = target => target.replace(/\?.*$/s, '?\u2026').replace(/\/\/[^/?#]*@/, '//\u2026@');

const warn = ({ target, findings }) => console.warn(`urivet: would refuse ${JSON.stringify(target)}: ${findings.join(', ')}`);

// Judges by the options, which types/middleware.d.ts describes.
function judge(options) {
	const settings = wantOptions(options, OPTIONS), { policy = 'gateway', scheme, port, mode = 'enforce' } = settings;
	const by = wantPolicy(policy), groups = groupsOf(settings), log = settings.log ?? (mode === 'observe' ? warn : () => {});
	const octets = text => Buffer.from(text, 'latin1'); // as Node has read them
	return (target, message) => {
		const host = hostOf(message), own = Number(/:(\d{1,5})$/.exec(host)?.[1] ?? 0);
		const request = {
			method: message.method, scheme, host: host === undefined ? undefined : octets(host),
			port: port !== 'any' ? port : own <= 65535 ? own : 0,
		};
		const ask = ({ names, rooted: isReturn, ...rules }) => {
			const judged = by.parameters(octets(target), { names: namesIn(target, names), ...rules, request });
			return isReturn ? rooted(judged) : judged;
		};
		const report = groups ? merged(groups.map(ask)) : by.checkRequest(octets(target), request);
		const findings = report.findings.filter(finding => finding.refuses).map(finding => finding.id);
		if (!report.ok)
			log(Object.defineProperty({ mode, target: masked(target), reason: report.publicReason, findings }, 'report', { value: report }));
		return { report, refused: !report.ok && mode === 'enforce' };
	};
}

// app.use(express({params: ['url', 'next']})): refused requests are answered by 400 and one word.
function express(options) {
	const judged = judge(options);
	return (req, res, next) => {
		const { report, refused } = judged(req.originalUrl ?? req.url, req);
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
	if (!app.hasRequestDecorator('urivet')) // it may be registered with other parameters, too
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
