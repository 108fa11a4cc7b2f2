// SPDX-License-Identifier: Apache-2.0
// Reads the YAML of policy files, as urivet-policy(5) describes it, and nothing else of YAML: what two readers of YAML may
// read differently is an error with line and column.

const REFUSED_START = '*&!@%|>[]{}#,`"\'';
// What some editions of YAML take for a flag, a number or nothing.
const ELSEWHERE = /^(?:y|n|yes|no|on|off|true|false|null|~|[-+]?\.(?:inf|nan)|[-+]\d.*|0\d+|0[xob][\da-f_]+|\d[\d_]*_[\d_]*|\d+\.\d*|\d[\d.]*e[-+]?\d+|\d+(?::[0-5]?\d)+)$/i;
const MOST_DEPTH = 8;

export class YamlError extends Error {
	constructor(message, line, column) {
		super(message);
		Object.assign(this, { line, column });
	}
}

class Reader {
	constructor(text) {
		this.text = text.replaceAll('\r\n', '\n');
		this.at = 0;
		this.depth = 0;
		this.places = new Map(); // of values
		this.keys = new Map();
	}
	place(at = this.at) {
		const start = this.text.lastIndexOf('\n', at - 1) + 1;
		return { line: this.text.slice(0, start).split('\n').length, column: at - start + 1 };
	}
	fail(message, at = this.at) {
		const { line, column } = this.place(at);
		throw new YamlError(message, line, column);
	}
	checkCharacters() {
		const bad = /[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]|\p{Surrogate}/u.exec(this.text);
		if (bad)
			this.fail('a control, a line separator, a byte order mark or half a surrogate', bad.index);
		const tab = /^ *\t/m.exec(this.text);
		if (tab)
			this.fail('a tab in front of a line: indent with spaces', tab.index + tab[0].length - 1);
		this.text = this.text.replace(/^((?: *(?:#.*)?\n)*)--- *(?=\n|$)/, (_, before) => `${before}   `); // begins the only document
		const document = /^(?:---|\.\.\.|%)/m.exec(this.text);
		if (document)
			this.fail('a directive or another document: a policy is one document', document.index);
	}
	indent(at = this.at) {
		return at - this.text.lastIndexOf('\n', at - 1) - 1;
	}
	// Skips blanks, comments and line ends. Returns false at the end of the text.
	skipLines() {
		const { text } = this;
		for (;;) {
			while (text[this.at] === ' ' || text[this.at] === '\n' || text[this.at] === '\t')
				this.at++;
			if (text[this.at] !== '#')
				return this.at < text.length;
			if (this.at > 0 && !' \n\t'.includes(text[this.at - 1]))
				this.fail('a comment needs a space before its #');
			while (this.at < text.length && text[this.at] !== '\n')
				this.at++;
		}
	}
	skipBlanks() {
		while (this.text[this.at] === ' ' || this.text[this.at] === '\t')
			this.at++;
	}
	isLineEnd() {
		const octet = this.text[this.at];
		return octet === undefined || octet === '\n' || octet === '#' && ' \t\n'.includes(this.text[this.at - 1] ?? '\n');
	}
	endLine() {
		this.skipBlanks();
		if (!this.isLineEnd())
			this.fail('something stands after the value: put the text in quotes');
		while (this.at < this.text.length && this.text[this.at] !== '\n')
			this.at++;
	}
	quoted() {
		const quote = this.text[this.at], start = this.at++;
		let value = '';
		for (;; this.at++) {
			const octet = this.text[this.at];
			if (octet === undefined || octet === '\n')
				this.fail(`a text in quotes ends in its line: ${quote} is missing`, start);
			if (octet === quote && quote === "'" && this.text[this.at + 1] === "'") {
				value += "'";
				this.at++;
			} else if (octet === quote) {
				this.at++;
				return value;
			} else if (octet === '\\' && quote === '"') {
				value += this.escape();
			} else {
				value += octet;
			}
		}
	}
	escape() {
		const rest = this.text.slice(this.at, this.at + 6), code = /^\\(?:x([\dA-Fa-f]{2})|u([\dA-Fa-f]{4}))/.exec(rest);
		if (code) {
			this.at += code[0].length - 1;
			return String.fromCharCode(parseInt(code[1] ?? code[2], 16));
		}
		if (rest[1] !== '"' && rest[1] !== '\\')
			this.fail('an escape is one of \\" \\\\ \\xHH \\uHHHH');
		this.at++;
		return rest[1];
	}
	// A plain text: up to ": ", " #", the line's end, and in brackets up to one of , [ ] { }.
	plain(inBrackets) {
		const { text } = this, start = this.at, first = text[start];
		if (REFUSED_START.includes(first) || inBrackets && first === ':' || /^[-?:](?:\s|$)/.test(text.slice(start, start + 2)))
			this.fail(`a text that begins with ${first} needs quotes`);
		while (this.at < text.length) {
			const octet = text[this.at], next = text[this.at + 1] ?? '\n';
			if (octet === '\n' || octet === '#' && ' \t'.includes(text[this.at - 1]) || octet === ':' && (' \n\t'.includes(next) || inBrackets && ',[]{}'.includes(next)))
				break;
			if (inBrackets && ',[]{}'.includes(octet))
				break;
			this.at++;
		}
		return text.slice(start, this.at).trimEnd();
	}
	valueOf(word, at) {
		if (word === 'true' || word === 'false')
			return word === 'true';
		if (/^(?:0|[1-9]\d{0,14})$/.test(word))
			return Number(word);
		if (ELSEWHERE.test(word))
			this.fail(`"${word}" is a flag, a number or nothing for some readers of YAML: put it in quotes, or write true, false or decimal digits`, at);
		return word;
	}
	enter() {
		if (++this.depth > MOST_DEPTH)
			this.fail(`lists and groups are nested more than ${MOST_DEPTH} deep`);
	}
	scalar(inBrackets) {
		const start = this.at, octet = this.text[start];
		return octet === '"' || octet === "'" ? this.quoted() : this.valueOf(this.plain(inBrackets), start);
	}
	key(group, path, inBrackets) {
		const start = this.at, octet = this.text[start];
		const name = octet === '"' || octet === "'" ? this.quoted() : this.plain(inBrackets);
		this.skipBlanks();
		if (this.text[this.at] !== ':' || !/\s/.test(this.text[this.at + 1] ?? '\n'))
			this.fail(`"${name.slice(0, 40)}" is no key: a key is followed by a colon and a space`, start);
		if (name === '<<')
			this.fail('"<<" merges groups in YAML, which policy files do not have', start);
		if (Object.hasOwn(group, name))
			this.fail(`the key ${name} stands twice in its group`, start);
		this.at++;
		const inner = path === '' ? name : `${path}.${name}`;
		this.keys.set(inner, this.place(start));
		return { name, inner };
	}
	// A value in brackets, or a text.
	flow(path, inBrackets) {
		this.places.set(path, this.place());
		const open = this.text[this.at], start = this.at;
		if (open !== '[' && open !== '{')
			return this.scalar(inBrackets);
		const value = open === '[' ? [] : Object.create(null), close = open === '[' ? ']' : '}';
		this.enter();
		this.at++;
		for (;;) {
			if (!this.skipLines())
				this.fail(`${open} is not closed by ${close}`, start);
			if (this.text[this.at] === close)
				break;
			if (open === '[') {
				const inner = `${path}[${value.length}]`;
				value.push(this.flow(inner, true));
			} else {
				const { name, inner } = this.key(value, path, true);
				if (!this.skipLines() || ',}'.includes(this.text[this.at]))
					this.fail(`${name} has no value`);
				value[name] = this.flow(inner, true);
			}
			if (!this.skipLines())
				this.fail(`${open} is not closed by ${close}`, start);
			if (!`,${close}`.includes(this.text[this.at]))
				this.fail(`a comma or ${close} is missing`);
			if (this.text[this.at] === ',')
				this.at++;
		}
		this.at++;
		this.depth--;
		return value;
	}
	// What stands after a key or a dash: in this line, or indented below it.
	below(path, indent, isKey) {
		this.skipBlanks();
		if (!this.isLineEnd()) {
			const value = this.flow(path, false);
			this.endLine();
			const after = this.at;
			if (this.skipLines() && this.indent() > indent)
				this.fail('a text stands in one line, and a value after its key or below it');
			this.at = after;
			return value;
		}
		if (this.skipLines()) {
			const inner = this.indent();
			if (inner > indent || isKey && inner === indent && /^-(?:\s|$)/.test(this.text.slice(this.at, this.at + 2)))
				return this.block(path, inner);
		}
		return this.fail('there is no value here');
	}
	block(path, indent) {
		this.places.set(path, this.place());
		const isList = /^-(?:\s|$)/.test(this.text.slice(this.at, this.at + 2)), value = isList ? [] : Object.create(null);
		this.enter();
		do {
			if (this.indent() < indent)
				break;
			if (this.indent() > indent)
				this.fail('this line is indented otherwise than the one above it');
			const isItem = /^-(?:\s|$)/.test(this.text.slice(this.at, this.at + 2));
			if (isItem !== isList) {
				if (!isList)
					this.fail('an item of a list stands between keys');
				break;
			}
			if (isList)
				value.push(this.item(`${path}[${value.length}]`, indent));
			else {
				const { name, inner } = this.key(value, path, false);
				value[name] = this.below(inner, indent, true);
			}
		} while (this.skipLines());
		this.depth--;
		return value;
	}
	// The rest of the line, without its comment; a text in quotes may have one that is none.
	line() {
		const [line] = this.text.slice(this.at).split('\n', 1);
		return /^["']/.test(line) ? line : line.replace(/\s#.*/, '');
	}
	item(path, indent) {
		this.at++;
		this.skipBlanks();
		const isGroup = /^(?:"[^"\n]*"|'[^'\n]*'|[^\s"'[\]{},#&*!|>%@`][^\n]*?):(?:\s|$)/.test(this.line());
		return isGroup ? this.block(path, this.indent()) : this.below(path, indent, false);
	}
}

// Returns { value, places, keys }: plain objects, lists, texts, numbers and flags, and where each and its key stands, by its path
// such as `hosts.deny[2]`. Throws YamlError.
export function readYaml(text) {
	const reader = new Reader(text);
	reader.checkCharacters();
	if (!reader.skipLines())
		reader.fail('nothing is set here; a policy has at least one key, such as base: public');
	if (reader.text[reader.at] === '[' || /^-\s/.test(reader.text.slice(reader.at, reader.at + 2)))
		reader.fail('a list: a policy has keys with values, such as base: public');
	const isGroup = reader.text[reader.at] === '{', value = isGroup ? reader.flow('', false) : reader.block('', reader.indent());
	if (reader.skipLines())
		reader.fail('this line does not belong to the group above it');
	return { value, places: reader.places, keys: reader.keys };
}

const ABOUT_KEYS = /^unknown key|is empty[,;]|: schemes other than/;

// Where a problem stands that the loader found, given as { at, text }: at the key or at its value, as the command says it.
export function placeOf({ places, keys }, { at, text }) {
	return (ABOUT_KEYS.test(text) ? keys.get(at) : undefined) ?? places.get(at) ?? { line: 1, column: 1 };
}
