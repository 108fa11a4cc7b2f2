// SPDX-License-Identifier: Apache-2.0
// Node's URL, the parser ada.
'use strict';

const { ofWhatwg, serve } = require('./adapter');

serve(`Node ${process.version}, ada ${process.versions.ada}`, (text) => ofWhatwg(new URL(text)));
