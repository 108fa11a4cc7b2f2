// SPDX-License-Identifier: Apache-2.0
// What the JavaScript clients share: URLs in, each ended by NUL; a line with the status or the error out.
'use strict';

const fs = require('fs');
const path = require('path');
const { pathToFileURL } = require('url');

const PATIENCE = 3000; // ms; what a client is told where it can be told
const LIMIT = 3500; // ms; whatever it was told, the line is written by then

// The name and version of an npm package; read from its file, as not every package exports that.
function versionOf(name) {
	for (const folder of (process.env.NODE_PATH || '').split(path.delimiter)) {
		const file = path.join(folder, name, 'package.json');
		if (fs.existsSync(file))
			return name + ' ' + JSON.parse(fs.readFileSync(file, 'utf8')).version;
	}
	throw new Error('not found: ' + name);
}

// A package that is an ES module only, which import() by name does not find in NODE_PATH.
async function load(name) {
	const loaded = await import(pathToFileURL(require.resolve(name)));
	return loaded.default;
}

// The status of a response of Node's http, read to its end, so that the connection can serve again.
function statusOf(response) {
	return new Promise((resolve, reject) => {
		response.on('error', reject);
		response.on('close', () => resolve(response.statusCode));
		response.resume();
	});
}

function described(error) {
	const cause = error && error.cause && error.cause.message;
	const message = String((error && (error.message || error.code)) || error) + (cause ? ': ' + cause : '');
	return '! ' + message.replace(/[\x00-\x1f\x7f]+/g, ' ').slice(0, 200);
}

// A client may throw where nobody waits; that is an answer as well.
let failCurrent = () => {};
process.on('uncaughtException', (error) => failCurrent(error));
process.on('unhandledRejection', (error) => failCurrent(error));

async function answer(fetch, url, limit) {
	const stop = new AbortController();
	const timers = [setTimeout(() => stop.abort(new Error('timeout')), PATIENCE)];
	try {
		const status = Number(await new Promise((resolve, reject) => {
			failCurrent = reject;
			timers.push(setTimeout(() => reject(new Error('timeout')), limit));
			Promise.resolve().then(() => fetch(url, stop.signal)).then(resolve, reject);
		}));
		return status >= 100 ? String(status) : '! no status';
	} catch (error) {
		return described(error);
	} finally {
		failCurrent = () => {};
		timers.forEach(clearTimeout);
	}
}

// Gives each URL to fetch(url, signal), which answers with the status, or a promise of it, or throws.
// What takes long to start is started before the first one; what needs longer to come to rest has a limit of its own.
async function serve(version, fetch, { start = () => {}, limit = LIMIT } = {}) {
	if (process.argv[2] === '--version') {
		console.log(version);
		return;
	}
	await start();
	const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
	let pending = Buffer.alloc(0);
	for await (const chunk of process.stdin) {
		pending = Buffer.concat([pending, chunk]);
		for (let end; (end = pending.indexOf(0)) >= 0;) {
			const url = decoder.decode(pending.subarray(0, end));
			pending = pending.subarray(end + 1);
			fs.writeSync(1, (await answer(fetch, url, limit)) + '\n');
		}
	}
	process.exit(0);
}

module.exports = { PATIENCE, load, serve, statusOf, versionOf };
