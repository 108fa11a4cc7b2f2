// SPDX-License-Identifier: Apache-2.0
// superagent.
'use strict';

const superagent = require('superagent');
const { PATIENCE, serve, versionOf } = require('./adapter');

serve(versionOf('superagent'), async (url) => {
	const response = await superagent.get(url).redirects(0).timeout(PATIENCE).ok(() => true);
	return response.status;
});
