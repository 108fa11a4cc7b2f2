// SPDX-License-Identifier: Apache-2.0
// request.
'use strict';

const request = require('request');
const { PATIENCE, serve, versionOf } = require('./adapter');

serve(versionOf('request'), (url) => new Promise((resolve, reject) => {
	request({ url, followRedirect: false, timeout: PATIENCE, proxy: null },
		(error, response) => (error ? reject(error) : resolve(response.statusCode)));
}));
