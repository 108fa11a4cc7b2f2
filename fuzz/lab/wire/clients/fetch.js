// SPDX-License-Identifier: Apache-2.0
// fetch() as Node has it.
'use strict';

const { serve } = require('./adapter');

serve(`Node ${process.version} (undici ${process.versions.undici})`, async (url, signal) => {
	const response = await fetch(url, { redirect: 'manual', signal });
	await response.arrayBuffer();
	return response.status;
});
