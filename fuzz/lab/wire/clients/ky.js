// SPDX-License-Identifier: Apache-2.0
// ky, over the fetch() of Node.
'use strict';

const { PATIENCE, load, serve, versionOf } = require('./adapter');

serve(versionOf('ky'), async (url) => {
	const ky = await load('ky');
	const response = await ky.get(url, { redirect: 'manual', retry: 0, throwHttpErrors: false, timeout: PATIENCE });
	await response.text();
	return response.status;
});
