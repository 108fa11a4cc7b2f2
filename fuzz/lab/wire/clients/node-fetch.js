// SPDX-License-Identifier: Apache-2.0
// The package node-fetch.
'use strict';

const fetch = require('node-fetch');
const { serve, versionOf } = require('./adapter');

serve(versionOf('node-fetch'), async (url, signal) => {
	const response = await fetch(url, { redirect: 'manual', signal });
	await response.text();
	return response.status;
});
