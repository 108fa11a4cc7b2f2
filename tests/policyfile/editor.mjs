// SPDX-License-Identifier: Apache-2.0
// What an editor shows by the schema: editor.mjs SERVER SCHEMA < {text, at: [[line, character], ...]} asks the
// YAML language server, as editors do, and prints {completions: [[label, documentation], ...], hovers, problems}.
import {spawn} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {resolve} from 'node:path';
import {pathToFileURL} from 'node:url';

const [server, schema] = process.argv.slice(2);
const {text, at} = JSON.parse(readFileSync(0, 'utf8'));
const child = spawn(process.execPath, [server, '--stdio'], {stdio: ['pipe', 'pipe', 'ignore']});
const uri = pathToFileURL(resolve('policy.yaml')).href;
const waiting = new Map();
const settings = {yaml: {completion: true, hover: true, validate: true, schemaStore: {enable: false}}};
let asked = 0, problemsCame;
const problems = new Promise((resolve) => { problemsCame = resolve; });

function send(message) {
	const body = JSON.stringify({jsonrpc: '2.0', ...message});
	child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

function request(method, params) {
	const id = ++asked;
	send({id, method, params});
	return new Promise((resolve) => waiting.set(id, resolve));
}

function receive(message) {
	if (message.method === 'workspace/configuration')
		send({id: message.id, result: message.params.items.map(({section}) => settings[section] ?? {})});
	else if (message.method !== undefined && message.id !== undefined)
		send({id: message.id, result: null});
	else if (message.method === 'textDocument/publishDiagnostics')
		problemsCame(message.params.diagnostics.map((each) => each.message));
	else if (message.id !== undefined)
		waiting.get(message.id)(message.result);
}

let buffer = Buffer.alloc(0);
child.stdout.on('data', (data) => {
	buffer = Buffer.concat([buffer, data]);
	for (let end; (end = buffer.indexOf('\r\n\r\n')) >= 0;) {
		const length = Number(/Content-Length: (\d+)/i.exec(buffer.subarray(0, end).toString())[1]);
		if (buffer.length < end + 4 + length)
			return;
		const body = buffer.subarray(end + 4, end + 4 + length).toString();
		buffer = buffer.subarray(end + 4 + length);
		receive(JSON.parse(body));
	}
});
setTimeout(() => { child.kill(); process.exit(3); }, 30000).unref();

await request('initialize', {processId: process.pid, rootUri: null, capabilities: {
	workspace: {configuration: true},
	textDocument: {completion: {completionItem: {documentationFormat: ['plaintext']}}}}});
send({method: 'initialized', params: {}});
const modeline = `# yaml-language-server: $schema=${pathToFileURL(resolve(schema)).href}\n`;
send({method: 'textDocument/didOpen', params: {textDocument: {uri, languageId: 'yaml', version: 1, text: modeline + text}}});
const told = {completions: [], hovers: [], problems: await problems};
for (const [line, character] of at) {
	const where = {textDocument: {uri}, position: {line: line + 1, character}};
	const list = await request('textDocument/completion', where);
	told.completions.push((list.items ?? list).map((item) => [item.label, item.documentation?.value ?? item.documentation]));
	told.hovers.push((await request('textDocument/hover', where))?.contents?.value ?? null);
}
process.stdout.write(JSON.stringify(told));
child.kill();
