// SPDX-License-Identifier: Apache-2.0
// chromium.mjs FOLDER: headless Chromium loads the builds as files of a made-up site and asks them the cases; a policy is
// made of objects.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { require } from './fixtures.mjs';

const here = new URL('.', import.meta.url).pathname, dist = path.join(process.argv[2], 'dist'), site = 'http://site.example';
const files = { '/urivet.mjs': dist, '/gate.mjs': dist, '/policy.mjs': dist, '/conformance.mjs': here, '/cases.jsonl': path.join(here, '../conformance') };
const browser = await require('playwright-core').chromium.launch({ executablePath: '/usr/bin/chromium', env: { ...process.env, HOME: process.env.TMPDIR }, args: ['--disable-dev-shm-usage', ...process.getuid() === 0 ? ['--no-sandbox'] : []] });
try {
	const page = await browser.newPage();
	await page.route('**/*', route => {
		const { pathname } = new URL(route.request().url());
		if (pathname === '/')
			return route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>urivet</title>' });
		return pathname in files ? route.fulfill({ contentType: 'text/javascript', body: readFileSync(path.join(files[pathname], pathname)) }) : route.abort();
	});
	await page.goto(site);
	console.log(`chromium: answered: ${await page.evaluate(async () => {
		const [urivet, gate, { policy }, { askAll, askGate }] = await Promise.all(['urivet', 'gate', 'policy', 'conformance'].map(name => import(`/${name}.mjs`)));
		const cases = (await (await fetch('/cases.jsonl')).text()).trim().split('\n').map(line => JSON.parse(line));
		const own = policy({ base: 'public', hosts: { deny: ['evil.example.com'] } });
		if (own.ok('https://evil.example.com/') || !own.ok('https://www.example.com/'))
			throw new Error('a policy of objects judges otherwise');
		return `${askAll(urivet, cases)} cases alike; gate: ${askGate(gate, cases)}`;
	})}`);
} finally {
	await browser.close();
}
