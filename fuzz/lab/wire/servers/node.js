// SPDX-License-Identifier: Apache-2.0
// Node's http with what programs do by hand: the class URL, decodeURIComponent, a file below the root.
'use strict';

const fs = require('fs');
const http = require('http');
const path = require('path');

if (process.argv[2] === '--version') {
	console.log(`node ${process.version}`);
	process.exit();
}

http.createServer((request, response) => {
	try {
		const { pathname } = new URL(request.url, `http://${request.headers.host}`);
		const file = path.join(process.env.ROOT, path.join('/', decodeURIComponent(pathname)));
		response.end(fs.readFileSync(file));
	} catch (error) {
		response.writeHead(error.code === 'ENOENT' || error.code === 'EISDIR' ? 404 : 400).end();
	}
}).listen(Number(process.env.PORT), '127.0.0.1');
