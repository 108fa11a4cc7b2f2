// SPDX-License-Identifier: Apache-2.0
// The playground: what is typed is judged at each key stroke, and shown as text.
import { load } from './engine.mjs';
import { CHECKS, INSTEAD, astray, hostToAllow, withHost } from './checks.js';
import { $, announce, copy, el, fill } from './dom.js';
import { EXAMPLES } from './examples.js';
import { readState, writeState } from './state.js';
import { cellsOf, lettersOf, ruler, shownText, unescape } from './text.js';
import { YamlError, placeOf, readYaml } from './yaml.js';

const READERS = {
	browser: ['Browsers', 'the WHATWG URL Standard: Chrome, Firefox, Safari, Node'],
	resolver: ['C programs', 'the host as inet_aton and getaddrinfo take it'],
	regex: ['Many libraries', 'the regular expression of RFC 3986, appendix B'],
	rfc3986: ['Strict parsers', 'RFC 3986, the standard of 2005'],
	'uri-2003': ['Draft of 2003', 'before RFC 3986'],
	'uri-1997': ['Draft of 1997', 'before RFC 2396'],
	'url-1997': ['URL draft of 1997', 'of the same year'],
	'url-1996': ['Draft of 1996', 'after RFC 1738'],
};
const CURRENT = 4; // of them are in use; the others are drafts of older standards
const PARTS = ['scheme', 'userinfo', 'host', 'port', 'path', 'query', 'fragment'];
const PART_WORDS = {
	scheme: 'the protocol', userinfo: 'a user name, sent along', host: 'the server', port: 'the port of the server',
	path: 'the page', query: 'parameters for the server', fragment: 'a place in the page',
};
// Notes about how a name looks. They refuse in no built-in policy; the playground shows them as a caution.
const LOOKS = ['idn-mixed-script', 'idn-whole-script-confusable', 'idn-digit-lookalike', 'idn-dangerous-pattern'];
const POLICIES = ['strict', 'public', 'gateway'];
const MOST_READ = 65536, MOST_ROWS = 500;
const HALF = /\p{Surrogate}/u;

let engine, looks, own = null;
const findingLink = id => el('a', { href: `findings/${id}.html` }, id);

// ---- What is judged

// { text, octets, isRequest, half }: a string as it was typed, or octets where escapes are read.
function inputOf(state) {
	const { escapes, kind } = state, octets = escapes ? unescape(state.text) : new TextEncoder().encode(state.text);
	return { text: escapes ? octets : state.text, octets, isRequest: kind === 'request', half: !escapes && HALF.test(state.text) };
}

function requestOf({ method, host, noHost }) {
	return { method: method || 'GET', host: noHost ? undefined : host };
}

const judge = (by, input, state) => input.isRequest ? by.checkRequest(input.text, requestOf(state)) : by.check(input.text);

const refusing = report => report.findings.filter(({ refuses }) => refuses);

// ---- The verdict

const RANK = ['dangerous', 'ambiguous', 'policy', 'malformed'];
// What a person has to know first stands before the rest of its class.
const FIRST = ['userinfo-misleading', 'addr-metadata'];
const rankOf = ({ id, class: kind }) => FIRST.includes(id) ? -1 : RANK.indexOf(kind);
const worst = report => refusing(report).sort((a, b) => rankOf(a) - rankOf(b))[0];

const octetsIn = text => new TextEncoder().encode(text);
const shownString = text => shownText(octetsIn(text));
const goesTo = ({ components, host, port }) => `${shownString(components.host)}${host.address && host.address !== components.host ? ` (${host.address})` : ''}${port ? `, port ${port}` : ''}`;

function destinations(reads) {
	const groups = new Map(), order = Object.keys(READERS);
	for (const reading of [...reads].sort((a, b) => order.indexOf(a.reader) - order.indexOf(b.reader)).filter(({ reads: does, components }) => does && components.host)) {
		const key = goesTo(reading).toLowerCase().replace(/^.*\((.*?)\)/, '$1');
		groups.set(key, [...groups.get(key) ?? [], reading]);
	}
	return [...groups.values()];
}

