// SPDX-License-Identifier: Apache-2.0
// Wreck, of hapi.
'use strict';

const Wreck = require('@hapi/wreck');
const { PATIENCE, serve, versionOf } = require('./adapter');

serve(versionOf('@hapi/wreck'), async (url) => {
	const response = await Wreck.request('GET', url, { timeout: PATIENCE });
	await Wreck.read(response);
	return response.statusCode;
});
