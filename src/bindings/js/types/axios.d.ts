// SPDX-License-Identifier: Apache-2.0
import type { AxiosInstance, AxiosStatic } from 'axios';
import { AgentOptions } from './agent';
import { RefusedError } from './fetch';
import { BuiltIn, Policy } from './urivet';
export { RefusedError };
/** An instance over guarded agents; refusals are AxiosError with `report` and `publicReason`. */
export function guarded(axios: AxiosStatic, policy?: Policy | BuiltIn, options?: Omit<AgentOptions, 'keepAlive' | 'timeout'>): AxiosInstance;