const nameOf = reader => READERS[reader]?.[0] ?? reader;
const inSentence = (name, k) => k === 0 || name.startsWith('C ') ? name : name.charAt(0).toLowerCase() + name.slice(1);

function listOf(names) {
	return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

// A link that strict accepts: what else a person should know, or null.
function cautionOf(open, look) {
	if (look)
		return { class: 'caution', title: 'Take care: programs agree, people may not', reasons: [engine.explain(look.id).text] };
	if (open.ok)
		return null;
	const first = worst(open), inside = refusing(open).some(({ id }) => id.startsWith('addr-'));
	return { class: 'caution', title: inside ? 'Take care: it leads inside a network' : 'Take care: fine to show, not to fetch',
		reasons: ['Every program reads it alike.', first ? engine.explain(first.id).text : ''] };
}

function verdictOf(state, input, report, reads, pair, look, open) {
	if (state.text === '')
		return { class: 'empty', title: 'Paste a link', reasons: [el('span', {}, 'Or try one: ', STARTERS.map(({ title, ...row }, k) => [k ? ', ' : '', el('button', { type: 'button', class: 'link', onclick: () => choose(row) }, title)]))] };
	if (input.half)
		return { class: 'reject', title: 'Refused: this is no text', reasons: ['Half of a surrogate pair stands in it, which no program can store as a character.'] };
	if (pair) {
		const groups = destinations(reads.filter(({ reader }) => ['browser', 'resolver', 'rfc3986', 'regex'].includes(reader)));
		return {
			class: 'reject', title: groups.length > 1 ? 'Refused: programs go to different places' : 'Refused: programs read it differently',
			reasons: [...groups.map(group => el('span', {}, `${listOf(group.map(({ reader }, k) => inSentence(nameOf(reader), k)))} go to `,
				el('b', {}, goesTo(group[0])), '.')), 'A filter that checks one host does not stop a program that connects to the other.'],
		};
	}
	if (!report.ok) {
		const first = worst(report);
		const why = first ? engine.explain(first.id).text : '';
		if (first?.id === 'userinfo-misleading')
			return { class: 'reject', title: 'Refused: it does not go where it seems to', reasons: [el('span', {}, 'It seems to lead to ', el('b', {}, /^[\w.-]+/.exec(first.text)?.[0] ?? shownString(first.text)), '. Programs take that for a user, and go to ',
				el('b', {}, shownString(report.components.host ?? reads.find(({ reads: does }) => does)?.components.host ?? 'what stands after the @')), '.'), why] };
		if (refusing(report).some(({ id }) => id === 'not-absolute') && /^[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:[/?#]|$)/.test(state.text))
			return { class: 'reject', title: 'A link begins with https://', reasons: [el('span', {}, 'Browsers add what is missing, other programs do not. ', el('button', { type: 'button', class: 'link', id: 'with-scheme', onclick: () => set({ ...state, text: `https://${state.text}` }) }, `Judge https://${state.text.slice(0, 80)}`))] };
		const titles = { dangerous: 'Refused: it is built like an attack', ambiguous: 'Refused: programs may read it differently', policy: 'Refused: it leads where it must not', malformed: 'Refused: it is not a valid link' };
		return { class: 'reject', title: titles[first?.class] ?? 'Refused', reasons: [why] };
	}
	const caution = input.isRequest ? null : cautionOf(open, look);
	if (caution)
		return caution;
	const { host, scheme } = report.components;
	return { class: 'accept', title: 'Accepted: every program reads it alike',
		reasons: [input.isRequest ? 'Servers and proxies find the same path.' : el('span', {}, 'It goes to ', el('b', {}, host ?? 'no host'), ` by ${scheme}. Whether to trust ${host ? 'this host' : 'it'} is yours to say.`)] };
}

function reasonOf(report) {
	const ids = refusing(report).map(({ id }) => id);
	return ids.length === 0 ? '' : ids.length === 1 ? ids[0] : `${worst(report).id} and ${ids.length - 1} more`;
}

function showVerdict(verdict, suggestion, judged) {
	const box = $('verdict');
	box.className = `verdict ${verdict.class}`;
	fill('verdict', el('h2', {}, verdict.title), verdict.reasons.map(reason => el('p', {}, reason)),
		suggestion === null ? null : el('p', { class: 'instead' }, 'Write instead: ', el('code', { id: 'suggestion' }, suggestion), ' ',
			el('button', { type: 'button', id: 'copy', onclick: ({ target }) => copy(suggestion, target) }, 'Copy')),
		judged.length ? el('ul', { class: 'chips', 'aria-label': 'Verdicts by policy' }, judged.map(({ name, what, report }) => el('li', { class: `chip ${report.ok ? 'accept' : 'reject'}`, 'data-policy': name },
			el('b', {}, name), report.ok ? ' ✓ accepts' : ' ✗ refuses ', report.ok ? null : el('small', {}, reasonOf(report))))) : null,
		judged.length ? el('p', { class: 'soft' }, judged.map(({ name, what }) => `${name}: ${what}`).join(' · ')) : null);
	announce(verdict.title);
}

// ---- The text, its components and findings

let columnWidth = 0;
function columnsOf(element) {
	if (!columnWidth) {
		const probe = el('span', { class: 'octets probe' }, '0'.repeat(100));
		element.append(probe);
		columnWidth = probe.getBoundingClientRect().width / 100;
		probe.remove();
	}
	return Math.max(16, Math.floor((element.clientWidth - 4) / columnWidth));
}

function partAt(places, where) {
	return octet => PARTS.find(part => places[part]?.in === where && octet >= places[part].start && octet < places[part].end) ?? '';
}

function showText(state, input, report) {
	const places = report.parsed || input.isRequest ? engine.placesOf(report) : engine.placesByRegex(input.octets.subarray(0, MOST_READ));
	const columns = columnsOf($('ruler')), ofInput = report.findings.filter(each => each.in === 'input'), ofHost = report.findings.filter(each => each.in === 'host');
	const lines = [ruler(input.octets, partAt(places, 'input'), ofInput, columns)];
	if (input.isRequest && !state.noHost)
		lines.push(el('div', { class: 'soft' }, 'Host field'), ruler(new TextEncoder().encode(state.host), partAt(places, 'host'), ofHost, columns));
	const hidden = input.octets.length - (cellsOf(input.octets).at(-1)?.end ?? 0);
	fill('ruler', lines, hidden > 0 ? el('p', { class: 'soft' }, `… and ${hidden.toLocaleString('en')} more octets`) : null);
	const octetsOf = place => (place.in === 'host' ? new TextEncoder().encode(state.host) : input.octets).subarray(place.start, place.end);
	fill('parts', PARTS.filter(part => places[part]).map(part => el('div', { class: 'part-row' }, el('dt', { class: `part-${part}` }, part), el('dd', {},
		el('code', {}, places[part].start === places[part].end ? '(empty)' : shownText(octetsOf(places[part]))), ' ', el('small', {}, PART_WORDS[part])))));
	$('parts-note').textContent = report.parsed || state.text === '' ? '' : 'By the standard this has no components. It is coloured as the regular expression of RFC 3986, appendix B, splits it.';
}

function showFindings(report) {
	const rows = report.findings.map(finding => {
		const { text, reference } = engine.explain(finding.id);
		return el('li', { class: `finding ${finding.class}`, 'data-id': finding.id }, el('h3', {}, findingLink(finding.id), ' ',
			el('span', { class: `tag ${finding.class}` }, finding.refuses ? '✗ refused: ' : '', finding.class)),
		el('p', {}, text), el('p', { class: 'soft' }, `${finding.in === 'host' ? 'Host field, octet' : 'Octet'} ${finding.start + 1}${finding.end > finding.start + 1 ? `–${finding.end}` : ''}`,
			finding.count > 1 ? `, ${finding.count} times` : '', finding.end > finding.start ? [': ', el('code', {}, shownString(finding.text).slice(0, 120))] : '', ` · ${reference}`));
	});
	fill('findings', rows.length ? el('ul', { class: 'plain' }, rows) : el('p', { class: 'soft' }, 'Nothing was found.'));
	if (report.dropped > 0)
		$('findings').append(el('p', { class: 'soft' }, `${report.dropped} more findings have no room.`));
}

// ---- Readers side by side

const COLUMNS = [
	['scheme', r => r.components.scheme], ['userinfo', r => r.components.userinfo], ['host', r => r.components.host],
	['connects to', r => r.components.host === null || r.components.host === '' ? 'nothing' : r.host.address ?? (r.host.kind === 'name' ? 'by name' : r.host.kind)], ['port', r => r.port],
	['path', r => r.components.path], ['query', r => r.components.query], ['fragment', r => r.components.fragment],
];
const normal = (column, value) => column === 'scheme' || column === 'host' ? String(value ?? '').toLowerCase() : column === 'path' && value === '' ? '/'
	: column === 'userinfo' ? String(value ?? '').replace(/%([\dA-F]{2})/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16))) : String(value ?? '');

function showReaders(reads, pair) {
	const order = Object.keys(READERS), sorted = [...reads].sort((a, b) => order.indexOf(a.reader) - order.indexOf(b.reader)), able = sorted.filter(each => each.reads);
	const columns = COLUMNS.filter(([, of]) => able.some(each => of(each) !== null && of(each) !== ''));
	const groups = columns.map(([column, of]) => [...new Set(able.map(each => normal(column, of(each))))]);
	const differing = columns.filter((_, k) => groups[k].length > 1).map(([column]) => column);
	fill('readers-note', able.length === 0 ? 'Every reader refuses this text.' : differing.length === 0 ? `${able.length} of ${reads.length} readers read it, all alike.`
		: `${able.length} of ${reads.length} readers read it. They differ in ${listOf(differing)}: ≠ marks what browsers do not read.`,
	pair ? ` ${nameOf(pair[0])} and ${inSentence(nameOf(pair[1]), 1)} do not reach the same place.` : '');
	const cell = (each, k) => {
		const [column, of] = columns[k], value = of(each), differs = groups[k].length > 1 && normal(column, value) !== groups[k][0];
		const shown = value === null ? el('span', { class: 'soft' }, '–') : value === '' ? el('span', { class: 'soft' }, 'empty') : column === 'connects to' ? value : shownString(String(value));
		return el('td', { class: differs ? 'differs' : null, 'data-label': column }, differs ? [el('span', { 'aria-hidden': 'true' }, '≠ '), el('span', { class: 'hear' }, 'differs: ')] : null, el('span', { class: 'value' }, shown));
	};
	const table = some => el('table', { class: 'readers' }, el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, 'reader'), columns.map(([column], k) => el('th', { scope: 'col' }, column, groups[k].length > 1 ? ' ≠' : '')))),
		el('tbody', {}, some.map(each => el('tr', { class: each.reads ? null : 'silent', 'data-reader': each.reader }, el('th', { scope: 'row', title: each.reader }, nameOf(each.reader), el('small', {}, READERS[each.reader]?.[1])),
			each.reads ? columns.map((_, k) => cell(each, k)) : el('td', { colspan: String(Math.max(columns.length, 1)), 'data-label': 'reads' }, 'refuses it')))));
	const isDraft = ({ reader }) => order.indexOf(reader) >= CURRENT, drafts = sorted.filter(isDraft), silent = drafts.filter(each => !each.reads).length;
	fill('readers', table(sorted.filter(each => !isDraft(each))), el('details', { open: $('readers').querySelector('details')?.open }, el('summary', {}, `${drafts.length} drafts of older standards`,
		silent === drafts.length ? ', which refuse it' : silent > 0 ? `, of which ${silent} refuse it` : ''), table(drafts)));
}

