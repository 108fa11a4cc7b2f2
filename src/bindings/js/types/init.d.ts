// SPDX-License-Identifier: Apache-2.0
import * as markdown from './markdown';
import * as urivet from './urivet';
/** urivet and urivet/markdown over a WebAssembly.Module of urivet/urivet.wasm, for what may not compile it itself. */
export function init(module: object): typeof urivet & typeof markdown;
