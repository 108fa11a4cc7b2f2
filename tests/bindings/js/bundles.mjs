// SPDX-License-Identifier: Apache-2.0
// Where JavaScript runs: each bundle and runtime judges two URLs by the package, and what a runtime forbids fails without
// the entry that is for it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import test, { after } from 'node:test';
import { pathToFileURL } from 'node:url';
import { require } from './fixtures.mjs';

const folder = new URL('../../../build/js/bundles/', import.meta.url).pathname, bin = `${folder}../node_modules/.bin/`;
mkdirSync(folder, { recursive: true });
after(() => rmSync(folder, { recursive: true }));

const JUDGE = "import { ok } from 'urivet';\nimport { markdownStream } from 'urivet/markdown';\n";
const INIT = "import { init } from 'urivet/init';\nimport given from 'urivet/urivet.wasm';\nconst { ok, markdownStream } = init(given instanceof WebAssembly.Module ? given : new WebAssembly.Module(given));\n";
const WRONG = "let wrong = !ok('https://example.com/') || ok('http://a@b/') || markdownStream().push('<b> ') !== '&lt;b> ';\n";
const OWN = "import { ok as small } from 'urivet/gate';\nimport { Policy, policy } from 'urivet/policy';\nconst own = policy({ base: 'public', hosts: { deny: ['a.example.com'] } });\nwrong ||= !small('https://example.com/') || small('http://a@b/') || !(own instanceof Policy) || own.ok('https://a.example.com/') || !own.ok('https://b.example.com/');\n";
const END = "if (wrong) throw new Error('judges otherwise');\nconsole.log('judged');\n", ALL = JUDGE + WRONG + OWN, FULL = ALL + END;
const run = (...command) => {
	const { status, stdout, stderr, error } = spawnSync(command[0], command.slice(1), { cwd: folder, encoding: 'utf8', timeout: 60000 });
	return { status, said: `${stdout}${stderr}${error ?? ''}`.slice(-2000) };
};
const write = (name, text) => writeFileSync(folder + name, text), judges = (...command) => assert.match(run(...command).said, /^judged$/m);
const hasNot = name => run(`${bin}${name}`, '--version').status === 0 ? false : `npm could not install ${name} here`;

test('nothing is compiled at import of urivet/init', () => {
	const importing = file => run(process.execPath, '--input-type=module', '-e', `WebAssembly.Module = WebAssembly.compile = function () { throw new Error('compiled'); };\nawait import('${process.env.URIVET_PACKAGE}/dist/${file}');\nconsole.log('judged');`).said;
	for (const file of ['init.mjs', 'init.node.mjs', 'init.cjs'])
		assert.match(importing(file), /^judged$/m, file);
	for (const file of ['gate.mjs', 'gate.cjs'])
		assert.match(importing(file), /Error: compiled/, 'the control');
	assert.throws(() => require('./init.cjs').init(new Uint8Array(8)), TypeError);
});

test('esbuild', () => {
	const bundle = (format, source) => {
		write('entry.mjs', source);
		return run('esbuild', '--bundle', 'entry.mjs', `--format=${format}`, '--loader:.wasm=binary', `--outfile=bundle.${format === 'esm' ? 'mjs' : 'cjs'}`, '--log-level=error');
	};
	for (const [format, source] of [['esm', FULL], ['esm', INIT + WRONG + END], ['iife', INIT + WRONG + END], ['cjs', INIT + WRONG + END]]) {
		assert.equal(bundle(format, source).status, 0);
		judges(process.execPath, `bundle.${format === 'esm' ? 'mjs' : 'cjs'}`);
	}
	for (const format of ['iife', 'cjs'])
		assert.match(bundle(format, FULL).said, /[Tt]op-level await/, 'the control');
});

test('vite', async () => {
	const { build } = await import(pathToFileURL(require.resolve('vite')).href.replace('index.cjs', 'dist/node/index.js'));
	const linked = INIT.replace('urivet.wasm', 'urivet.wasm?url').replace('new WebAssembly.Module(given)', 'await WebAssembly.compile(await (await fetch(given)).arrayBuffer())');
	for (const source of [FULL, linked + WRONG + END]) {
		write('entry.mjs', source);
		await build({ root: folder, configFile: false, logLevel: 'silent', build: { target: 'esnext', assetsInlineLimit: 1 << 24, lib: { entry: 'entry.mjs', formats: ['es'], fileName: () => 'vite.mjs' }, outDir: 'out' } });
		judges(process.execPath, 'out/vite.mjs');
	}
});

test('workerd compiles before it runs', { skip: hasNot('workerd') }, () => {
	const handler = `export default { test() { ${END} } };\n`;
	for (const [source, conditions, isGood] of [[ALL, 'workerd', true], [INIT + WRONG, 'browser', true], [JUDGE + WRONG, 'browser', false]]) {
		rmSync(`${folder}worker`, { recursive: true, force: true });
		write('entry.mjs', source + handler);
		assert.equal(run('esbuild', '--bundle', 'entry.mjs', '--format=esm', '--loader:.wasm=copy', `--conditions=${conditions}`, '--outdir=worker', '--log-level=error').status, 0);
		const modules = readdirSync(`${folder}worker`).filter(name => name.endsWith('.wasm')).map(name => `, (name = "${name}", wasm = embed "worker/${name}")`);
		write('config.capnp', `using Workerd = import "/workerd/workerd.capnp";\nconst config :Workerd.Config = (services = [(name = "main", worker = (compatibilityDate = "2024-09-01", modules = [(name = "entry", esModule = embed "worker/entry.js")${modules.join('')}]))]);\n`);
		const { status, said } = run(`${bin}workerd`, 'test', 'config.capnp');
		assert.equal(status === 0 && /^judged$/m.test(said), isGood, said);
		assert.ok(isGood || /global scope/.test(said), said);
	}
});

test('Deno', { skip: hasNot('deno') }, () => {
	write('entry.mjs', FULL);
	judges(`${bin}deno`, 'run', '--no-lock', '--node-modules-dir=manual', '--allow-read', '--allow-env', 'entry.mjs');
});

test('import and require give the same objects', () => {
	write('entry.mjs', `import * as one from 'urivet';\nimport { createRequire } from 'node:module';\nif (one.Policy !== createRequire(import.meta.url)('urivet').Policy) throw 1;\n${FULL.replace("import { ok } from 'urivet'", 'const { ok } = one')}`);
	judges(process.execPath, 'entry.mjs');
});
