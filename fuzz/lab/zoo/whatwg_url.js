// SPDX-License-Identifier: Apache-2.0
// whatwg-url, the standard's reference implementation, which jsdom uses.
'use strict';

const { URL } = require('whatwg-url');
const { ofWhatwg, serve } = require('./adapter');

serve(`whatwg-url ${require('whatwg-url/package.json').version}`, (text) => ofWhatwg(new URL(text)));
