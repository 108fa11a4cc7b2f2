// SPDX-License-Identifier: Apache-2.0
// Node's url.domainToASCII, its punycode.toASCII, and the former shown and read again.
'use strict';

process.removeAllListeners('warning');
const fs = require('fs');
const url = require('url');

function toAscii(host) {
	const made = url.domainToASCII(host);
	if (made === '')
		throw new Error('refused');
	return made;
}

const CONFIGURATIONS = {
	domain: toAscii,
	shown: (host) => toAscii(url.domainToUnicode(host)),
	punycode: (host) => require('punycode').toASCII(host),
	'punycode-shown': (host) => require('punycode').toASCII(require('punycode').toUnicode(host)),
};

function escaped(text) {
	let made = '';
	for (const octet of Buffer.from(text, 'utf8'))
		made += octet > 0x21 && octet < 0x7f && octet !== 0x5c ? String.fromCharCode(octet)
			: '\\x' + octet.toString(16).toUpperCase().padStart(2, '0');
	return made;
}

function told(translate, host) {
	try {
		return escaped(translate(host));
	} catch {
		return '!';
	}
}

if (process.argv[process.argv.length - 1] === '--version') {
	console.log(`Node ${process.version}, Unicode ${process.versions.unicode}`);
} else {
	const translate = CONFIGURATIONS[process.argv[2]];
	const hosts = fs.readFileSync(0).toString('utf8').split('\0').slice(0, -1);
	fs.writeFileSync(1, hosts.map((host) => told(translate, host) + '\n').join(''));
}
