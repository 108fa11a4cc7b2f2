// SPDX-License-Identifier: Apache-2.0
// bent.
'use strict';

const bent = require('bent');
const { serve, statusOf, versionOf } = require('./adapter');

const ANY_STATUS = Array.from({ length: 500 }, (_, i) => 100 + i);

serve(versionOf('bent'), async (url) => statusOf(await bent('GET', ...ANY_STATUS)(url)));
