// SPDX-License-Identifier: Apache-2.0
// What a validator of JSON Schema says of YAML texts: validate.mjs SCHEMA MODULES < [text, ...] prints
// [null or what is wrong, ...]. YAML is read by the core schema of YAML 1.2, as editors do.
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {resolve} from 'node:path';

const [schema, modules] = process.argv.slice(2);
const load = createRequire(resolve(modules, 'x.js'));
const Ajv = load('ajv').default;
const {parseDocument} = load('yaml');

const ajv = new Ajv({strict: true, allowUnionTypes: true, allErrors: true});
ajv.addKeyword('enumDescriptions'); // for editors
const valid = ajv.compile(JSON.parse(readFileSync(schema, 'utf8')));

function wrong(text) {
	const document = parseDocument(text, {uniqueKeys: true, version: '1.2', schema: 'core', logLevel: 'error'});
	if (document.errors.length > 0)
		return 'yaml: ' + document.errors[0].message.split('\n')[0];
	let tree;
	try {
		tree = document.toJS({maxAliasCount: 0});
	} catch (error) { // an alias
		return 'yaml: ' + error.message;
	}
	if (valid(tree))
		return null;
	return valid.errors.map((error) => `${error.instancePath || '/'} ${error.message}`).join('; ');
}

const texts = JSON.parse(readFileSync(0, 'utf8'));
process.stdout.write(JSON.stringify(texts.map(wrong)));
