// SPDX-License-Identifier: Apache-2.0
import { Agent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { SharedOptions } from './fetch';
import { BuiltIn, Policy } from './urivet';
export { RefusedError } from './fetch';

export interface AgentOptions extends SharedOptions {
	keepAlive?: boolean;
	maxSockets?: number;
	/** Octets of a body, as they arrive; of axios and got as decoded. */
	maxResponseSize?: number;
	/** Milliseconds for a request and its body; of axios and got with redirects, of got with further tries. */
	timeout?: number;
}
/** For requests to http: URLs. By the policy public if none is given. */
export class HttpAgent extends Agent {
	constructor(policy?: Policy | BuiltIn, options?: AgentOptions);
}
/** For requests to https: URLs. */
export class HttpsAgent extends SecureAgent {
	constructor(policy?: Policy | BuiltIn, options?: AgentOptions);
}
/** Both, for clients that choose by the scheme. */
export function agents(policy?: Policy | BuiltIn, options?: AgentOptions): { http: HttpAgent; https: HttpsAgent };
