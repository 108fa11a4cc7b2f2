// SPDX-License-Identifier: Apache-2.0
// needle.
'use strict';

const needle = require('needle');
const { PATIENCE, serve, versionOf } = require('./adapter');

const OPTIONS = {
	open_timeout: PATIENCE, response_timeout: PATIENCE, read_timeout: PATIENCE, use_proxy_from_env_var: false,
};

serve(versionOf('needle'), async (url) => (await needle('get', url, OPTIONS)).statusCode);
