// SPDX-License-Identifier: Apache-2.0
// axios.
'use strict';

const axios = require('axios');
const { serve, versionOf } = require('./adapter');

serve(versionOf('axios'), async (url, signal) => {
	const response = await axios.get(url, { maxRedirects: 0, proxy: false, signal, validateStatus: () => true });
	return response.status;
});
