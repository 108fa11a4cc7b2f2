// SPDX-License-Identifier: Apache-2.0
import type { AxiosInstance, AxiosStatic } from 'axios';
import { AgentOptions } from './agent';
import { BuiltIn, Policy, Repaired } from './urivet';
declare module 'axios' { interface AxiosResponse { repaired?: Repaired | null } }
export { RefusedError } from './fetch';
/** An instance over guarded agents; refusals are AxiosError with `report` and `publicReason`. */
export function guarded(axios: AxiosStatic, policy?: Policy | BuiltIn, options?: Omit<AgentOptions, 'keepAlive'> & { repair?: boolean }): AxiosInstance;
