// SPDX-License-Identifier: Apache-2.0
import { BuiltIn, Policy } from './urivet';
export { Policy };

/** The settings of a policy file. */
export interface Settings {
	base?: BuiltIn;
	name?: string;
	schemes?: readonly string[];
	/** Of http, https, ws, wss and ftp: numbers and ranges such as '8000-8099'. */
	ports?: Readonly<Record<string, readonly (number | string)[]>>;
	/** A name with `shared` may be a public suffix: others can register below it. */
	hosts?: { allow?: readonly (string | { name: string; shared?: boolean })[]; deny?: readonly string[] };
	/** `also` adds to what the rest allows; `allow` refuses every other URL. */
	urls?: { allow?: readonly string[]; also?: readonly string[]; forbid_parameters?: readonly string[] };
	addresses?: { allow?: readonly string[]; deny?: readonly string[]; nat64?: readonly string[] };
	/** Findings that are waived, and notes that are raised. */
	allow?: readonly string[];
	refuse?: readonly string[];
	limits?: { length?: number; host?: number; label?: number };
	opaque_query?: boolean;
	protect?: readonly string[];
	/** Findings that are waived below a prefix of the path, for requests. */
	paths?: readonly { prefix: string; methods?: readonly string[]; allow: readonly string[] }[];
	strip_prefix?: readonly string[];
	parameters?: Readonly<Record<string, Readonly<Record<string, boolean | number | string | readonly string[]>>>>;
}
export interface PolicyProblem {
	/** Such as 'hosts.deny[2]'. */
	at: string;
	text: string;
}
/** RangeError with `problems: PolicyProblem[]` for what is no policy. */
export function policy(settings: Settings): Policy;
