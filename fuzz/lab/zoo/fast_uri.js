// SPDX-License-Identifier: Apache-2.0
// fast-uri, which Fastify and Ajv use.
'use strict';

const { parse } = require('fast-uri');
const { serve } = require('./adapter');

serve(`fast-uri ${require('fast-uri/package.json').version}`, (text) => {
	const url = parse(text);
	if (url.error !== undefined)
		throw new Error(url.error);
	return { ...url, port: url.port === undefined ? null : String(url.port) };
});
