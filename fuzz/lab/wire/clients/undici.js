// SPDX-License-Identifier: Apache-2.0
// undici, its request().
'use strict';

const { request } = require('undici');
const { serve, versionOf } = require('./adapter');

serve(versionOf('undici'), async (url, signal) => {
	const response = await request(url, { signal });
	await response.body.dump();
	return response.statusCode;
});
