// SPDX-License-Identifier: Apache-2.0
// A guarded instance of got 12: guarded(got, policy). Each request that it makes is made here, whatever its hooks did.
'use strict';
const http = require('node:http');
const https = require('node:https');
const net = require('node:net');
const tls = require('node:tls');
const { RefusedError, connectJudged, judgeLocations, judgeUrl, locationsOf, optionsOf, wantPolicy } = require('./guard.cjs');

// An agent that connects to judged addresses alone.
function agentOf(Agent, by, lookup, connect, ready) {
	const agent = new Agent({ keepAlive: true });
	agent.createConnection = (options, done) => {
		const connectTo = (address, connected) => {
			const socket = connect({ ...options, host: address, lookup: undefined, path: undefined, socketPath: undefined });
			const finish = error => {
				socket.removeListener('error', finish);
				connected(error, socket);
			};
			socket.once('error', finish).once(ready, () => finish(null));
		};
		connectJudged(by, { host: options.host, port: Number(options.port), lookup }, connectTo, done);
	};
	return agent;
}

const REFUSED = ['socketPath', 'createConnection', 'lookup', 'agent', 'localAddress', 'h2session'];

// As http.request(), for URLs and addresses that the policy accepts.
function requester(by, { lookup }) {
	const agents = {
		'http:': [http, agentOf(http.Agent, by, lookup, net.connect, 'connect')],
		'https:': [https, agentOf(https.Agent, by, lookup, options => tls.connect({ ...options, servername: options.servername ?? (net.isIP(options.host) ? '' : options.host) }), 'secureConnect')],
	};
	return (url, options, done) => {
		const href = String(url);
		judgeUrl(by, href);
		const wrong = REFUSED.find(name => options[name] && !(name === 'agent' && options.agent === agents[url.protocol]?.[1]));
		if (wrong)
			throw new RefusedError(`the option ${wrong}: it could lead around the guard`);
		const [module, agent] = agents[url.protocol];
		const request = module.request(url, { ...options, agent }, done);
		request.prependListener('response', response => {
			try {
				judgeLocations(by, href, locationsOf(response.statusCode, response.rawHeaders));
			} catch (refused) {
				delete response.headers.location; // nobody follows it
				request.destroy(refused);
				response.destroy(refused);
			}
		});
		return request;
	};
}

// got's own options that are as the guard wants them.
const SETTINGS = { http2: false, dnsCache: undefined, enableUnixSockets: false };

function guarded(got, by = 'public', options = undefined) {
	const judge = wantPolicy(by), request = requester(judge, optionsOf(options, ['lookup']));
	const settle = settings => {
		// the last word, after all hooks: whatever they set, requests are made by the function above
		settings.request = request;
		Object.assign(settings, SETTINGS);
		const { beforeRequest } = settings.hooks;
		if (beforeRequest.at(-1) !== settle) // one was added while they run
			beforeRequest.push(settle);
	};
	const client = got.extend({ ...SETTINGS, request, handlers: [(settings, next) => {
		settle(settings);
		settings.hooks.beforeRequest.push(settle);
		settings.hooks.beforeRedirect.push(settle);
		return next(settings);
	}] });
	const asked = call => (url, ...rest) => {
		judgeUrl(judge, url);
		return call(url, ...rest);
	};
	const all = asked(client);
	for (const method of ['get', 'post', 'put', 'patch', 'delete', 'head'])
		all[method] = asked(client[method]);
	all.stream = asked(client.stream);
	return all;
}

module.exports = { RefusedError, guarded };
