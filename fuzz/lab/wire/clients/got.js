// SPDX-License-Identifier: Apache-2.0
// got.
'use strict';

const { PATIENCE, load, serve, versionOf } = require('./adapter');

const OPTIONS = { followRedirect: false, retry: { limit: 0 }, throwHttpErrors: false, timeout: { request: PATIENCE } };

serve(versionOf('got'), async (url) => {
	const got = await load('got');
	return (await got(url, OPTIONS)).statusCode;
});
