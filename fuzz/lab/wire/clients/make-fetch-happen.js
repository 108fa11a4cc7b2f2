// SPDX-License-Identifier: Apache-2.0
// make-fetch-happen, of npm.
'use strict';

const fetch = require('make-fetch-happen');
const { PATIENCE, serve, versionOf } = require('./adapter');

serve(versionOf('make-fetch-happen'), async (url) => {
	const response = await fetch(url, { redirect: 'manual', retry: false, timeout: PATIENCE });
	await response.text();
	return response.status;
});
