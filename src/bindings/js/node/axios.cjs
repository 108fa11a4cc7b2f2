// SPDX-License-Identifier: Apache-2.0
// A guarded instance of axios: guarded(axios, policy). Its adapter is axios's own for Node over the guarded agents.
'use strict';
const { agents } = require('./agent.cjs');
const { RefusedError, judgeUrl, optionsOf, wantPolicy } = require('./guard.cjs');

// What would lead around the guard.
const REFUSED = [
	'beforeRedirect', 'http2Options', 'httpAgent', 'httpsAgent', 'insecureHTTPParser', 'lookup', 'proxy', 'socketPath', 'transport',
];

function refuseOptions(config) {
	const wrong = REFUSED.find(name => config[name]);
	if (wrong || ![undefined, 1, '1'].includes(config.httpVersion))
		throw new RefusedError(`the option ${wrong ?? 'httpVersion'}: it could lead around the guard`);
}

// The URL with its parameters. Errors are those of axios's own adapter.
function uriOf(axios, config) {
	try {
		return axios.getUri(config);
	} catch (error) {
		throw axios.AxiosError.from(error, axios.AxiosError.ERR_BAD_REQUEST, config, null, null, { url: config.url, exists: true });
	}
}

// axios's own adapter with the guarded agents; its errors report what was refused.
function adapterOf(axios, judge, { http: httpAgent, https: httpsAgent }) {
	const inner = axios.getAdapter('http'), none = Object.fromEntries(REFUSED.map(name => [name, undefined]));
	const fixed = { ...none, httpAgent, httpsAgent, proxy: false, httpVersion: 1 };
	return async config => {
		try {
			refuseOptions(config);
			judgeUrl(judge, uriOf(axios, config));
			return Object.assign(await inner({ ...config, ...fixed }), { config });
		} catch (error) {
			const refused = [error, error.cause].find(each => each instanceof RefusedError);
			const failure = refused ? axios.AxiosError.from(refused, refused.code, config, error.request) : error;
			if (axios.isAxiosError(failure))
				failure.config = config;
			throw refused ? Object.assign(failure, { report: refused.report, publicReason: refused.publicReason }) : failure;
		}
	};
}

function guarded(axios, by = 'public', options = undefined) {
	const judge = wantPolicy(by);
	const adapter = adapterOf(axios, judge, agents(judge, optionsOf(options, ['ca', 'cert', 'key', 'lookup', 'maxSockets'])));
	const client = axios.create({ adapter });
	// The last word about the adapter: after all interceptors, whichever way round they run, and after the transforms.
	const fix = config => Object.defineProperty(config, 'adapter', { value: adapter, writable: true, enumerable: true });
	const last = function (data) {
		fix(this);
		return data;
	};
	const settle = config => {
		const others = [config.transformRequest ?? []].flat().filter(each => each !== last);
		return Object.assign(fix(config), { transformRequest: [...others, last] });
	};
	const { request } = client.interceptors, others = request.forEach;
	request.forEach = visit => {
		visit({ fulfilled: settle });
		others.call(request, visit);
		visit({ fulfilled: settle });
	};
	Object.freeze(client.interceptors);
	client.create = () => {
		throw new RefusedError('an instance of this one: make it by guarded()');
	};
	return client;
}

module.exports = { RefusedError, guarded };
