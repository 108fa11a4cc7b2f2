// SPDX-License-Identifier: Apache-2.0
// uri-js, which many a JSON Schema validator uses.
'use strict';

const { parse } = require('uri-js');
const { serve } = require('./adapter');

serve(`uri-js ${require('uri-js/package.json').version}`, (text) => {
	const url = parse(text);
	if (url.error !== undefined)
		throw new Error(url.error);
	return { ...url, port: url.port === undefined ? null : String(url.port) };
});
