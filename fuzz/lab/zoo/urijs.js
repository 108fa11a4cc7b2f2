// SPDX-License-Identifier: Apache-2.0
// URI.js (the package urijs).
'use strict';

const URI = require('urijs');
const { serve, some } = require('./adapter');

serve(`URI.js ${URI.version}`, (text) => {
	const url = URI.parse(text);
	const hasUser = url.username || url.password;
	return {
		scheme: url.protocol,
		userinfo: hasUser ? (url.username || '') + (url.password ? ':' + url.password : '') : null,
		host: some(url.hostname ?? undefined),
		port: url.port,
		path: url.path || '',
		query: url.query,
		fragment: url.fragment,
	};
});
