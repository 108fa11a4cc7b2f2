// SPDX-License-Identifier: Apache-2.0
// urivet/markdown: links, images and HTML of Markdown, judged as they are rendered: in the tokens of markdown-it, and in a
// text that a language model is still writing.

const NOWHERE = 'about:invalid';
// Tags of HTML that are kept, with no attribute but an href or src that is judged.
const TAGS = new Set(['a', 'abbr', 'b', 'blockquote', 'br', 'cite', 'code', 'dd', 'del', 'details', 'dfn', 'div', 'dl', 'dt', 'em', 'h1', 'h2', 'h3', 'h4',
	'h5', 'h6', 'hr', 'i', 'img', 'ins', 'kbd', 'li', 'mark', 'ol', 'p', 'pre', 'q', 's', 'samp', 'small', 'span', 'strike', 'strong', 'sub', 'summary',
	'sup', 'table', 'tbody', 'td', 'tfoot', 'th', 'thead', 'tr', 'tt', 'u', 'ul', 'var']);
const TAG = /<\/?([a-z][a-z0-9]*)(?:\s+(href|src)="([^"<>&]*)")?\s*\/?>|</gi;
const CALLBACK = [value => typeof value === 'function', 'a function'], ANY = [() => true];

// ---- What people read of a link

// The host of a URL, as it is looked up; null where people and programs may read another one.
function siteOf(uri) {
	const { userinfo, host } = check(Policy.strict.suggestIri(uri).result ?? uri).components;
	return userinfo === undefined && host ? host.toLowerCase().replace(/^www\./, '').replace(/\.$/, '') : null;
}

// A word that is a host alone.
const BARE = /(?<![\p{L}\p{M}\p{N}.@/-])[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)+(?![\p{L}\p{M}\p{N}@-])/gu;

// URLs of the sites that a text names. A last label is one that scan() knows, or one of other letters.
function namedIn(text) {
	const shown = text.normalize('NFKC').replace(/\p{Cf}/gu, '').replace(/\u3002/g, '.');
	const isDomain = label => /^xn--|[^\0-\x7f]/i.test(label) || scan(`a.${label}/`).length > 0;
	const bare = (shown.match(BARE) ?? []).filter(word => isDomain(word.slice(word.lastIndexOf('.') + 1)));
	return [...scan(shown).map(({ uri }) => uri), ...bare.map(word => `https://${word}/`)];
}

// A function that tells whether a link may be shown, and calls onRefused if not.
const judging = (judge, base, onRefused) => (kind, url, shown = '') => {
	const report = base === undefined ? judge.check(url) : judge.checkRedirect(url, { base });
	const others = report.ok ? namedIn(shown).filter(uri => siteOf(uri) !== siteOf(report.target ?? url)) : [];
	const isGood = report.ok && others.length === 0;
	if (!isGood)
		onRefused({ kind, url, report, ids: report.ok ? ['link-text-mismatch'] : report.findings.filter(({ refuses }) => refuses).map(({ id }) => id) });
	return isGood;
};

// ---- markdown-it

// What people read of a link: the text of its tokens, from the one at `at` on.
function shownOf(tokens, at) {
	let shown = '';
	for (; at < tokens.length && tokens[at].type !== 'link_close'; at++)
		shown += tokens[at].type === 'softbreak' || tokens[at].type === 'hardbreak' ? ' ' : tokens[at].content;
	return shown;
}

// A plugin of markdown-it: md.use(markdownLinks, { policy: 'public' }). Links and images that are refused lead nowhere.
function markdownLinks(md, options) {
	const { policy: by, base, onRefused = () => {} } = wantOptions(options, { policy: ANY, base: ANY, onRefused: CALLBACK });
	const isGood = judging(wantPolicy(by, Policy.public), base, onRefused);
	const htmlOf = html => html.replace(TAG, (tag, name, attribute, url) =>
		name !== undefined && TAGS.has(name.toLowerCase()) && (attribute === undefined || isGood('html', url)) ? tag : `&lt;${tag.slice(1)}`);
	const walk = tokens => tokens.forEach((token, k) => {
		for (const attribute of token.attrs ?? []) {
			const kind = token.type === 'link_open' ? 'link' : token.type === 'image' ? 'image' : 'other';
			if ((attribute[0] === 'href' || attribute[0] === 'src') && !isGood(kind, attribute[1], kind === 'link' ? shownOf(tokens, k + 1) : ''))
				attribute[1] = NOWHERE;
		}
		if (token.type === 'html_inline' || token.type === 'html_block')
			token.content = htmlOf(token.content);
		walk(token.children ?? []);
	});
	md.core.ruler.push('urivet', ({ tokens }) => walk(tokens));
}

