// SPDX-License-Identifier: Apache-2.0
// node match.mjs gate|strict <RECORDS: is each NUL-terminated record matched? Writes 1 or 0 for each.
import { readFileSync } from 'node:fs';

const { accept } = JSON.parse(readFileSync(new URL('expressions.json', import.meta.url), 'utf8')).ECMAScript[process.argv[2]];
const expression = new RegExp(accept); // without m, so $ is the end of the text; without i, which would match more
const records = readFileSync(0, 'latin1').split('\0').slice(0, -1);
process.stdout.write(records.map(url => (expression.test(url) ? '1' : '0')).join(''));