// ---- What a person sees

const CHARACTERS = {
	'202A': 'left-to-right embedding', '202B': 'right-to-left embedding', '202C': 'end of embedding', '202D': 'left-to-right override', '202E': 'right-to-left override: what follows is shown backwards',
	2066: 'left-to-right isolate', 2067: 'right-to-left isolate', 2068: 'isolate', 2069: 'end of isolate', '200B': 'space without width', '200C': 'non-joiner', '200D': 'joiner', '200E': 'left-to-right mark',
	'200F': 'right-to-left mark', '00AD': 'soft hyphen', FEFF: 'byte order mark', '3000': 'wide space', '00A0': 'no-break space',
};

function showSeen(input, reads, look) {
	const text = new TextDecoder().decode(input.octets.subarray(0, MOST_READ)), browser = reads.find(({ reader }) => reader === 'browser');
	const unseen = [...new Set(cellsOf(input.octets).filter(cell => cell.unseen).map(({ shown }) => shown))];
	const safe = input.isRequest || input.octets.length > MOST_READ ? '' : engine.displayText(input.octets, engine.policy('strict'));
	const rows = [['As it is shown', el('bdi', { class: 'seen' }, text.slice(0, 600))]];
	if (safe && safe !== text)
		rows.push(['As a careful program shows it', el('bdi', { class: 'seen' }, safe.slice(0, 600))]);
	const letters = browser?.reads && browser.components.host ? lettersOf(browser.components.host) : null;
	if (letters && !text.includes(letters))
		rows.push(['The host, in the letters of programs that are less careful', el('bdi', { class: 'seen' }, letters)]);
	if (browser?.reads && browser.components.host && !text.includes(browser.components.host))
		rows.push(['The host, in letters that are looked up', el('code', {}, browser.components.host)]);
	if (unseen.length)
		rows.push(['Characters that are not seen', el('ul', { class: 'plain' }, unseen.slice(0, 12).map(shown => el('li', {}, el('code', {}, shown), ' ', CHARACTERS[shown.slice(2)] ?? '')))]);
	if (look)
		rows.push(['Look-alikes', el('span', {}, findingLink(look.id), ': ', engine.explain(look.id).text)]);
	fill('seen', el('dl', { class: 'seen-rows' }, rows.map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value)))),
		rows.length === 1 ? el('p', { class: 'soft' }, 'A person sees what programs read: no hidden characters, no other letters.') : null);
}

