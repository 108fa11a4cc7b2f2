// SPDX-License-Identifier: Apache-2.0
// Fetching what a stranger chose, with undici: each URL as it was received, each hop, and each address are judged.
'use strict';
const net = require('node:net');
const undici = require('undici');
const { RefusedError, judgeAddress, judgeHost, judgeLocations, judgeUrl, judgedLookup, locationsOf, optionsOf, wantPolicy } = require('./guard.cjs');

const OPTIONS = ['bodyTimeout', 'ca', 'cert', 'connectTimeout', 'connections', 'headersTimeout', 'keepAliveTimeout', 'key', 'lookup', 'maxResponseSize', 'mock', 'pipelining', 'proxy'];

// Makes connections to judged addresses alone, the look-up and all addresses within one timeout.
function connector(by, { lookup, connectTimeout: timeout, ca, cert, key }) {
	const connectors = new Map(); // by ports, which addresses are judged with
	const connectorTo = port => undici.buildConnector({ timeout, ca, cert, key, lookup: judgedLookup(by, port, lookup) });
	return (options, done) => {
		const port = Number(options.port) || (options.protocol === 'https:' ? 443 : 80);
		const host = options.hostname.replace(/^\[|\]$/g, '');
		try {
			if (options.httpSocket || options.socketPath)
				throw new RefusedError('a connection inside another');
			if (net.isIP(host))
				judgeAddress(by, host, port);
		} catch (refused) {
			return done(refused);
		}
		if (!connectors.has(port))
			connectors.set(port, connectorTo(port));
		return connectors.get(port)({ ...options, hostname: host, localAddress: undefined }, done);
	};
}

// Answers as the handler does, but for redirects, whose Location fields are judged before anybody follows them.
function judging(by, url, handler) {
	const guarded = {};
	for (const name of ['onConnect', 'onError', 'onUpgrade', 'onResponseStarted', 'onData', 'onComplete', 'onBodySent', 'onRequestSent'])
		if (typeof handler[name] === 'function')
			guarded[name] = (...given) => handler[name](...given);
	guarded.onHeaders = (status, raw, ...rest) => {
		judgeLocations(by, url, locationsOf(status, raw)); // what is thrown here aborts the request
		return handler.onHeaders(status, raw, ...rest);
	};
	return guarded;
}

// The URL of a dispatch, if it asks for nothing that its URL does not say.
function urlOf({ origin, path, query, method, socketPath }) {
	if (method === 'CONNECT' || socketPath || ![undefined, null].includes(query) || typeof path !== 'string' || !path.startsWith('/'))
		throw new RefusedError('a request that is more than its URL');
	return new URL(origin).origin + path;
}

// For undici's functions: {dispatcher: new Guard(policy)}. What they make of a URL before they dispatch it is theirs;
// fetch() below judges the URL as it was received.
class Guard extends undici.Dispatcher {
	#by;
	#inner;
	#isMock;
	constructor(by, options) {
		super();
		const { lookup, connectTimeout, ca, cert, key, mock, proxy, ...rest } = optionsOf(options, OPTIONS);
		this.#by = wantPolicy(by);
		// A proxy that is named here is trusted: it makes the connections, and addresses are its own to judge.
		this.#isMock = mock !== undefined; // it is the caller's to close
		this.#inner = mock ?? (proxy ? new undici.ProxyAgent({ ...rest, uri: proxy, requestTls: { ca, cert, key } })
			: new undici.Agent({ ...rest, connect: connector(this.#by, { lookup, connectTimeout, ca, cert, key }) }));
	}
	dispatch(options, handler) {
		// undici's own agent would follow redirects below this, where nobody judges them: each hop comes here instead
		if (options.maxRedirections)
			return undici.createRedirectInterceptor({})((hop, following) => this.dispatch({ ...hop, maxRedirections: 0 }, following))(options, handler);
		let url;
		try {
			url = urlOf(options);
			const entries = Array.isArray(options.headers) ? Array.from({ length: options.headers.length / 2 }, (_, k) => options.headers.slice(2 * k))
				: Symbol.iterator in Object(options.headers) ? options.headers : Object.entries(options.headers ?? {});
			judgeHost(judgeUrl(this.#by, url), [...entries].find(([name]) => String(name).toLowerCase() === 'host')?.[1]);
		} catch (refused) {
			handler.onError(refused);
			return true;
		}
		return this.#inner.dispatch(options, judging(this.#by, url, handler));
	}
	compose() {
		throw new RefusedError('an interceptor: it could lead around the guard');
	}
	close(...given) {
		return this.#isMock ? Promise.resolve() : this.#inner.close(...given);
	}
	destroy(...given) {
		return this.#isMock ? Promise.resolve() : this.#inner.destroy(...given);
	}
}

const dispatcher = (by, options) => new Guard(by, options);

// A response whose body ends in an error after so many octets, as they are decoded.
function limited(response, most) {
	if (response.body === null || most === undefined)
		return response;
	let size = 0;
	const body = response.body.pipeThrough(new TransformStream({
		transform(piece, controller) {
			size += piece.length;
			if (size > most)
				throw new TypeError('terminated', { cause: new undici.errors.ResponseExceededMaxSizeError() });
			controller.enqueue(piece);
		},
	}));
	const { url, redirected, type } = response;
	return Object.defineProperties(new undici.Response(body, response), { url: { value: url }, redirected: { value: redirected }, type: { value: type } });
}

// A function like fetch() that goes where the policy allows. Refusals are RefusedError, a TypeError.
function createFetch(by = 'public', options = undefined) {
	const { repair, timeout, ...rest } = optionsOf(options, [...OPTIONS, 'repair', 'timeout']), { maxResponseSize } = rest;
	const judge = wantPolicy(by), guard = new Guard(judge, rest);
	const guarded = async (given, init) => {
		const isRequest = [undici.Request, globalThis.Request].some(Kind => Kind && given instanceof Kind);
		const url = isRequest ? given.url : given instanceof URL ? given.href : given; // of objects, what their parser has made of the text
		if (init?.dispatcher !== undefined)
			throw new RefusedError('a dispatcher: it could lead around the guard');
		const endpoint = judgeUrl(judge, url, repair), target = endpoint.url, { method, headers, body, redirect, signal: own } = isRequest ? given : {};
		const first = isRequest ? new undici.Request(target, { method, headers, body, redirect, signal: own, duplex: 'half' }) : target;
		const request = new undici.Request(first, init); // it reads init as the platform does
		judgeHost(endpoint, request.headers.get('host') ?? undefined); // undici leaves it out
		const signal = timeout === undefined ? request.signal : AbortSignal.any([request.signal, AbortSignal.timeout(timeout)]);
		try {
			return Object.assign(limited(await undici.fetch(request, { dispatcher: guard, signal }), maxResponseSize), { repaired: endpoint.repaired });
		} catch (error) {
			throw error?.cause instanceof RefusedError ? error.cause : error;
		}
	};
	guarded.close = () => guard.destroy();
	return guarded;
}

let byPublic;
// By the policy public.
const fetch = (url, init) => (byPublic ??= createFetch())(url, init);

module.exports = { RefusedError, createFetch, dispatcher, fetch };
