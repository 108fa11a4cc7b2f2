// SPDX-License-Identifier: Apache-2.0
// Agents for http.request() and whatever takes one: each URL, each address and each Location field is judged.
'use strict';
const http = require('node:http');
const https = require('node:https');
const net = require('node:net');
const { RefusedError, judgeAddress, judgeHost, judgeLocations, judgeUrl, judgedLookup, limited, locationsOf, optionsOf, wantPolicy } = require('./guard.cjs');

for (const name of ['addRequest', 'createConnection'])
	if (typeof http.Agent.prototype[name] !== 'function')
		throw new Error(`urivet: this Node is not known: its http.Agent has no ${name}`);

// Options of a request that would connect in another way.
const AROUND = ['createConnection', 'fd', 'handle', 'h2session', 'lookup', 'socket', 'socketPath'];

// The URL of a request, if it asks for nothing that its URL does not say.
function urlOf(request, options, protocol) {
	const around = AROUND.find(name => ![undefined, null, false, ''].includes(options[name])); // 0 is a descriptor
	if (around)
		throw new RefusedError(`the option ${around}: it could lead around the guard`);
	if (request.method === 'CONNECT' || !request.path.startsWith('/') || Array.isArray(options.headers)) // getHeader() sees none of a list
		throw new RefusedError('a request that is more than its URL');
	const host = options.host || options.hostname || 'localhost', port = Number(options.port);
	const isDefault = !port || port === { 'http:': 80, 'https:': 443 }[protocol];
	return `${protocol}//${net.isIPv6(host) ? `[${host}]` : host}${isDefault ? '' : `:${port}`}${request.path}`;
}

// Lets a response arrive if its Location fields are accepted; else the request has an error and no response.
function judgeResponse(by, url, request, limits) {
	const { emit } = request, begin = limited(request, limits);
	request.on('upgrade', () => {}); // without it some requests never end after 101
	request.emit = function (name, ...given) {
		try {
			if (name === 'response') {
				judgeLocations(by, url, locationsOf(given[0].statusCode, given[0].rawHeaders));
				begin(given[0]);
			}
			if (name === 'upgrade')
				throw new RefusedError('an upgrade to another protocol');
		} catch (refused) {
			given[1]?.destroy();
			request.destroy();
			return emit.call(request, 'error', refused);
		}
		return emit.call(request, name, ...given);
	};
}

const OPTIONS = ['ca', 'cert', 'keepAlive', 'key', 'lookup', 'maxResponseSize', 'maxSockets', 'timeout'];

const guarding = (Agent, protocol) => class extends Agent {
	#by;
	#lookup;
	#limits;
	constructor(by, options) {
		const { lookup, maxResponseSize, timeout, ...rest } = optionsOf(options, OPTIONS);
		super({ keepAlive: true, ...rest });
		this.#by = wantPolicy(by);
		this.#lookup = lookup;
		this.#limits = { maxResponseSize, timeout };
	}
	addRequest(request, options, ...rest) {
		try {
			const url = urlOf(request, options, protocol);
			judgeHost(judgeUrl(this.#by, url), request.getHeader('host'));
			judgeResponse(this.#by, url, request, this.#limits);
		} catch (refused) {
			return request.onSocket(null, refused);
		}
		return super.addRequest(request, options, ...rest);
	}
	// Node looks the name up once, by judgedLookup(), and tries the addresses by its own default: Node 18 tries the first alone,
	// because its autoSelectFamily ends the process when a request is given up.
	createConnection(options, done) {
		const { host } = options, port = Number(options.port), lookup = judgedLookup(this.#by, port, this.#lookup);
		if (net.isIP(host))
			try {
				judgeAddress(this.#by, host, port);
			} catch (refused) {
				return new net.Socket().destroy(refused);
			}
		return super.createConnection({ ...options, path: null, socketPath: null, socket: null, lookup }, done);
	}
};

const HttpAgent = guarding(http.Agent, 'http:'), HttpsAgent = guarding(https.Agent, 'https:');

// Both, as got and others take them.
const agents = (by, options) => ({ http: new HttpAgent(by, options), https: new HttpsAgent(by, options) });

module.exports = { HttpAgent, HttpsAgent, RefusedError, agents };
