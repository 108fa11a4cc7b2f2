// SPDX-License-Identifier: Apache-2.0
// A guarded instance of axios: guarded(axios, policy). Its adapter is axios's own for Node over the guarded agents.
'use strict';
const { agents } = require('./agent.cjs');
const { RefusedError, judgeLocations, judgeUrl, optionsOf, wantPolicy } = require('./guard.cjs');

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
function adapterOf(axios, judge, { http: httpAgent, https: httpsAgent }, { maxResponseSize: most, repair, timeout }) {
	const inner = axios.getAdapter('http'), none = Object.fromEntries(REFUSED.map(name => [name, undefined]));
	// a mock in tests answers without the agents
	const beforeRedirect = (options, { headers }, { url }) => judgeLocations(judge, url, [Buffer.from(headers.location, 'latin1')]);
	const fixed = { ...none, httpAgent, httpsAgent, beforeRedirect, proxy: false, httpVersion: 1 };
	return async config => {
		const deadline = timeout === undefined ? undefined : AbortSignal.timeout(timeout), signals = [deadline, config.signal].filter(Boolean);
		const limits = deadline && { signal: AbortSignal.any(signals) };
		try {
			refuseOptions(config);
			const { repaired } = judgeUrl(judge, uriOf(axios, config), repair), given = repaired && { url: repaired.to, baseURL: undefined, params: undefined };
			const own = config.maxContentLength ?? -1, maxContentLength = own < 0 ? most : Math.min(own, most);
			return Object.assign(await inner({ ...config, ...given, ...fixed, ...limits, ...most !== undefined && { maxContentLength } }), { config, repaired });
		} catch (error) {
			const refused = [error, error.cause, error.cause?.cause].find(each => each instanceof RefusedError);
			if (refused) // without its config: nothing tries it again, and no log has its URL
				throw refused.mark(axios.AxiosError.from(refused, refused.code));
			if (deadline?.aborted && axios.isCancel(error))
				throw new axios.AxiosError('urivet: the request took too long', 'ETIMEDOUT', config);
			if (axios.isAxiosError(error))
				error.config = config;
			throw error;
		}
	};
}

function guarded(axios, by = 'public', options = undefined) {
	const judge = wantPolicy(by), { maxResponseSize, repair, timeout, ...rest } = optionsOf(options, ['ca', 'cert', 'key', 'lookup', 'maxResponseSize', 'maxSockets', 'repair', 'timeout']);
	return create(axios, adapterOf(axios, judge, agents(judge, rest), { maxResponseSize, repair, timeout }), {});
}

function create(axios, adapter, defaults) {
	const client = axios.create({ ...defaults, adapter });
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
	client.create = (config = {}) => {
		if (config.adapter)
			throw new RefusedError('the option adapter: it could lead around the guard');
		return create(axios, adapter, axios.mergeConfig(client.defaults, config));
	};
	return client;
}

module.exports = { RefusedError, guarded };
