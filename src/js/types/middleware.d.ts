// SPDX-License-Identifier: Apache-2.0
import type { IncomingMessage, ServerResponse } from 'node:http';
import { BuiltIn, Policy, Report } from './urivet';

export interface Refusal { mode: 'observe' | 'enforce'; target: string; reason: string; findings: string[]; report: Report }
export interface MiddlewareOptions {
	/** For target and Host field; gateway if it is not said. */
	policy?: Policy | BuiltIn;
	/** Parameters of the query that are judged each time that they occur; '*': what looks like a URL or a path. */
	params?: Iterable<string> | '*' | null;
	/** public if it is not said. */
	paramsPolicy?: Policy | BuiltIn;
	sameOrigin?: boolean;
	absolute?: boolean;
	/** By which clients know the server. */
	scheme?: 'http' | 'https';
	port?: number;
	mode?: 'observe' | 'enforce';
	/** Called for each refusal, enforced or not. */
	log?: (refusal: Refusal) => void;
}
export function express(options?: MiddlewareOptions): (req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void) => void;
/** A plugin: app.register(fastify, options). */
export function fastify(app: object, options: MiddlewareOptions, done: (error?: Error) => void): void;
