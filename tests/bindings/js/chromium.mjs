// SPDX-License-Identifier: Apache-2.0
// chromium.mjs FOLDER: headless Chromium loads the builds from a server on loopback and asks them the cases;
// a policy is made of objects.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';

const here = new URL('.', import.meta.url).pathname, dist = path.join(process.argv[2], 'dist');
const page = `<!doctype html><title>urivet</title><script type=module>
import * as urivet from '/urivet.mjs';
import * as gate from '/gate.mjs';
import { policy } from '/policy.mjs';
import { askAll, askGate } from '/conformance.mjs';
const say = text => fetch('/said', { method: 'POST', body: text });
try {
	const cases = (await (await fetch('/cases.jsonl')).text()).trim().split('\\n').map(line => JSON.parse(line));
	const own = policy({ base: 'public', hosts: { deny: ['evil.example.com'] } });
	if (own.ok('https://evil.example.com/') || !own.ok('https://www.example.com/'))
		throw new Error('a policy of objects judges otherwise');
	say('answered: ' + askAll(urivet, cases) + ' cases alike; gate: ' + askGate(gate, cases));
} catch (error) {
	say('failed: ' + error.stack);
}
</script>`;
const files = { '/urivet.mjs': dist, '/gate.mjs': dist, '/policy.mjs': dist, '/conformance.mjs': here, '/cases.jsonl': path.join(here, '../conformance') };
let hear;
const heard = new Promise(resolve => { hear = resolve; });
const server = http.createServer(async (req, res) => {
	if (req.url === '/')
		return res.setHeader('Content-Type', 'text/html').end(page);
	if (req.url === '/said') {
		hear(Buffer.concat(await req.toArray()).toString());
		return res.end();
	}
	if (!(req.url in files))
		return res.writeHead(404).end();
	res.setHeader('Content-Type', req.url.endsWith('.mjs') ? 'text/javascript' : 'application/json').end(readFileSync(path.join(files[req.url], req.url)));
});
await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
const profile = mkdtempSync(path.join(os.tmpdir(), 'urivet-chromium-'));
const options = ['--headless=new', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run', '--disable-background-networking', '--disable-component-update', `--user-data-dir=${profile}`,
	...(process.getuid() === 0 ? ['--no-sandbox'] : []), `http://127.0.0.1:${server.address().port}/`];
const browser = spawn('chromium', options, { env: { ...process.env, HOME: profile }, stdio: ['ignore', 'ignore', 'pipe'], timeout: 100_000 });
const complaints = browser.stderr.toArray();
const ended = new Promise(resolve => browser.on('error', resolve).on('close', resolve)); // when its last process has let go of stderr
const said = await Promise.race([heard, ended.then(async () => `ended before it answered: ${Buffer.concat(await complaints)}`)]);
console.log(`chromium: ${said}`);
browser.kill();
await ended;
server.closeAllConnections();
server.close();
rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
process.exitCode = said.startsWith('answered: ') ? 0 : 1;