// ---- The allowlist tester

function showChecks(state, input, report, reads) {
	const host = hostToAllow(state.allow), text = new TextDecoder().decode(input.octets);
	$('allow').setAttribute('aria-invalid', host === null ? 'true' : 'false');
	if (host === null || input.isRequest || state.text === '' || input.octets.length > MOST_READ) {
		fill('checks', el('p', { class: 'soft' }, host === null ? 'Name one host: letters, digits, hyphens and dots.' : input.isRequest ? 'Checks like these are about links, not about request targets.' : 'Type a link above.'));
		return;
	}
	const away = astray(reads.filter(({ reader }) => ['browser', 'resolver', 'regex', 'rfc3986'].includes(reader)), host);
	const reached = reads.some(({ reads: does, components }) => does && components.host !== null) && away.length === 0;
	const rows = CHECKS.map(each => {
		const passes = each.passes(text, host);
		return { ...each, state: !passes ? 'stops' : away.length ? 'fooled' : reached ? 'right' : 'nowhere' };
	});
	const fooled = rows.filter(row => row.state === 'fooled').length, words = { stops: 'stops it', fooled: '✗ fooled', right: 'lets it pass, rightly', nowhere: 'lets it pass; no reader goes anywhere' };
	const places = new Map();
	for (const { reader, host: other, scheme } of away.sort((a, b) => Object.keys(READERS).indexOf(a.reader) - Object.keys(READERS).indexOf(b.reader))) {
		const place = other === null ? `${scheme ?? 'no scheme'}, no host` : shownString(other);
		places.set(place, [...places.get(place) ?? [], reader]);
	}
	const where = [...places].map(([place, readers]) => el('li', {}, `${listOf(readers.map((reader, k) => inSentence(nameOf(reader), k)))}: `, el('code', {}, place)));
	const ours = engine.policyOf({ base: 'strict', hosts: { allow: [{ name: `.${host}`, shared: true }] } }).check(input.text);
	fill('checks', el('p', { id: 'fooled' }, away.length ? el('b', {}, `${fooled} of ${rows.length} checks are fooled.`) : `No check is fooled: ${reached ? `every reader stays at ${host}` : 'no reader goes anywhere'}.`,
		away.length ? ' Programs that read it go elsewhere:' : ''), away.length ? el('ul', {}, where) : null,
	el('table', { class: 'checks' }, el('thead', {}, el('tr', {}, ['check', 'this link', 'why it is not enough'].map(head => el('th', { scope: 'col' }, head)))),
		el('tbody', {}, rows.map(row => el('tr', { 'data-state': row.state }, el('th', { scope: 'row' }, el('code', {}, withHost(row.code, host)), el('small', {}, row.language)), el('td', { class: row.state, 'data-label': 'this link' }, words[row.state]),
			el('td', { class: 'soft', 'data-label': 'why' }, withHost(row.why, host)))),
		el('tr', { class: 'ours', 'data-state': ours.ok ? 'right' : 'stops' }, el('th', { scope: 'row' }, el('code', {}, `hosts: {allow: [.${host}]}`), el('small', {}, 'urivet, any language')), el('td', { class: ours.ok ? 'right' : 'stops', 'data-label': 'this link' }, ours.ok ? 'lets it pass, rightly' : 'stops it'),
			el('td', { class: 'soft', 'data-label': 'why' }, 'Accepts only what all readers read alike, then compares the host.')))),
	el('h3', {}, 'Write instead'), el('ul', { class: 'plain' }, INSTEAD.map(each => el('li', {}, el('code', {}, withHost(each.code, host)), ' ', el('small', {}, `${each.language}, ${each.note}`)))));
}

