// SPDX-License-Identifier: Apache-2.0
import { BuiltIn, Policy, Report, Text } from './urivet';

/** What was refused; with an accepted report, its text names another site. */
export interface RefusedLink { kind: 'link' | 'image' | 'html' | 'other'; url: string; report: Report; ids: string[] }
/** A plugin of markdown-it: links and images that are refused lead nowhere. Use it last. */
export function markdownLinks(md: object, options?: { policy?: Policy | BuiltIn; base?: Text; onRefused?: (link: RefusedLink) => void }): void;
export interface MarkdownStream {
	/** Adds a piece of Markdown, cut anywhere. Returns Markdown that can be shown. */
	push(piece: string): string;
	/** Returns what is left at the end of the text. */
	end(): string;
}
/** For Markdown that comes in pieces, such as the output of a language model. Images are refused without a policy of their own. */
export function markdownStream(policy?: Policy | BuiltIn, options?: { images?: Policy | BuiltIn; onRefused?: (link: RefusedLink) => void }): MarkdownStream;
