// SPDX-License-Identifier: Apache-2.0
import type { Got } from 'got';
import type { LookupFunction } from 'node:net';
import { RefusedError } from './fetch';
import { BuiltIn, Policy } from './urivet';
export { RefusedError };
/** got, and its get, post, put, patch, delete, head and stream, for URLs that are strings. */
export function guarded(got: Got, policy?: Policy | BuiltIn, options?: { lookup?: LookupFunction }): Pick<Got, 'get' | 'post' | 'put' | 'patch' | 'delete' | 'head' | 'stream'> & Got;