// ---- A policy in YAML

function readOwn(yaml) {
	try {
		const document = readYaml(yaml), { value, places } = document;
		if (value.mode !== undefined && value.mode !== 'enforce' && value.mode !== 'observe')
			return { problems: [{ ...places.get('mode'), text: 'mode is enforce or observe' }] };
		delete value.mode;
		if (value.include !== undefined)
			return { problems: [{ ...places.get('include'), text: 'this page reads one text, and no other file' }] };
		try {
			return { policy: engine.policyOf(value), problems: [] };
		} catch (error) {
			const problems = error.problems?.length ? error.problems : [{ at: '', text: error.message }];
			const inLine = text => text.replaceAll(/\bat ([a-z][\w.[\]]*)/g, (all, path) => places.has(path) ? `in line ${places.get(path).line}` : all);
			return { problems: problems.map(each => ({ ...placeOf(document, each), text: inLine(each.text) })) };
		}
	} catch (error) {
		if (!(error instanceof YamlError))
			throw error;
		return { problems: [{ line: error.line, column: error.column, text: error.message }] };
	}
}

function showOwn(yaml) {
	own?.close();
	const { policy, problems } = readOwn(yaml);
	own = policy ?? null;
	$('policy').setAttribute('aria-invalid', String(problems.length > 0));
	fill('problems', problems.map(({ line, column, text }) => el('li', {}, el('code', {}, `${line}:${column}`), ` ${text}`)));
	if (problems.length)
		announce(`The policy has a fault in line ${problems[0].line}`);
}

