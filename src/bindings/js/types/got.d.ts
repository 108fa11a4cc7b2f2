// SPDX-License-Identifier: Apache-2.0
import type { Got } from 'got' with { 'resolution-mode': 'import' };
import { AgentOptions } from './agent';
import { BuiltIn, Policy } from './urivet';
export { RefusedError } from './fetch';
/** got for URLs that are strings; refusals are RequestError with `report` and `publicReason`, or RefusedError at once. */
export function guarded(got: Got, policy?: Policy | BuiltIn, options?: Omit<AgentOptions, 'keepAlive'> & { repair?: boolean }): Got;
