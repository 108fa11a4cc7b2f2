// Builds the package: node build.mjs VERSION URIVET.wasm GATE.wasm POLICY.wasm FOLDER. Each build
// of the library is one file without dependencies that contains the module, deflated and in base64,
// or imports it as workerd does.
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
const BOTH = ['Policy', 'Report', 'policy', 'ok', 'check', 'checkMany'], MARKDOWN = ['markdownLinks', 'markdownStream'];
const SHARED = ['wantOptions', 'wantPolicy']; // by the modules of the package
const FULL = [...BOTH, 'resolve', 'normalise', 'compare', 'scan', 'ScanStream', 'explain', 'version'];
// What each is made of. The policy compiler is instantiated for each policy.
const MODULES = {
	urivet: { wasm: full, parts: ['core.js', 'full.js'], exported: FULL, shared: SHARED },
	gate: { wasm: gate, parts: ['core.js', 'gate.js'], exported: BOTH },
	markdown: { from: ['Policy', 'check', 'scan', ...SHARED], parts: ['markdown.js'], exported: MARKDOWN },
	policy: { wasm: policy, from: ['Policy'], parts: ['policy.js'], exported: ['Policy', 'policy'] },
};
const INSTANCE = 'const wasm = new WebAssembly.Instance(compiled).exports;\n';

const codeOf = wasm => execFileSync('zopfli', ['-c', '--zlib', '--i30', wasm], { maxBuffer: 1 << 24 }).toString('base64');
const shorten = source => execFileSync('esbuild', ['--minify', '--format=esm', '--target=es2022'], { input: source, maxBuffer: 1 << 24 });
const exporting = names => `export { ${names.join(', ')} };\n`, importing = (names, file) => `import { ${names.join(', ')} } from './${file}';\n`;
const FORMS = {
	// compiled synchronously, for require()
	cjs: {
		load: code => `const compiled = new WebAssembly.Module(require('node:zlib').inflateSync(Buffer.from('${code}', 'base64')));\n`,
		take: names => `const { ${names.join(', ')} } = require('./urivet.cjs');\n`, give: names => `module.exports = { ${names.join(', ')} };\n`,
		write: source => `'use strict';\n${source}`,
	},
	// for browsers, which compile asynchronously
	mjs: {
		load: code => `const deflated = Uint8Array.from(atob('${code}'), c => c.charCodeAt(0));
const inflated = new Blob([deflated]).stream().pipeThrough(new DecompressionStream('deflate'));
const compiled = await WebAssembly.compile(await new Response(inflated).arrayBuffer());\n`,
		take: names => importing(names, 'urivet.mjs'), give: exporting, write: shorten,
	},
	// for workerd, which compiles before it runs a program
	'workerd.mjs': { load: (code, name) => `import compiled from './${name}.wasm';\n`, take: names => importing(names, 'urivet.workerd.mjs'), give: exporting, write: shorten },
};
const sourceOf = parts => parts.map(part).join('').replaceAll(HEAD, '');

for (const [name, { wasm, from = [], parts, exported, shared = [] }] of Object.entries(MODULES)) {
	const code = wasm && codeOf(wasm), body = (from.length === 0 ? INSTANCE : '') + sourceOf(parts);
	for (const [form, { load, take, give, write }] of Object.entries(FORMS))
		writeFileSync(join(dist, `${name}.${form}`), HEAD + write((wasm ? load(code, name) : '') + (from.length > 0 ? take(from) : '') + body + give([...exported, ...shared])));
	if (wasm)
		copyFileSync(wasm, join(dist, `${name}.wasm`));
	wrap(name, exported);
}
// All of it as a function of the module, which others compile.
const init = `function init(compiled) {\n${INSTANCE}${sourceOf(['core.js', 'full.js'])}const markdown = (() => {\n${sourceOf(['markdown.js'])}return { ${MARKDOWN.join(', ')} };\n})();
return { ${FULL.join(', ')}, ...markdown };\n}\n`;
for (const form of ['cjs', 'mjs'])
	writeFileSync(join(dist, `init.${form}`), HEAD + FORMS[form].write(init + FORMS[form].give(['init'])));
wrap('init', ['init']);

// Makes import and require() return the same objects in Node.
function wrap(name, exported) {
	writeFileSync(join(dist, `${name}.node.mjs`), `${HEAD}import all from './${name}.cjs';\nexport const { ${exported.join(', ')} } = all;\n`);
}

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
