// SPDX-License-Identifier: Apache-2.0
// Firefox without a window: a page that is told to go to each URL.
'use strict';

const { execFileSync, spawn } = require('child_process');
const fs = require('fs');
const net = require('net');
const os = require('os');
const path = require('path');
const { PATIENCE, serve } = require('./adapter');

const PROGRAM = 'firefox-esr';
const PORT = 2828; // of Marionette, where nothing else is told
// What it would ask for by itself, and the https that it would try before http.
const SETTINGS = {
	'app.normandy.enabled': false,
	'app.update.enabled': false,
	'browser.cache.disk.enable': false,
	'browser.cache.memory.enable': false,
	'browser.chrome.site_icons': false,
	'browser.safebrowsing.malware.enabled': false,
	'browser.safebrowsing.phishing.enabled': false,
	'browser.safebrowsing.update.enabled': false,
	'browser.search.update': false,
	'browser.startup.homepage': 'about:blank',
	'browser.topsites.contile.enabled': false,
	'datareporting.policy.dataSubmissionEnabled': false,
	'dom.push.connection.enabled': false,
	'dom.security.https_first': false,
	'dom.security.https_first_schemeless': false,
	'dom.security.https_only_mode': false,
	'extensions.getAddons.cache.enabled': false,
	'extensions.systemAddon.update.enabled': false,
	'extensions.update.enabled': false,
	'fission.autostart': false, // a process for each site takes its time
	'media.gmp-manager.updateEnabled': false,
	'network.captive-portal-service.enabled': false,
	'network.connectivity-service.enabled': false,
	'network.dns.disablePrefetch': true,
	'network.http.connection-retry-timeout': 0,
	'network.http.speculative-parallel-limit': 0,
	'network.proxy.type': 0,
	'services.settings.server': 'data:,none',
	'toolkit.telemetry.enabled': false,
	'toolkit.telemetry.server': 'data:,none',
};

function madeProfile() {
	const folder = fs.mkdtempSync(path.join(os.homedir(), 'firefox-')); // fresh, if started anew as well
	fs.writeFileSync(path.join(folder, 'user.js'), Object.entries(SETTINGS).map(
		([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`).join(''));
	return folder;
}

async function connected() {
	for (;;) {
		const socket = net.connect(PORT, '127.0.0.1');
		if (await new Promise((resolve) => socket.on('connect', () => resolve(true)).on('error', () => resolve(false))))
			return socket;
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
}

// Marionette: LENGTH:JSON, one answer to each command.
class Browser {
	constructor() {
		this.process = spawn(PROGRAM, ['--headless', '--marionette', '--profile', madeProfile()], { stdio: 'ignore' });
		this.answers = new Map();
		this.sent = 0;
	}

	async open() {
		let pending = Buffer.alloc(0);
		this.socket = await connected();
		this.socket.on('data', (data) => {
			pending = Buffer.concat([pending, data]);
			for (let colon; (colon = pending.indexOf(':')) >= 0;) {
				const end = colon + 1 + Number(pending.subarray(0, colon));
				if (pending.length < end)
					break;
				const message = JSON.parse(pending.subarray(colon + 1, end));
				if (Array.isArray(message)) // its greeting is none
					this.take(message);
				pending = pending.subarray(end);
			}
		});
		await this.call('WebDriver:NewSession', { timeouts: { pageLoad: PATIENCE } });
	}

	take([, id, error, result]) {
		const answer = this.answers.get(id);
		this.answers.delete(id);
		if (error)
			answer?.reject(new Error(error.message));
		else
			answer?.resolve(result);
	}

	call(name, parameters = {}) {
		const id = ++this.sent;
		const message = Buffer.from(JSON.stringify([0, id, name, parameters]));
		this.socket.write(message.length + ':' + message);
		return new Promise((resolve, reject) => this.answers.set(id, { resolve, reject }));
	}

	async go(url) {
		await this.call('WebDriver:Navigate', { url });
		const script = 'return performance.getEntriesByType("navigation")[0].responseStatus';
		return (await this.call('WebDriver:ExecuteScript', { script, args: [] })).value;
	}

	async leave() {
		await this.call('WebDriver:Navigate', { url: 'about:blank' }).catch(() => {});
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

function withoutFragment(url) {
	try {
		const parsed = new URL(url);
		parsed.hash = '';
		return parsed.href;
	} catch {
		return '';
	}
}

let last = '';

async function fetch(url) {
	// from a page that differs in its fragment alone nothing would be sent
	if (withoutFragment(url) === last)
		await browser.leave();
	try {
		const status = await browser.go(url);
		last = withoutFragment(url);
		return status;
	} catch (error) {
		last = '';
		await browser.leave();
		throw error;
	}
}

// longer than the others: what it was asked for must not be sent when the next one is fetched
serve(version, fetch, { start, limit: 5000 });
