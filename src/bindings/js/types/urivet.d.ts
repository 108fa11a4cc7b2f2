// SPDX-License-Identifier: Apache-2.0
import { BuiltIn, Policy as GatePolicy, Report as GateReport, Text } from './gate';
export { BuiltIn, Finding, Text, Verdicts, checkMany, ok } from './gate';

/** Where an accepted URL leads to, so that nobody parses it again. */
export interface Endpoint {
	scheme: string;
	/** In lower case, without a final dot and brackets. */
	host: string;
	port: number;
	tls: boolean;
	/** 4 or 16 octets; none if the host is a name. */
	address: Uint8Array;
	hostField: string;
	tlsName: string;
	/** Path and query. */
	target: string;
	url: string;
}

export class Report extends GateReport {
	protected constructor();
	/** null where there is no one place to go to. */
	readonly endpoint: Endpoint | null;
	/** The spelling that the policy accepts; null if there is none. */
	readonly suggestion: string | null;
	/** A few lines for each finding. */
	readonly explanation: string;
	/** As `urivet check --format=json` has it. */
	toJSON(): object;
}
/** What is used in place of what was given. */
export interface Repaired { from: string; to: string }
/** target: '' if the reference cannot be resolved; the findings are about the reference then. */
export interface RedirectReport extends Report { target: string }
export interface RequestReport extends Report { form: 'none' | 'origin' | 'absolute' | 'authority' | 'asterisk' }
export interface Parameter {
	name: string | null;
	raw: string | null;
	result: 'refused' | 'undecoded' | 'no-room' | 'accepted' | 'not-asked';
	value: string | null;
	judged: string | null;
	ok: boolean;
	/** The findings of the value. */
	ids: string[];
}
export interface ParametersReport extends Report { parameters: Parameter[] }

/** What is known of a request. host: undefined, there is none; null, it is not known. */
export interface Request { method?: Text; host?: Text | null; scheme?: 'http' | 'https'; port?: number }
export interface ParameterOptions {
	/** One name or several. None: the values that look like a URL or a path. */
	names?: Text | Iterable<Text>;
	/** That values are judged by; public if it is not said. */
	policy?: Policy | BuiltIn;
	/** How often a value is decoded. */
	times?: 1 | 2;
	sameOrigin?: boolean;
	absolute?: boolean;
	/** The input is a request target. */
	request?: Request;
}

export class Policy extends GatePolicy {
	protected constructor();
	static readonly strict: Policy;
	static readonly public: Policy;
	static readonly any: Policy;
	static readonly gateway: Policy;
	static compiled(octets: Uint8Array, name?: string): Policy;
	check(text: Text): Report;
	checkAddress(octets: Uint8Array, port?: number): Report;
	/** A Location field, or any reference, against the URL that it came from. */
	checkRedirect(location: Text, options: { base: Text; sameOrigin?: boolean }): RedirectReport;
	checkRequest(target: Text, request?: Request): RequestReport;
	parameters(text: Text, options?: ParameterOptions): ParametersReport;
	suggest(text: Text): string | null;
	/** The report of a text, or of the spelling that the policy accepts in its place. */
	repair(text: Text): Report & { repaired: Repaired | null };
	suggestIri(text: Text): { outcome: string; finding: string | null; codePoint: number; start: number; end: number; result: string | null };
	/** A picture of the URL for the text of an element: never link to it. */
	displayHtml(text: Text): string;
}

export function policy(name: BuiltIn): Policy;
export function check(text: Text): Report;
/** By RFC 3986; null if base or reference cannot be read. */
export function resolve(base: Text, reference: Text): string | null;
export function normalise(text: Text, level?: 'syntax' | 'scheme'): string | null;
export function compare(a: Text, b: Text, options?: { noFragment?: boolean }): 'identical' | 'syntax' | 'scheme' | 'different';
export interface Found { start: number; end: number; kind: 'uri' | 'abbreviated'; uri: string }
export function scan(text: Text): Found[];
export function scan(text: Text, options: { policy: Policy | BuiltIn }): (Found & { report: Report })[];
/** For plain text that comes in pieces. For Markdown there is markdownStream() of urivet/markdown. */
export class ScanStream {
	constructor(options?: { policy?: Policy | BuiltIn });
	/** Adds a piece, which cuts no character unless it is octets. Returns what no later piece can change any more. */
	feed(piece: Text): (Found & { report?: Report })[];
	/** Returns what is left at the end of the text. */
	close(): (Found & { report?: Report })[];
	/** How many octets at the beginning of the text, in UTF-8, have no more URIs to be found. */
	readonly decided: number;
}
export function explain(id: string | number): { id: string; number: number; text: string; reference: string } | null;
export const version: string;
