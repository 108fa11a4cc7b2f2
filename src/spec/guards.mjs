// SPDX-License-Identifier: Apache-2.0
// How guards of npm and Debian against SSRF classify spellings of special addresses, and redirects: node guards.mjs NODE_MODULES URIVET.
// No packet leaves: name servers and sockets are stubs, and a guard accepts what would be connected to. That is classification, not
// reachability. README.md says how to report a result before it is published.
import { spawnSync } from 'node:child_process';
import dns from 'node:dns';
import { existsSync, readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const [folder, urivet] = process.argv.slice(2).map(name => path.resolve(name));
const PUBLIC = '93.184.215.14';
const NAMES = { 'public.example.com': [PUBLIC], 'inner.example.com': ['127.0.0.1'], 'both.example.com': [PUBLIC, '127.0.0.1'], localhost: ['127.0.0.1'] };
const CONTROLS = ['http://public.example.com/', `http://${PUBLIC}/`, 'http://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/'];
const HOSTS = ['127.0.0.1', 'localhost', 'localhost.', 'inner.example.com', 'both.example.com', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '0x7f.1', '127.0.0.1.', '0.0.0.0',
	'10.0.0.1', '172.16.0.1', '192.168.0.1', '169.254.169.254', '100.64.0.1', '100.100.100.200', '192.0.0.192', '198.18.0.1', '224.0.0.1', '240.0.0.1', '255.255.255.255',
	'[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:a9fe:a9fe]', '[::127.0.0.1]', '[::ffff:0:127.0.0.1]', '[64:ff9b::127.0.0.1]', '[64:ff9b:1::7f00:1]', '[2002:7f00:1::]',
	'[2001:0:7f00:1::80ff:fffe]', '[2620:10a::5efe:7f00:1]', '[fd00:ec2::254]', '[fe80::1]', '[fec0::1]', '[ff02::1]', '[100::1]', '127\u30020\u30020\u30021'];
const REDIRECTS = [['http://public.example.com/', 'http://127.0.0.1/'], ['http://public.example.com/', '//169.254.169.254/latest/'], ['http://public.example.com/', 'http://inner.example.com/'],
	['http://public.example.com/', 'http://[::ffff:127.0.0.1]/'], ['http://public.example.com/', 'https://127.0.0.1/'], ['https://public.example.com/', 'http://127.0.0.1/'], ['http://public.example.com/', '/\\127.0.0.1/']];

const URLS = [...CONTROLS, ...HOSTS.map(host => `http://${host}/`)];

function addresses(name) {
	const host = name.toLowerCase().replace(/\.$/, '');
	if (net.isIP(host))
		return [host];
	if (Object.hasOwn(NAMES, host))
		return NAMES[host];
	const spelled = URL.canParse(`http://${host}/`) ? new URL(`http://${host}/`).hostname : ''; // as inet_aton reads numbers
	return net.isIP(spelled) ? [spelled] : [];
}
const missing = name => Object.assign(new Error(`ENOTFOUND ${name}`), { code: 'ENOTFOUND' });

function lookup(name, options, done) {
	if (typeof options === 'function')
		[options, done] = [{}, options];
	const found = addresses(name).map(address => ({ address, family: net.isIP(address) }));
	process.nextTick(() => found.length === 0 ? done(missing(name)) : options?.all ? done(null, found) : done(null, found[0].address, found[0].family));
}

async function records(name, family) {
	const found = addresses(name).filter(address => net.isIP(address) === family);
	if (found.length === 0)
		throw missing(name);
	return found;
}
let connected = [];
dns.lookup = lookup;
dns.promises.lookup = (name, options) => new Promise((resolve, reject) => lookup(name, { ...options, all: true }, (error, found) => error ? reject(error) : resolve(options?.all ? found : found[0])));
dns.promises.resolve4 = name => records(name, 4);
dns.promises.resolve6 = name => records(name, 6);
dns.promises.resolveCname = async name => { throw missing(name); };
net.Socket.prototype.connect = function (...given) {
	const options = Array.isArray(given[0]) ? given[0][0] : given[0];
	const host = options.host ?? 'localhost';
	const finish = address => process.nextTick(() => {
		if (!this.destroyed) {
			connected.push(address);
			this.destroy(new Error('stub'));
		}
	});
	if (net.isIP(host)) {
		finish(host); // as Node, which looks up no address
		return this;
	}
	(options.lookup ?? lookup)(host, { all: true, hints: 0 }, (error, found) => {
		for (const { address, family } of found ?? [])
			this.emit('lookup', null, address, family, host);
		if (error)
			this.destroy(error);
		else
			finish(found[0].address);
	});
	return this;
};
syncBuiltinESMExports();

async function send(url, agent) {
	connected = [];
	const failed = await new Promise(resolve => {
		const request = (url.startsWith('https:') ? https : http).get(url, { agent }, () => resolve(new Error('an answer of a stub')));
		request.on('error', resolve);
	});
	if (connected.length === 0)
		throw failed;
	return true;
}

const described = name => JSON.parse(readFileSync(path.join(folder, name, 'package.json')));
const require = createRequire(path.join(folder, 'x.js'));
const agents = make => ({ ask: url => send(url, make(url)), follow: (first, location) => send(new URL(location, first).href, make(first)) });
// Each throws or returns false to refuse.
const GUARDS = {
	'request-filtering-agent': async name => agents((await import(path.join(folder, name, described(name).main))).useAgent),
	'ssrf-req-filter': async name => agents(require(name)),
	ssrfcheck: async name => ({ ask: require(name).isSSRFSafeURL }),
	'private-ip': async () => {
		const isPrivate = (await import(path.join(folder, 'private-ip/lib/index.js'))).default; // it is given the host
		return { ask: url => isPrivate(new URL(url).hostname.replace(/[[\]]/g, '')) !== true };
	},
	'url-sheriff': async () => {
		const sheriff = new (await import(path.join(folder, 'url-sheriff/dist/main.mjs'))).default();
		return { ask: url => sheriff.isSafeURL(url) };
	},
	dssrf: async name => ({ ask: require(name).is_url_safe }),
	'@microsoft/antissrf': async name => {
		const { AntiSSRFPolicy, PolicyConfigOptions } = require(name);
		const policy = new AntiSSRFPolicy(PolicyConfigOptions.ExternalOnlyLatest);
		policy.allowPlainTextHttp = true;
		return agents(url => url.startsWith('https:') ? policy.getHttpsAgent() : policy.getHttpAgent());
	},
};

// Guards of Debian: a program of guards/ has all URLs on standard input, and answers each. PHP looks names up as inet_aton does, Ruby
// asks name servers alone. Functions of PHP that would look up or connect are disabled.
const SPELLED = Object.fromEntries(HOSTS.filter(host => /^[\w.]+$/.test(host)).map(host => [host.replace(/\.$/, ''), addresses(host)]));
const PHP = ['php', '-d', 'disable_functions=gethostbyname,gethostbynamel,dns_get_record,socket_addrinfo_lookup,socket_connect,fsockopen,pfsockopen,stream_socket_client,curl_exec,curl_multi_exec'];
const PROGRAMS = {
	'php-symfony-http-client': [{ ...SPELLED, ...NAMES }, ...PHP, 'symfony.php'],
	wordpress: [{ ...SPELLED, ...NAMES }, ...PHP, 'wordpress.php'],
	'ruby-ssrf-filter': [NAMES, 'ruby', 'ssrf_filter.rb'],
};

function outside(names, ...command) {
	const file = fileURLToPath(new URL(`guards/${command.pop()}`, import.meta.url));
	const lines = [...URLS, ...REDIRECTS.map(pair => pair.join('\t'))];
	const done = spawnSync(command[0], [...command.slice(1), file, JSON.stringify(names)], { input: lines.join('\n') + '\n', encoding: 'utf8' });
	const said = (done.stdout ?? '').split('\n').slice(0, -1).map(line => line.split('\t'));
	if (done.status !== 0 || said.length !== lines.length || said.some(([answer]) => !/^[A-]$/.test(answer)))
		return [null, done.error?.message ?? `${done.stdout}${done.stderr}`];
	const answer = async line => {
		const [verdict, what] = said[lines.indexOf(line)];
		if (verdict !== 'A')
			throw new Error(what);
		return CONTROLS.includes(line) || !(what === PUBLIC || what === 'public.example.com') || 'p';
	};
	return [{ ask: answer, follow: (...pair) => answer(pair.join('\t')) }, ''];
}

const ask = async call => { try { return [await call(), '']; } catch (error) { return [false, String(error?.message ?? error).split('\n')[0]]; } };
const accepts = url => spawnSync(urivet, ['check', '-q', '--policy=public', url]).status === 0;
// the URL, and then each address, as the packages of urivet do when they connect
const judged = url => accepts(url) && addresses(new URL(url).hostname.replace(/[[\]]/g, '')).every(address => accepts(`http://${address.includes(':') ? `[${address}]` : address}/`));
const columns = [['urivet', { ask: judged, follow: (first, location) => judged(new URL(location, first).href) }, spawnSync(urivet, ['--version']).stdout.toString().trim()]];
for (const [name, make] of Object.entries(GUARDS)) {
	if (existsSync(path.join(folder, name)))
		columns.push([name, await make(name), `${name} ${described(name).version}`]);
	else
		console.log(`left out, since it is not installed: ${name}`);
}
for (const [name, given] of Object.entries(PROGRAMS)) {
	const [guard, failed] = outside(...given);
	const version = spawnSync('dpkg-query', ['-W', '-f=${Version}', name]).stdout?.toString();
	if (version && guard)
		columns.push([name, guard, `${name} ${version}`]);
	else
		console.log(`left out, since it ${version ? `does not run: ${failed}` : 'is not installed'}: ${name}`);
}
const report = [];
for (const [name, { ask: guard, follow }, version] of columns) {
	const words = new Map();
	const answer = async call => { // counts what is said, without addresses and names
		const [accepted, why] = await ask(call);
		const what = why.replace(/\S*\d\S*|\S*::\S*|host:\S+/g, '...') || 'no reason';
		words.set(what, (words.get(what) ?? 0) + (accepted === false));
		return accepted === false ? '-' : accepted === 'p' ? 'p' : 'A';
	};
	const answers = [];
	for (const url of URLS)
		answers.push(await answer(() => guard(url)));
	const accepted = answers.slice(CONTROLS.length).filter(one => one === 'A').length;
	for (const [first, location] of REDIRECTS)
		answers.push(follow ? await answer(() => follow(first, location)) : '.');
	report.push({ name, version, answers, accepted, words });
}
console.log(`Guards on ${new Date().toISOString().slice(0, 10)}, Node ${process.version}. A: accepts, p: connects to the public address alone, -: refuses, .: is not asked about redirects. Classification, not reachability.`);
report.forEach(({ name }, k) => console.log(`${' '.repeat(56)} ${'  | '.repeat(k)}  ${name}`));
[...CONTROLS.map(url => `control ${url}`), ...HOSTS, ...REDIRECTS.map(pair => pair.join(' to '))].forEach((what, k) =>
	console.log(what.padEnd(56).slice(0, 56), report.map(({ answers }) => answers[k].padStart(3)).join(' ')));
console.log(`\nof ${HOSTS.length} spellings accepted: ${report.map(({ name, accepted }) => `${name} ${accepted}`).join(', ')}`);
for (const { version, words } of report)
	console.log(`\n${version}\n${[...words].filter(([, count]) => count > 0).map(([why, count]) => `  ${count} refused: ${why}`).join('\n')}`);