// The editor's policy counts once it was opened, or came with the link.
const isOwn = () => own !== null && ($('own').firstElementChild.open || $('policy').value !== usualYaml);

// ---- Many lines

function showMany(lines, state) {
	const policies = [...POLICIES.map(name => [name, engine.policy(name)]), ...isOwn() ? [['yours', own]] : []];
	const bits = new Map(policies.map(([name, policy]) => [name, policy.checkMany(lines)]));
	const rows = lines.slice(0, MOST_ROWS).map((line, k) => {
		const report = engine.policy('strict').check(line), ids = refusing(report.ok ? engine.policy('public').check(line) : report).map(({ id }) => id);
		const suggestion = report.ok || HALF.test(line) || line.length > MOST_READ ? null : report.suggestion;
		return el('tr', { 'data-row': String(k) }, el('td', {}, String(k + 1)), policies.map(([name]) => {
			const ok = bits.get(name).at(k);
			return el('td', { class: ok ? 'accept' : 'reject', 'data-policy': name }, ok ? '✓' : '✗', el('span', { class: 'hear' }, ok ? ' accepted' : ' refused'));
		}), el('th', { scope: 'row' }, el('button', { type: 'button', class: 'link', onclick: () => set({ ...state, text: line, whole: false }) }, shownString(line.slice(0, 300)) || '(empty)')),
		el('td', {}, ids.slice(0, 3).flatMap((id, n) => [n ? ', ' : '', findingLink(id)]), ids.length > 3 ? ` and ${ids.length - 3} more` : ''), el('td', {}, suggestion === null ? '' : el('code', {}, suggestion.slice(0, 300))));
	});
	fill('many', el('p', {}, `${lines.length.toLocaleString('en')} lines: `, policies.map(([name], k) => `${k ? '; ' : ''}${name} accepts ${bits.get(name).accepted.toLocaleString('en')}`), '.',
		lines.length > MOST_ROWS ? ` The first ${MOST_ROWS} are shown.` : ''),
	el('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Table of lines' }, el('table', { class: 'many' }, el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, 'line'), policies.map(([name]) => el('th', { scope: 'col' }, name)),
		['link', 'refused because of', 'write instead'].map(head => el('th', { scope: 'col' }, head)))), el('tbody', {}, rows))));
	announce(`${lines.length} lines`);
}

