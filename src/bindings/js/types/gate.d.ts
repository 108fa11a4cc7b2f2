// SPDX-License-Identifier: Apache-2.0
/** A text: a string, judged as its UTF-8, or octets. */
export type Text = string | Uint8Array;
export type BuiltIn = 'strict' | 'public' | 'any' | 'gateway';

/** One thing wrong with an input, or worth knowing about it. */
export interface Finding {
	readonly id: string;
	readonly number: number;
	readonly class: 'malformed' | 'ambiguous' | 'dangerous' | 'policy' | 'note';
	readonly component: string;
	/** What start and end are of: the input, or the Host field beside it. */
	readonly in: 'input' | 'host';
	/** Offsets in octets (UTF-8): of the first one at fault, and after the last. */
	readonly start: number;
	readonly end: number;
	/** Occurrences; the first one is reported. */
	readonly count: number;
	/** Does it refuse by the policy? */
	readonly refuses: boolean;
	/** The octets at fault. */
	readonly text: string;
}

/** What was found out about one input. Only `ok` decides. */
export class Report {
	protected constructor();
	readonly ok: boolean;
	readonly verdict: 'accept' | 'reject';
	readonly policy: string;
	/** What may be told to whoever submitted the URI. */
	readonly publicReason: 'accepted' | 'unclear' | 'not-allowed';
	readonly parsed: boolean;
	readonly dropped: number;
	readonly port: number | null;
	readonly findings: readonly Finding[];
	readonly components: Readonly<Record<string, string>>;
}

/** Bit k % 8, from the lowest, of bitmap[k / 8] is set if row k is accepted. */
export interface Verdicts {
	readonly rows: number;
	readonly accepted: number;
	readonly bitmap: Uint8Array;
	at(row: number): boolean;
}

export class Policy {
	protected constructor();
	static readonly strict: Policy;
	static readonly public: Policy;
	static readonly any: Policy;
	static readonly gateway: Policy;
	/** Octets that `urivet policy compile` wrote; RangeError for what is no whole and sound policy. */
	static compiled(octets: Uint8Array, name?: string): Policy;
	readonly name: string;
	/** Octets; longer inputs are refused unread. */
	readonly maxLength: number;
	/** The verdict alone; bound to the policy. TypeError for what is neither a string nor a Uint8Array. */
	readonly ok: (text: Text) => boolean;
	check(text: Text): Report;
	/** An address of 4 or 16 octets in network order; port 0: none is known. */
	checkAddress(octets: Uint8Array, port?: number): Report;
	/** A list; or octets and offsets of rows as Apache Arrow has them; or octets alone, a row a line. */
	checkMany(rows: readonly Text[]): Verdicts;
	checkMany(data: Uint8Array, offsets?: Int32Array): Verdicts;
	/** Frees its memory. Asking a closed policy throws; the built-in ones stay open. */
	close(): void;
}

export function policy(name: BuiltIn): Policy;
export const ok: Policy['ok'];
export const check: Policy['check'];
export const checkMany: Policy['checkMany'];
