// SPDX-License-Identifier: Apache-2.0
// Headless Chromium with the site, from a server on loopback that compresses as GitHub Pages does, or from files.
import { readFileSync, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from './inputs.mjs';

const require = createRequire(path.join(root, 'build/site-work/'));
const { chromium } = require('playwright-core');
export const axeSource = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
export const folder = path.join(root, 'build/site');
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.txt': 'text/plain', '.png': 'image/png' };

export async function serve() {
	const server = createServer((req, res) => {
		const name = decodeURIComponent(new URL(req.url, 'http://a/').pathname).replace(/\/$/, '/index.html'), file = path.join(folder, path.normalize(name));
		const found = [file, `${file}.html`].find(each => each.startsWith(folder) && existsSync(each) && path.extname(each) in TYPES);
		if (!found)
			return res.writeHead(404).end();
		res.setHeader('Content-Type', `${TYPES[path.extname(found)]}; charset=utf-8`).setHeader('Content-Encoding', 'gzip').end(gzipSync(readFileSync(found), { level: 9 }));
	});
	await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
	return { server, origin: `http://127.0.0.1:${server.address().port}` };
}

export const launch = () => chromium.launch({ executablePath: '/usr/bin/chromium', env: { ...process.env, HOME: path.join(root, 'build/site-work') }, args: ['--disable-dev-shm-usage', ...process.getuid() === 0 ? ['--no-sandbox'] : []] });

// A page that keeps what must not happen: requests beside those of the site, dialogs, errors, what the security policy stopped.
export async function openPage(browser, options = {}) {
	const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, ...options }), page = await context.newPage(), wrong = [], requests = [];
	page.setDefaultTimeout(120_000); // of a machine that does other things as well
	page.on('pageerror', error => wrong.push(`error: ${error.stack}`));
	page.on('dialog', dialog => { wrong.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
	page.on('console', message => message.type() === 'error' || /violates|Trusted/.test(message.text()) ? wrong.push(`console: ${message.text()}`) : 0);
	page.on('request', request => requests.push(request.url()));
	page.on('popup', popup => wrong.push(`popup: ${popup.url()}`));
	page.on('framenavigated', frame => frame !== page.mainFrame() ? wrong.push(`frame: ${frame.url()}`) : 0);
	return { page, wrong, requests, context };
}

export async function openPlayground(browser, origin, fragment = '', options = {}) {
	const opened = await openPage(browser, options);
	await opened.page.goto(`${origin}/index.html${fragment}`);
	await opened.page.waitForSelector('body[data-state=ready]');
	return opened;
}