// ---- All of it

function render() {
	const state = readForm(), lines = state.text.split('\n'), isMany = !state.whole && state.kind === 'link' && !state.escapes && lines.filter(Boolean).length > 1;
	document.body.classList.toggle('is-many', isMany);
	document.body.classList.toggle('is-request', state.kind === 'request');
	document.body.classList.toggle('is-empty', state.text === '');
	$('whole-row').hidden = lines.length < 2;
	$('one').hidden = isMany || state.text === '';
	$('many').hidden = !isMany;
	$('share').disabled = state.text.length > MOST_SHARED;
	document.title = state.text && !isMany ? `${state.text.slice(0, 60).replace(/[^\x20-\x7e]/g, '?')} - urivet` : 'urivet: who reads what';
	if (isMany) {
		showVerdict({ class: 'empty', title: 'Many lines', reasons: ['One link a line. Choose one to see why.'] }, null, []);
		showMany(lines.filter(Boolean), state);
		return;
	}
	const input = inputOf(state), base = input.isRequest ? 'gateway' : 'strict', report = judge(engine.policy(base), input, state), isShort = input.octets.length <= MOST_READ;
	const octets = input.half ? input.octets : input.text, reads = input.isRequest || !isShort ? [] : engine.readings(octets), pair = reads.length ? engine.disagreement(octets) : null;
	const look = isShort && !input.isRequest ? looks.check(input.octets).findings.find(({ id }) => LOOKS.includes(id)) : undefined;
	const whats = { strict: 'programs read it alike', public: 'it also leads to a public host', gateway: 'servers and proxies also see the same path', yours: 'the policy below' };
	const judged = state.text === '' ? [] : [...POLICIES.map(name => [name, engine.policy(name)]), ...isOwn() ? [['yours', own]] : []].map(([name, policy]) => ({ name, what: whats[name], report: judge(policy, input, state) }));
	const suggestion = input.half || input.isRequest || !isShort || state.text === '' ? null : engine.policy('strict').suggest(input.text);
	const open = judged.find(({ name }) => name === 'public')?.report;
	showVerdict(verdictOf(state, input, report, reads, pair, look, open), suggestion !== null && suggestion !== state.text ? suggestion : null, judged);
	if (state.text === '')
		return;
	const shownReport = report.ok && !input.isRequest ? open : report;
	showText(state, input, shownReport);
	showFindings(shownReport);
	$('readers-section').hidden = input.isRequest;
	if (!input.isRequest && isShort)
		showReaders(reads, pair);
	else
		fill('readers', el('p', { class: 'soft' }, 'It is too long to compare readers here; the command does.'));
	showSeen(input, reads, look);
	showChecks(state, input, report, reads);
}

