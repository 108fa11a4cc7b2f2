// SPDX-License-Identifier: Apache-2.0
// http-proxy, with a rule on the pathname as the class URL has it.
'use strict';

if (process.argv[2] === '--version') {
	console.log(`http-proxy ${require('http-proxy/package.json').version}`);
	process.exit();
}

const http = require('http');
const proxy = require('http-proxy').createProxyServer({ target: `http://${process.env.UPSTREAM}` });

proxy.on('error', (error, request, response) => response.writeHead(502).end());
http.createServer((request, response) => {
	let pathname;
	try {
		({ pathname } = new URL(request.url, `http://${request.headers.host}`));
	} catch {
		return response.writeHead(400).end();
	}
	if (pathname.startsWith('/admin') || pathname.endsWith('.inc'))
		return response.writeHead(403).end();
	proxy.web(request, response);
}).listen(Number(process.env.PORT), '127.0.0.1');
