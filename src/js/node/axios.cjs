// SPDX-License-Identifier: Apache-2.0
// A guarded instance of axios: guarded(axios, policy). Its adapter is the guarded fetch, and no other is taken.
'use strict';
const { Readable } = require('node:stream');
const { createFetch } = require('./fetch.cjs');
const { RefusedError, judgeUrl, wantPolicy } = require('./guard.cjs');

// What would lead around the guard, or is axios's own way of connecting.
const REFUSED = ['socketPath', 'httpAgent', 'httpsAgent', 'lookup', 'transport', 'beforeRedirect', 'fetchOptions', 'httpVersion', 'http2Options', 'insecureHTTPParser', 'env.fetch'];

function refuseOptions(config) {
	for (const path of REFUSED)
		if (path.split('.').reduce((value, name) => value?.[name], config))
			throw new RefusedError(`the option ${path}: it could lead around the guard`);
	if (config.proxy)
		throw new RefusedError('the option proxy: name a proxy where the guard is made');
}

async function dataOf(response, { responseType, maxContentLength = -1 }) {
	if (responseType === 'stream')
		return response.body ? Readable.fromWeb(response.body) : Readable.from([]);
	const pieces = [];
	let length = 0;
	for await (const piece of response.body ?? []) {
		length += piece.length;
		if (maxContentLength >= 0 && length > maxContentLength)
			throw new RangeError(`maxContentLength size of ${maxContentLength} exceeded`);
		pieces.push(piece);
	}
	const data = Buffer.concat(pieces);
	return responseType === 'arraybuffer' ? data : data.toString('utf8');
}

function headersOf({ headers, auth }) {
	const all = headers.toJSON();
	if (auth)
		all.Authorization = `Basic ${Buffer.from(`${auth.username ?? ''}:${auth.password ?? ''}`).toString('base64')}`;
	return Object.entries(all).filter(([name]) => !['content-length', 'host', 'connection', 'transfer-encoding'].includes(name.toLowerCase())).flatMap(([name, value]) => [value].flat().map(each => [name, String(each)]));
}

// A signal for the request's own and for its time.
function signalOf({ signal, timeout, cancelToken }) {
	const controller = new AbortController();
	const abort = reason => controller.abort(reason);
	signal?.addEventListener('abort', () => abort(signal.reason), { once: true });
	if (signal?.aborted)
		abort(signal.reason);
	cancelToken?.promise.then(abort);
	const timer = timeout > 0 ? setTimeout(() => abort(new Error(`timeout of ${timeout}ms exceeded`)), timeout) : undefined;
	return { signal: controller.signal, done: () => clearTimeout(timer) };
}

function guarded(axios, by = 'public', options = undefined) {
	const judge = wantPolicy(by), fetch = createFetch(judge, options);
	const adapter = async config => {
		const { signal, done } = signalOf(config);
		const fail = (error, response) => Object.assign(axios.AxiosError.from(error, error.code, config, null, response), { report: error.report, publicReason: error.publicReason });
		try {
			refuseOptions(config);
			const url = axios.getUri(config), method = (config.method ?? 'get').toUpperCase();
			judgeUrl(judge, url);
			const response = await fetch(url, { method, headers: headersOf(config), signal, duplex: 'half', body: ['GET', 'HEAD'].includes(method) ? undefined : config.data, redirect: config.maxRedirects === 0 ? 'manual' : 'follow' });
			const answer = { status: response.status, statusText: response.statusText, headers: axios.AxiosHeaders.from(Object.fromEntries(response.headers)), config, request: { responseURL: response.url }, data: await dataOf(response, config) };
			if (!config.validateStatus || config.validateStatus(answer.status))
				return answer;
			throw fail(Object.assign(new Error(`Request failed with status code ${answer.status}`), { code: answer.status < 500 ? 'ERR_BAD_REQUEST' : 'ERR_BAD_RESPONSE' }), answer);
		} catch (error) {
			throw axios.isAxiosError(error) ? error : fail(error);
		} finally {
			done();
		}
	};
	const client = axios.create({ adapter });
	// The last word about the adapter: after all interceptors, whichever way round they run, and after the transforms.
	const last = function (data) {
		this.adapter = adapter;
		return data;
	};
	const settle = config => Object.assign(config, { adapter, transformRequest: [...[config.transformRequest ?? []].flat().filter(each => each !== last), last] });
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
