// SPDX-License-Identifier: Apache-2.0
// Express: static files, and a route of its own for /admin.
'use strict';

if (process.argv[2] === '--version') {
	console.log(`express ${require('express/package.json').version}`);
	process.exit();
}

const express = require('express');
const app = express();
const admin = express.Router();

admin.get('/f', (request, response) => response.send('SECRET\n'));
app.use('/admin', admin);
app.use(express.static(process.env.ROOT, { dotfiles: 'allow' }));
app.listen(Number(process.env.PORT), '127.0.0.1');
