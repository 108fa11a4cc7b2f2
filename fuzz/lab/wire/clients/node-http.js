// SPDX-License-Identifier: Apache-2.0
// Node's http, given the URL as the class URL reads it.
'use strict';

const http = require('http');
const { PATIENCE, serve, statusOf } = require('./adapter');

serve('Node ' + process.version, (url) => new Promise((resolve, reject) => {
	const request = http.get(new URL(url), (response) => resolve(statusOf(response)));
	request.on('error', reject);
	request.setTimeout(PATIENCE, () => request.destroy(new Error('timeout')));
}));
