// SPDX-License-Identifier: Apache-2.0
// centra.
'use strict';

const centra = require('centra');
const { PATIENCE, serve, versionOf } = require('./adapter');

serve(versionOf('centra'), async (url) => (await centra(url).timeout(PATIENCE).send()).statusCode);