// ---- The form

const FIELDS = { text: 'input', allow: 'allow', yaml: 'policy', host: 'host', method: 'method' };
const FLAGS = { escapes: 'escapes', whole: 'whole', noHost: 'no-host' };

function readForm() {
	const state = { kind: $('kind-request').checked ? 'request' : 'link', usualYaml };
	for (const [name, id] of Object.entries(FIELDS))
		state[name] = $(id).value;
	for (const [name, id] of Object.entries(FLAGS))
		state[name] = $(id).checked;
	return state;
}

const usualYaml = $('policy').value, MOST_SHARED = 8192;
let lastYaml = null, frame = 0;
function update() {
	frame = 0;
	const yaml = $('policy').value;
	if (yaml !== lastYaml)
		showOwn(yaml);
	lastYaml = yaml;
	$('input').rows = Math.min(8, Math.max(2, $('input').value.split('\n', 8).length));
	render();
	document.body.dataset.renders = String(Number(document.body.dataset.renders ?? 0) + 1);
}
const soon = () => { frame ||= requestAnimationFrame(update); };

function set(state) {
	for (const [name, id] of Object.entries(FIELDS))
		if (state[name] !== undefined)
			$(id).value = state[name];
	for (const [name, id] of Object.entries(FLAGS))
		$(id).checked = state[name] === true;
	$(state.kind === 'request' ? 'kind-request' : 'kind-link').checked = true;
	update();
	$('input').focus({ preventScroll: false });
}

const STARTERS = [0, 1, 2].map(k => EXAMPLES[k].rows[0]);

function choose(row) {
	set({ text: row.input, escapes: row.escapes, kind: row.target ? 'request' : 'link', host: row.host ?? 'example.com', method: 'GET', whole: false });
	history.replaceState(null, '', writeState(readForm()));
	document.documentElement.scrollTop = 0;
}

function showExamples() {
	fill('examples', EXAMPLES.map(({ group, rows }) => el('div', { class: 'group' }, el('h2', {}, group), el('ul', {}, rows.map(row => el('li', {}, el('button', { type: 'button', class: 'example', 'data-example': row.title,
		onclick: () => choose(row) }, row.title)))))));
}

async function start() {
	showExamples();
	for (const name of ['examples-open', 'own'])
		$(name).hidden = false;
	try {
		engine = await load();
	} catch (error) {
		$('verdict').className = 'verdict reject';
		fill('verdict', el('h2', {}, 'The playground cannot run here'), el('p', {}, `It needs WebAssembly: ${error.message}.`),
			el('p', {}, el('a', { href: 'findings/index.html' }, 'The catalogue of findings'), ' and the documentation work without it.'));
		document.body.dataset.state = 'failed';
		return;
	}
	looks = engine.policyOf({ base: 'any', refuse: LOOKS });
	const isShared = location.hash.includes('='), restore = () => set(readState(location.hash, { text: '', allow: $('allow').value, yaml: $('policy').value, host: 'example.com', method: 'GET', kind: 'link' }));
	document.addEventListener('input', soon);
	// Nothing is drawn at `change`: it comes between the two halves of a click, and would take the button away.
	document.addEventListener('change', () => {
		if (location.hash.includes('=') && $('input').value.length <= MOST_SHARED)
			history.replaceState(null, '', writeState(readForm()));
	});
	addEventListener('hashchange', () => location.hash.includes('=') && restore());
	$('own').firstElementChild.addEventListener('toggle', soon);
	addEventListener('resize', () => { columnWidth = 0; soon(); });
	$('share').addEventListener('click', ({ target }) => {
		history.replaceState(null, '', writeState(readForm()));
		copy(location.href, target);
	});
	$('clear').addEventListener('click', () => set({ text: '', escapes: false, whole: false, kind: 'link' }));
	$('version').textContent = engine.version;
	document.body.dataset.state = 'ready';
	restore();
	if (!isShared) { // a first visit: an example, which the next key stroke replaces
		set({ text: STARTERS[0].input });
		$('input').select();
	}
}
start();
