// SPDX-License-Identifier: Apache-2.0
// Checks URLs with one long-running urivet process.
//
//   node coprocess.mjs [OPTION...] < URLS
//
// Options are those of "urivet check", such as --policy=public. Prints the verdict and the findings
// for each line of the input; the exit status is 0, 1 or 2 as for urivet. The environment variable
// URIVET names the command. In a program:
//
//   const urivet = new Coprocess(['--policy=public']);
//   if ((await urivet.check(url)).accepted) ...

import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// The child has ended, or sent an unexpected answer: nothing may count as accepted any more.
export class Broken extends Error {}

// The answer for a URL. Only `accepted` decides: an accepted URL may have findings, which are
// notes. `report` is the whole report; null if urivet was not called.
const answerOf = report => ({
	accepted: report.verdict === 'accept',
	findings: report.findings.map(finding => finding.id),
	report,
});

// NUL ends a record, so a URL with a NUL cannot be sent: its rest would be taken for another
// record, and every later answer for the record before. No valid URL contains NUL.
const withNul = () => ({ accepted: false, findings: ['control-char'], report: null });

// Encodes a string as UTF-8. A lone surrogate has no encoding, and a replacement character must not
// be checked in its place.
function octetsOf(url) {
	if (typeof url !== 'string')
		return Buffer.from(url);
	const octets = Buffer.from(url, 'utf8');
	if (octets.toString('utf8') !== url)
		throw new TypeError('half a surrogate is no text');
	return octets;
}

// Returns true if the report is about this URL. For a URL that is too long, urivet reports only the
// length. In a raw report each character stands for one octet.
function isAbout(report, octets) {
	if (report.uri === null)
		return report.length === octets.length;
	return Buffer.from(report.uri, report.raw ? 'latin1' : 'utf8').equals(octets);
}

// One urivet process, for any number of concurrent checks. After Broken it answers no more.
export class Coprocess {
	#child;
	#asked = new Map(); // number of a request -> { octets, resolve, reject }, in order
	#questions = 0;
	#answers = 0;
	#rest = ''; // of an incomplete line
	#broken = null;
	#closed;

	constructor(options = [], command = 'urivet') {
		this.#child = spawn(command, ['check', '-0', '--format=json', ...options],
			{ stdio: ['pipe', 'pipe', 'inherit'] });
		this.#child.stdout.setEncoding('latin1'); // urivet's JSON is ASCII
		this.#child.stdout.on('data', text => this.#read(text));
		this.#child.stdin.on('error', () => {}); // the child has ended: 'close' reports it
		this.#closed = new Promise(resolve => {
			this.#child.on('error', error => resolve(this.#giveUp(error.message)));
			this.#child.on('close', () => resolve(this.#giveUp('urivet does not answer any more')));
		});
	}

	// Returns a promise of the answer. Calls need not wait for earlier answers.
	async check(url) {
		const octets = octetsOf(url);
		if (octets.includes(0))
			return withNul();
		if (this.#broken)
			throw this.#broken;
		return new Promise((resolve, reject) => {
			this.#asked.set(this.#questions++, { octets, resolve, reject });
			this.#child.stdin.write(Buffer.concat([octets, Buffer.of(0)]));
		});
	}

	// Waits for all answers, and for the end of the child.
	close() {
		this.#child.stdin.end();
		return this.#closed;
	}

	#read(text) {
		const lines = (this.#rest + text).split('\n');
		this.#rest = lines.pop();
		for (const line of lines)
			this.#answer(line);
	}

	#answer(line) {
		const question = this.#asked.get(this.#answers);
		let answer = null;
		try {
			const report = JSON.parse(line);
			if (isAbout(report, question.octets))
				answer = answerOf(report);
		} catch {
			// not a valid answer
		}
		if (!answer) {
			this.#giveUp('urivet answers what was not asked');
			return;
		}
		this.#asked.delete(this.#answers++);
		question.resolve(answer);
	}

	#giveUp(why) {
		this.#broken ??= new Broken(why);
		this.#child.kill('SIGKILL');
		for (const question of this.#asked.values())
			question.reject(this.#broken);
		this.#asked.clear();
	}
}

// Yields the lines of a stream, as octets.
async function* linesOf(stream) {
	let pieces = [];
	for await (const chunk of stream) {
		let from = 0;
		for (let end; (end = chunk.indexOf(10, from)) >= 0; from = end + 1) {
			yield Buffer.concat([...pieces, chunk.subarray(from, end)]);
			pieces = [];
		}
		if (from < chunk.length)
			pieces.push(chunk.subarray(from));
	}
	if (pieces.length > 0)
		yield Buffer.concat(pieces);
}

async function main() {
	const urivet = new Coprocess(process.argv.slice(2), process.env.URIVET || 'urivet');
	let status = 0;
	for await (const line of linesOf(process.stdin)) {
		const { accepted, findings } = await urivet.check(line);
		// only names of findings: the URL may contain terminal escape sequences
		process.stdout.write(`${accepted ? 'accept' : 'reject'}\t${findings.join(',') || '-'}\n`);
		status = accepted ? status : 1;
	}
	await urivet.close();
	return status;
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
	main().then(status => { process.exitCode = status; }, error => {
		console.error(`coprocess.mjs: ${error.message}`);
		process.exitCode = 2;
	});
}
