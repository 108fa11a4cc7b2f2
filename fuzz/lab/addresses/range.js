// SPDX-License-Identifier: Apache-2.0
// The range that ipaddr.js names for each address of standard input, one a line.
// Usage: node range.js FOLDER-OF-THE-PACKAGE
'use strict';
const ipaddr = require(require('path').resolve(process.argv[2]));
const lines = require('fs').readFileSync(0, 'latin1').split('\n');
lines.pop();
process.stdout.write(lines.map((text) => ipaddr.parse(text).range() + '\n').join(''));
