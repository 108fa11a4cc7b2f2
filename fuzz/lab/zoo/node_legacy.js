// SPDX-License-Identifier: Apache-2.0
// Node's url.parse(), deprecated and everywhere.
'use strict';

const legacy = require('url');
const { serve, some } = require('./adapter');

serve(`Node ${process.version}`, (text) => {
	const url = legacy.parse(text);
	return {
		scheme: some((url.protocol || '').slice(0, -1)),
		userinfo: url.auth,
		host: url.hostname,
		port: url.port,
		path: url.pathname || '',
		query: url.query,
		fragment: some((url.hash || '').slice(1)),
	};
});
