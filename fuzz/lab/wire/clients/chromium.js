// SPDX-License-Identifier: Apache-2.0
// Chromium without a window: a page that is told to go to each URL.
'use strict';

const { execFileSync, spawn } = require('child_process');
const os = require('os');
const path = require('path');
const { serve } = require('./adapter');

const PROGRAM = 'chromium-headless-shell';
const OPTIONS = [
	'--remote-debugging-pipe', '--user-data-dir=' + path.join(os.homedir(), 'chromium'),
	'--no-proxy-server', '--disable-gpu', '--disable-dev-shm-usage',
	// what it would ask for by itself, and the https that it would try before http
	'--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-pings',
	'--disable-features=HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,'
		// and a process for each page, which takes its time
		+ 'BackForwardCache,ProactivelySwapBrowsingInstance,SpareRendererForSitePerProcess',
	'--disable-site-isolation-trials', '--renderer-process-limit=1',
	...(process.getuid() === 0 ? ['--no-sandbox'] : []),
	'about:blank',
];

// The DevTools protocol over pipes: JSON, each message ended by NUL.
class Browser {
	constructor() {
		this.process = spawn(PROGRAM, OPTIONS, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
		this.answers = new Map();
		this.watch = () => {};
		this.sent = 0;
		let pending = '';
		this.process.stdio[4].setEncoding('utf8').on('data', (text) => {
			const messages = (pending + text).split('\0');
			pending = messages.pop();
			messages.forEach((message) => this.take(JSON.parse(message)));
		});
	}

	take(message) {
		const answer = this.answers.get(message.id);
		this.answers.delete(message.id);
		if (message.method)
			this.watch(message);
		else if (message.error)
			answer?.reject(new Error(message.error.message));
		else
			answer?.resolve(message.result);
	}

	call(method, params = {}) {
		const id = ++this.sent;
		this.process.stdio[3].write(JSON.stringify({ id, method, params, sessionId: this.session }) + '\0');
		return new Promise((resolve, reject) => this.answers.set(id, { resolve, reject }));
	}

	async open() {
		const { targetInfos } = await this.call('Target.getTargets');
		const { targetId } = targetInfos.find((target) => target.type === 'page');
		this.session = (await this.call('Target.attachToTarget', { targetId, flatten: true })).sessionId;
		await this.call('Page.enable');
		await this.call('Network.enable');
		await this.call('Network.setCacheDisabled', { cacheDisabled: true });
	}

	// Goes to the URL; answers with the status when the page has been loaded, null if it is there already.
	go(url) {
		return new Promise((resolve, reject) => {
			let status = 0;
			this.watch = ({ method, params }) => {
				if (method === 'Network.responseReceived' && params.type === 'Document')
					status = params.response.status;
				else if (method === 'Page.loadEventFired' && status) // else it is that of the page before
					resolve(status);
			};
			this.call('Page.navigate', { url }).then(({ errorText, loaderId }) => {
				if (errorText)
					reject(new Error(errorText));
				else if (!loaderId)
					resolve(null);
			}, reject);
		});
	}

	async leave() {
		await this.call('Page.stopLoading').catch(() => {});
		await this.call('Page.navigate', { url: 'about:blank' }).catch(() => {});
	}
}

const version = process.argv[2] === '--version' && execFileSync(PROGRAM, ['--version']).toString().trim();
let browser;

async function start() {
	browser = new Browser();
	process.on('exit', () => browser.process.kill('SIGKILL'));
	browser.process.on('exit', () => process.exit(1)); // the laboratory starts both anew
	await browser.open();
}

async function visit(url) {
	const status = await browser.go(url);
	if (status !== null)
		return status;
	// differs in its fragment alone, so that nothing was sent
	await browser.leave();
	return browser.go(url);
}

async function fetch(url, signal) {
	const stopped = new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
	try {
		return await Promise.race([visit(url), stopped]);
	} catch (error) {
		await browser.leave();
		throw error;
	}
}

// longer than the others: what it was asked for must not be sent when the next one is fetched
serve(version, fetch, { start, limit: 5000 });
