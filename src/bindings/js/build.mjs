// Builds the package: node build.mjs VERSION URIVET.wasm GATE.wasm POLICY.wasm FOLDER. Each build
// of the library is one file without dependencies that contains the module, deflated and in base64.
// The guards for HTTP clients are copied. zopfli deflates (5 % less than zlib) and esbuild minifies
// the browser files; both come from Debian.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [version, full, gate, policy, folder] = process.argv.slice(2);
const here = new URL('.', import.meta.url).pathname;
const part = name => readFileSync(join(here, 'lib', name), 'utf8');
const dist = join(folder, 'dist');
rmSync(folder, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });

const HEAD = '// SPDX-License-Identifier: Apache-2.0\n';
const BOTH = ['Policy', 'Report', 'policy', 'ok', 'check', 'checkMany'];
const SHARED = ['wantOptions', 'wantPolicy']; // by the modules of the package
const FULL = [...BOTH, 'resolve', 'normalise', 'compare', 'scan', 'ScanStream', 'explain', 'version'];

const codeOf = wasm => execFileSync('zopfli', ['-c', '--zlib', '--i30', wasm], { maxBuffer: 1 << 24 }).toString('base64');
const shorten = source => execFileSync('esbuild', ['--minify', '--format=esm', '--target=es2022'], { input: source, maxBuffer: 1 << 24 });
const LOAD = {
	// compiled synchronously, for require()
	cjs: code => `'use strict';\nconst compiled = new WebAssembly.Module(require('node:zlib').inflateSync(Buffer.from('${code}', 'base64')));\n`,
	// for browsers, which compile asynchronously
	mjs: code => `const deflated = Uint8Array.from(atob('${code}'), c => c.charCodeAt(0));
const inflated = new Blob([deflated]).stream().pipeThrough(new DecompressionStream('deflate'));
const compiled = await WebAssembly.compile(await new Response(inflated).arrayBuffer());\n`,
};
const INSTANCE = 'const wasm = new WebAssembly.Instance(compiled).exports;\n';

function write(name, wasm, sources, exported, shared = []) {
	const body = INSTANCE + sources.map(part).join('').replaceAll(HEAD, ''), code = codeOf(wasm);
	const required = `module.exports = { ${[...exported, ...shared].join(', ')} };\n`;
	writeFileSync(join(dist, `${name}.cjs`), HEAD + LOAD.cjs(code) + body + required);
	writeFileSync(join(dist, `${name}.mjs`), HEAD + shorten(LOAD.mjs(code) + body + `export { ${[...exported, ...shared].join(', ')} };\n`));
	wrap(name, exported);
}

// Makes import and require() return the same objects in Node.
function wrap(name, exported) {
	writeFileSync(join(dist, `${name}.node.mjs`), `${HEAD}import all from './${name}.cjs';\nexport const { ${exported.join(', ')} } = all;\n`);
}

write('urivet', full, ['core.js', 'full.js'], FULL, SHARED);
write('gate', gate, ['core.js', 'gate.js'], BOTH);

const markdown = part('markdown.js').replaceAll(HEAD, ''), taken = 'Policy, check, scan, wantOptions, wantPolicy', given = 'markdownLinks, markdownStream';
writeFileSync(join(dist, 'markdown.cjs'), `${HEAD}'use strict';\nconst { ${taken} } = require('./urivet.cjs');\n${markdown}module.exports = { ${given} };\n`);
writeFileSync(join(dist, 'markdown.mjs'), HEAD + shorten(`import { ${taken} } from './urivet.mjs';\n${markdown}export { ${given} };\n`));
wrap('markdown', given.split(', '));
// The policy compiler: its module is instantiated for each policy.
const compiler = codeOf(policy), body = part('policy.js').replaceAll(HEAD, '');
const required = `${LOAD.cjs(compiler)}const { Policy } = require('./urivet.cjs');\n${body}module.exports = { policy };\n`;
const imported = `import { Policy } from './urivet.mjs';\n${LOAD.mjs(compiler)}${body}export { policy };\n`;
writeFileSync(join(dist, 'policy.cjs'), HEAD + required);
writeFileSync(join(dist, 'policy.mjs'), HEAD + shorten(imported));
wrap('policy', ['policy']);
for (const file of readdirSync(join(here, 'node')).filter(name => name.endsWith('.cjs'))) {
	copyFileSync(join(here, 'node', file), join(dist, file));
	const [, list] = /^module\.exports = \{ (.*) \};$/m.exec(readFileSync(join(here, 'node', file), 'utf8'));
	wrap(file.replace('.cjs', ''), list.split(', '));
}
// ES modules and CommonJS modules need separate type files, as the packages that they refer to have
// them.
for (const file of readdirSync(join(here, 'types'))) {
	const types = readFileSync(join(here, 'types', file), 'utf8');
	writeFileSync(join(dist, file), types);
	writeFileSync(join(dist, file.replace('.ts', '.mts')), types.replaceAll(/ from '\.\/(\w+)'/g, " from './$1.mjs'"));
}
const about = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...about, version }, null, 2) + '\n');
copyFileSync(join(here, 'README.md'), join(folder, 'README.md'));
copyFileSync(join(here, '../../../LICENSE'), join(folder, 'LICENSE'));
