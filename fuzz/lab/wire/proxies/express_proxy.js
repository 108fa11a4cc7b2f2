// SPDX-License-Identifier: Apache-2.0
// http-proxy-middleware in Express, with rules as routes.
'use strict';

if (process.argv[2] === '--version') {
	console.log(`http-proxy-middleware ${require('http-proxy-middleware/package.json').version}`);
	process.exit();
}

const express = require('express');
const { createProxyMiddleware } = require('http-proxy-middleware');
const app = express();
const refuse = (request, response) => response.sendStatus(403);

app.use('/admin', refuse);
app.all(/\.inc$/, refuse);
app.use(createProxyMiddleware({ target: `http://${process.env.UPSTREAM}`, logLevel: 'silent' }));
app.listen(Number(process.env.PORT), '127.0.0.1');
