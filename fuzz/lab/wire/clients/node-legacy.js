// SPDX-License-Identifier: Apache-2.0
// Node's http, given the URL as url.parse reads it.
'use strict';

const http = require('http');
const { parse } = require('url');
const { PATIENCE, serve, statusOf } = require('./adapter');

process.noDeprecation = true; // url.parse warns
serve('Node ' + process.version, (url) => new Promise((resolve, reject) => {
	const request = http.get(parse(url), (response) => resolve(statusOf(response)));
	request.on('error', reject);
	request.setTimeout(PATIENCE, () => request.destroy(new Error('timeout')));
}));
