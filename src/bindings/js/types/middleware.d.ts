// SPDX-License-Identifier: Apache-2.0
import type { IncomingMessage, ServerResponse } from 'node:http';
import { BuiltIn, Policy, Report } from './urivet';

declare global {
	namespace Express { interface Request { urivet?: Report } }
}
// @ts-ignore: fastify need not be installed
declare module 'fastify' { interface FastifyRequest { urivet: Report | null } }
/** `target` is masked; `report`, which has it as it is, is not enumerable. */
export interface Refusal { mode: 'observe' | 'enforce'; target: string; reason: string; findings: string[]; report: Report }
/** How the values of a parameter are judged. */
export interface ParameterRules {
	/** public if it is not said. */
	policy?: Policy | BuiltIn;
	sameOrigin?: boolean;
	absolute?: boolean;
	/** A path that begins with one slash: so for next, return_to and the like without rules of their own. */
	rooted?: boolean;
}
/** A name that is not known, here and in ParameterRules, is a TypeError; so are options that a prototype holds. */
export interface MiddlewareOptions {
	/** For target and Host field; gateway if it is not said. */
	policy?: Policy | BuiltIn;
	/** Parameters of the query, judged each time that they occur: a name, several, or names with rules; '*': what looks like a URL or a path. */
	params?: string | Iterable<string> | Record<string, ParameterRules> | null;
	/** For parameters without rules of their own. */
	paramsPolicy?: Policy | BuiltIn;
	sameOrigin?: boolean;
	absolute?: boolean;
	/** By which clients know the server. port 'any': the port that the Host field has is not compared with another. */
	scheme?: 'http' | 'https';
	port?: number | 'any';
	mode?: 'observe' | 'enforce';
	/** Called for each refusal, enforced or not. Without it `observe` warns on the console, and `enforce` is silent. */
	log?: (refusal: Refusal) => void;
}
export function express(options?: MiddlewareOptions): (req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void) => void;
/** A plugin: app.register(fastify, options). */
export function fastify(app: object, options: MiddlewareOptions, done: (error?: Error) => void): void;
