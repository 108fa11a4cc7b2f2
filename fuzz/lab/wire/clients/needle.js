// SPDX-License-Identifier: Apache-2.0
// needle.
'use strict';

const needle = require('needle');
const { PATIENCE, serve, versionOf } = require('./adapter');

const OPTIONS = {
	open_timeout: PATIENCE, response_timeout: PATIENCE, read_timeout: PATIENCE, use_proxy_from_env_var: false,
};

// A copy each time: needle writes the credentials of one URL into the options, and sends them with the next.
serve(versionOf('needle'), async (url) => (await needle('get', url, { ...OPTIONS })).statusCode);