// ---- Markdown in pieces. All that could make a link is escaped, and what some renderers rank above code: brackets, "<", "~".
// A link, an image or a URL that is judged is written anew in one form; what renderers make links of by themselves is code.

const LIMIT = 4096; // what is held back at most; a longer link, code span or word is none
// Of a link on one line: its text, its target, and what may still become one.
const TEXT = '(?:[^[\\]<`\\\\|\\n]|\\\\[^\\n]|`[^`\\n|[\\]]*`)*', INNER = '(?:[^\\s()\\\\]|\\\\[^\\s])*';
const TARGET = `(?:<([^<>\\n]*)>|((?:[^\\s<()\\\\]|\\\\[^\\s])(?:[^\\s()\\\\]|\\\\[^\\s]|\\(${INNER}\\))*))`, TITLE = '(?:"[^"\\n]*"|\'[^\'\\n]*\')';
const LINK = new RegExp(`^(!?)\\[(${TEXT})\\]\\([ \\t]*${TARGET}(?:[ \\t]+${TITLE})?[ \\t]*\\)`);
const OPEN = new RegExp(`^!?(?:$|\\[${TEXT}(?:$|\`[^\`\\n|[\\]]*$|\\\\$|\\](?:$|\\([ \\t]*(?:$|\\\\$|<[^<>\\n]*$|${TARGET}(?:$|\\\\$|\\(${INNER}\\\\?$|[ \\t]+(?:$|"[^"\\n]*$|'[^'\\n]*$|${TITLE}[ \\t]*$))))))`);
const AUTOLINK = /^<([a-z][a-z0-9+.-]{1,31}:[^\s<>`|]*)>/i, OPEN_AUTOLINK = /^<(?:[a-z][a-z0-9+.-]{0,31}(?::[^\s<>`|]*)?)?$/i;
const SPAN = /^(`+)(?!`)([^\n]*?[^`\n])\1(?!`)/;
const FENCE = /^((?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*)(?:(`{3,64})(?!`)([^`\n]*)|(~{3,64})(?!~)([^\n]*))(?:\n|$)/;
const OPEN_FENCE = /^(?:[ \t>]|[-*+](?:[ \t]|$)|\d{1,9}(?:[.)](?:[ \t]|$)|$))*(?:`{1,2}$|`{3,}[^`\n]*|~{1,2}$|~{3,}[^\n]*)?$/;
const TASK = /^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[[ x]\](?=[ \t])/i, OPEN_TASK = /^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[(?:[ x]\]?)?$/i;
const WORD = /^(?:\\[!-/:-@[-`{-~]|\\|!(?!\[)|[^ \t\n\\![\]<`|])+/;
// The beginning of a word in a script without spaces, up to where it can be cut.
const CHUNK = /^[^ \t\n.:/@\\&![\]<`|]*(?![\0-\x7f])[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{P}\p{S}]/u;
// What renderers make links of: URLs, hosts, addresses of mail.
const LINKABLE = /\/\/|www\.|(?:mailto|xmpp):|[^\s@]@[^\s@.]*\.|(?:^|[^.])\.[\p{L}\p{M}][\p{L}\p{M}\p{N}-]|\d\.\d{1,3}\.\d{1,3}\.\d/iu;
const BEFORE = '*_~("\'\u201c\u2018\u00ab', AFTER = '*_~)"\'.,;:!?>\u201d\u2019\u00bb';
const NAMED = { amp: 38, lt: 60, gt: 62, quot: 34, apos: 39, nbsp: 160 };
const REFERENCE = /\\([!-/:-@[-`{-~])|\\|&(?:(?:#x([\da-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos|nbsp));)?|~/gi;

const entities = text => text.replace(/[!-\/:-@[-`{-~]/g, c => `&#${c.charCodeAt(0)};`);
const inTicks = code => `\`${code.replace(/\\$/, '\\ ')}\``; // marked takes \` for text
const codeOf = shown => inTicks(shown.replace(/`/g, "'").replace(/\|/g, '\u00a6').replace(/\s+/g, ' '));
// Nothing comes between two spans of code but a space.
const join = (a, b) => a.endsWith('`') && b.startsWith('`') ? `${a} ${b}` : a + b;

function characterOf(hexadecimal, decimal, name) {
	const code = hexadecimal ? parseInt(hexadecimal, 16) : decimal ? Number(decimal) : NAMED[name.toLowerCase()];
	return code === 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? '\ufffd' : String.fromCodePoint(code);
}
const decoded = raw => raw.replace(REFERENCE, (all, c, x, d, name) => c ?? (x ?? d ?? name ? characterOf(x, d, name) : all));
const escaped = raw => raw.replace(REFERENCE, (all, c, x, d, name) =>
	c ? '!`<&|~[]'.includes(c) ? entities(c) : all : x ?? d ?? name ? `&#${characterOf(x, d, name).codePointAt(0)};` : all === '\\' ? '\\\\' : entities(all));

// Markdown in pieces: push(piece) and end() return Markdown in which nothing leads where the policy refuses. Images need a
// policy of their own.
function markdownStream(by, options) {
	const { images, onRefused = () => {} } = wantOptions(options, { images: ANY, onRefused: CALLBACK });
	const isGood = judging(wantPolicy(by, Policy.public), undefined, onRefused), judge = wantPolicy(by, Policy.public);
	const isGoodImage = images === undefined ? null : judging(wantPolicy(images), undefined, onRefused);
	let held = '', carried = '', last = '', isLineStart = true, isSkipping = false, isClosed = false, fence = null;

	// The target of a link as it is written; null if it is refused, or if a renderer may decode it in another way.
	const targetOf = (kind, url, shown) => {
		const spelled = /[^\0-\x7f]/.test(url) && !/\p{Surrogate}/u.test(url) ? judge.suggest(url) ?? url : url;
		const is = kind === 'image' ? isGoodImage : isGood;
		return /^(?:(?!&#?\w+;)[!#-;=?-[\]_a-z~])+$/i.test(spelled) && is?.(kind, spelled, shown) ? `<${spelled}>` : null;
	};
	const wordOf = (raw, isLink) => {
		if (!LINKABLE.test(decoded(raw)))
			return escaped(raw);
		let start = 0, end = raw.length;
		while (BEFORE.includes(raw[start]))
			start++;
		while (end > start && AFTER.includes(raw[end - 1]) && raw[end - 2] !== '\\')
			end--;
		if (raw[end] === ')' && raw.slice(start, end).split('(').length > raw.slice(start, end).split(')').length)
			end++;
		const url = decoded(raw.slice(start, end)), isUrl = !isLink && /^[a-z][a-z0-9+.-]*:\/\//i.test(url);
		return join(escaped(raw.slice(0, start)), (isUrl ? targetOf('link', url) : null) ?? codeOf(url)) + escaped(raw.slice(end));
	};
	const wordsOf = (raw, word) => raw.replace(/[^ \t]+/g, word);
	const linkOf = ([all, bang, raw, pointed, plain]) => {
		const parts = raw.split(/(`[^`]*`)/), shown = parts.map((part, k) => k % 2 ? part : decoded(part)).join('').replace(/[*_~`]/g, '');
		const target = targetOf(bang ? 'image' : 'link', decoded(pointed ?? plain), bang ? '' : shown);
		return target && [all.length, `${bang}[${parts.map((part, k) => k % 2 ? part : wordsOf(part, word => wordOf(word, true))).reduce(join)}](${target})`];
	};
	// In a table a bar ends code, and some renderers do not know how code with "`" ends.
	const spanOf = ([all, , code]) => [all.length, /[|`]/.test(code) ? wordsOf(code, word => LINKABLE.test(word) ? codeOf(word) : entities(word)) : inTicks(code)];

	// A line of a fenced block, or as much of it as is there. Lines that others might take for its end are moved to the right.
	const closed = () => {
		const { mark } = fence;
		fence = null;
		return `${mark}\n`;
	};
	const code = (text, isFull) => {
		const [line] = /^[^\n]*/.exec(text), isWhole = line.length < text.length;
		const wasLineStart = isLineStart, length = line.length + isWhole;
		if (wasLineStart && !isWhole && (!isFull || text.length >= LIMIT) && /^[ \t>]*(?:`*|~*|\$)[ \t]*$/.test(line))
			return isFull ? [0, closed()] : null; // what is too long to tell ends it
		isLineStart = isWhole;
		if (!wasLineStart)
			return [length, text.slice(0, length)];
		let rest = line;
		for (let k = 0; k < fence.depth; k++) {
			if (!/^[ \t]*>/.test(rest)) {
				isLineStart = true;
				return [0, closed()];
			}
			rest = rest.replace(/^[ \t]*>[ \t]?/, '');
		}
		rest = rest.slice(Math.min(fence.indent, /^[ \t]*/.exec(rest)[0].length));
		const [, spaces, run] = /^([ \t]*)(`+|~+|\$+|)/.exec(rest), isLong = run.startsWith(fence.mark);
		if (isLong && /^ {0,3}$/.test(spaces) && /^[ \t]*$/.test(rest.slice(spaces.length + run.length)) && (isWhole || text.length < LIMIT))
			return [length, closed()];
		return [length, (isLong || run.startsWith('$$') ? '    ' : '') + rest + (isWhole ? '\n' : '')];
	};
	// How much of the text is done, and what is written for it; null if more is needed. `isFull`: no more will come.
	const next = (text, isLast) => {
		const isFull = isLast || text.length >= LIMIT, c = text[0];
		if (isSkipping) {
			const [word] = /^[^ \t\n]*/.exec(text);
			isSkipping = word.length === text.length;
			return [word.length, ''];
		}
		if (fence)
			return code(text, isFull);
		if (isLineStart) {
			const found = FENCE.exec(text), isWhole = found && (found[0].endsWith('\n') || isLast);
			if (!isWhole && !isFull && (OPEN_FENCE.test(text) || OPEN_TASK.test(text)))
				return null;
			isLineStart = false;
			const [task] = TASK.exec(text) ?? [];
			if (task)
				return [task.length, task];
			const depth = found ? found[1].split('>').length - 1 : 0;
			if (isWhole && depth <= 8) {
				fence = { mark: found[2] ?? found[4], depth, indent: found[1].length - found[1].lastIndexOf('>') - 1 };
				isLineStart = true;
				return [found[0].length, `${fence.mark}${/^[\w+#.-]*/.exec((found[3] ?? found[5]).trim())[0].slice(0, 32)}\n`];
			}
		}
		if (c === '\n') {
			isLineStart = true;
			return [1, c];
		}
		const [raw] = /^[ \t|]*/.exec(text);
		if (raw !== '')
			return [raw.length, raw];
		if (c === '`') {
			const found = SPAN.exec(text), isWhole = found && (isLast || found[0].length < text.length);
			if (!isWhole && !isFull && !text.includes('\n'))
				return null;
			const [run] = /^`*/.exec(text);
			return isWhole ? spanOf(found) : [run.length, entities(run)];
		}
		if (c === '[' || (c === '!' && (text[1] === '[' || (text.length === 1 && !isFull)))) {
			const found = LINK.exec(text);
			if (!found && !isFull && OPEN.test(text))
				return null;
			return (found && linkOf(found)) ?? [1, entities(c)];
		}
		if (c === '<') {
			const found = AUTOLINK.exec(text), target = found && targetOf('link', found[1]);
			if (!found && !isFull && OPEN_AUTOLINK.test(text))
				return null;
			return target ? [found[0].length, target] : [1, '&lt;'];
		}
		const [word] = CHUNK.exec(text) ?? (c === ']' ? [c] : WORD.exec(text));
		if (c === ']')
			return [1, entities(c)];
		if (word.length < text.length || isLast || CHUNK.test(word))
			return [word.length, word.endsWith('\\') && text[word.length] === '\n' && !/\\\\$/.test(word) ? `${wordOf(word.slice(0, -1))}\\` : wordOf(word)];
		if (!isFull)
			return null;
		isSkipping = true; // too long to be judged
		return [word.length, `${codeOf(/^.{0,64}/su.exec(decoded(word))[0])}\u2026`];
	};
	const run = isLast => {
		let made = '', at = 0;
		for (let step; at < held.length; at += step[0]) {
			const text = held.slice(at, at + LIMIT), isCode = fence !== null;
			step = next(text, isLast && at + LIMIT >= held.length);
			if (step === null)
				break;
			made += isCode ? step[1] : join(last, step[1]).slice(last.length);
			last = step[1].slice(-1) || last;
		}
		held = held.slice(at);
		return made;
	};
	const add = (piece, isLast) => {
		if (isClosed)
			throw new Error('urivet: the stream is closed');
		if (typeof piece !== 'string')
			throw new TypeError('urivet: a piece of Markdown is a string');
		const text = carried + piece, isCut = !isLast && /[\r\ud800-\udbff]$/.test(text);
		carried = isCut ? text.slice(-1) : '';
		held += (isCut ? text.slice(0, -1) : text).replace(/\r\n?/g, '\n').replace(/[\0-\x08\v\f\x0e-\x1f\x7f-\x9f\u2028\u2029]/g, ' ').replace(/\p{Surrogate}/gu, '\ufffd');
		isClosed = isLast;
		return run(isLast);
	};
	return {
		push: piece => add(piece, false),
		end: () => add('', true) + (fence ? `${isLineStart ? '' : '\n'}${closed()}` : ''),
	};
}
