// SPDX-License-Identifier: Apache-2.0
// url-parse, for browsers and servers alike.
'use strict';

const parse = require('url-parse');
const { serve, some } = require('./adapter');

serve(`url-parse ${require('url-parse/package.json').version}`, (text) => {
	const url = parse(text, {});
	return {
		scheme: some(url.protocol.slice(0, -1)),
		userinfo: some(url.auth),
		host: some(url.hostname),
		port: some(url.port),
		path: url.pathname,
		query: some(url.query.slice(1)),
		fragment: some(url.hash.slice(1)),
	};
});
