// SPDX-License-Identifier: Apache-2.0
// phin.
'use strict';

const phin = require('phin');
const { PATIENCE, serve, versionOf } = require('./adapter');

serve(versionOf('phin'), async (url) => (await phin({ url, timeout: PATIENCE })).statusCode);
