// SPDX-License-Identifier: Apache-2.0
import type { Client, Dispatcher, MockAgent, Pool, Request, RequestInit, Response } from 'undici';
import type { LookupFunction } from 'node:net';
import { BuiltIn, Policy, Repaired, Report } from './urivet';

/** What a guard refused; `report` is for the log, `publicReason` for whoever sent the URL. */
export class RefusedError extends TypeError {
	readonly code: 'URIVET_REFUSED';
	/** With the URL as it is: not enumerable, so that no log shows it. */
	readonly report?: Report;
	/** Scheme and host alone. */
	readonly url?: string;
	readonly publicReason: 'unclear' | 'not-allowed';
}
/** What all guards take. */
export interface SharedOptions {
	/** As dns.lookup(); each address that it answers is judged. */
	lookup?: LookupFunction;
	ca?: string | Buffer;
	cert?: string | Buffer;
	key?: string | Buffer;
}
type Undici = 'bodyTimeout' | 'connectTimeout' | 'connections' | 'headersTimeout' | 'keepAliveTimeout' | 'pipelining';
export interface GuardOptions extends SharedOptions, Pick<Client.Options & Pool.Options, Undici> {
	/** A proxy that is trusted: it connects, and addresses are its own to judge. */
	proxy?: string;
	/** For tests: answers in place of the network. URLs and redirects are judged, and nothing is connected to. */
	mock?: MockAgent;
	/** Octets of a body, as decoded; of a dispatcher as they arrive. */
	maxResponseSize?: number;
}
export interface FetchOptions extends GuardOptions {
	/** Milliseconds for a request and its body. */
	timeout?: number;
	/** A URL that is refused for its spelling alone is fetched in the one that the policy accepts; no Location field is. */
	repair?: boolean;
}
export type Init = Omit<RequestInit, 'dispatcher' | 'body'> & { body?: RequestInit['body'] | FormData };
export type GuardedFetch = ((url: string | URL | Request, init?: Init) => Promise<Response & { repaired: Repaired | null }>) & { close(): Promise<void> };
/** By the policy public if none is given. */
export function createFetch(policy?: Policy | BuiltIn, options?: FetchOptions): GuardedFetch;
/** For the functions of undici 6. */
export function dispatcher(policy?: Policy | BuiltIn, options?: GuardOptions): Dispatcher;
/** By the policy public. */
export function fetch(url: string | URL | Request, init?: Init): Promise<Response>;
