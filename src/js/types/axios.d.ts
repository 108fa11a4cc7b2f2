// SPDX-License-Identifier: Apache-2.0
import type { AxiosInstance, AxiosStatic } from 'axios';
import { GuardOptions, RefusedError } from './fetch';
import { BuiltIn, Policy } from './urivet';
export { RefusedError };
/** An instance whose adapter is the guard; refusals are AxiosError with `report` and `publicReason`. */
export function guarded(axios: AxiosStatic, policy?: Policy | BuiltIn, options?: GuardOptions): AxiosInstance;
