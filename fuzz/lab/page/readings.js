// SPDX-License-Identifier: Apache-2.0
// What readers make of the same input, and which two of them disagree how often; D holds the facts.

const STEPS = [[0, '0'], [0.01, '< 1'], [0.03, '1–3'], [0.06, '3–6'], [0.12, '6–12'], [0.25, '12–25'], [1, '> 25']];
const step = (share) => STEPS.findIndex(([top]) => share <= top);

// ---- one input and its readings
function exampleView(x, pair) {
	const view = el('div', { className: 'example' });
	view.append(el('div', { className: 'mono' }, x.input),
		el('div', {}, el('span', { className: 'tag ' + x.verdict }, x.verdict), ' ',
			el('span', { className: 'soft' }, 'urivet: ' + (x.findings.join(', ') || 'no finding'))));
	const columns = D.components.filter((c, i) => x.differing.includes(c) || x.groups.some((g) => g.target[i] !== '' && c !== 'userinfo'));
	view.append(readingTable(columns, x.groups.map((g) => ({ of: (c) => g.target[D.components.indexOf(c)], differs: (c) => x.differing.includes(c),
		who: g.readers.flatMap((r, i) => [i ? ', ' : '', pair && pair.includes(r) ? el('b', {}, r) : r]) }))));
	if (x.silent.length)
		view.append(el('div', { className: 'soft' }, 'refuse it or find no host: ' + x.silent.join(', ')));
	return view;
}

// ---- heat map
const pairs = new Map();
for (const [a, b, both, differ, example] of D.pairs) {
	pairs.set(a + ' ' + b, { both, differ, example });
	pairs.set(b + ' ' + a, { both, differ, example });
}
const readerOf = new Map(D.readers.map((r) => [r.name, r]));

function ordered(how) {
	const names = [...D.order];
	if (how === 'name')
		names.sort();
	if (how === 'apart')
		names.sort((a, b) => readerOf.get(a).apart - readerOf.get(b).apart);
	return names;
}

const pairOf = (a, b) => pairs.get(a.name + ' ' + b.name) || { both: 0, differ: 0, example: -1 };

function cell(a, b) {
	if (a === b)
		return { className: 'void', label: `${a.name} itself` };
	const p = pairOf(a, b);
	if (!p.both)
		return { label: `${a.name} and ${b.name}: no input that both read` };
	return { colour: `var(--h${step(p.differ / p.both)})`, label: `${a.name} and ${b.name} differ on ` +
		`${percent(p.differ / p.both)}: ${number(p.differ)} of ${number(p.both)} inputs that both read` };
}

function showPair(a, b) {
	if (a === b)
		return null;
	const p = pairOf(a, b);
	return el('div', {}, el('b', {}, `${a.name} and ${b.name}`), ` differ on ${number(p.differ)} of ${number(p.both)} inputs.`,
		p.example >= 0 ? exampleView(D.examples[p.example], [a.name, b.name]) : '');
}

const drawHeat = heatMap('heat', { label: 'Who disagrees with whom: share of inputs for each two readers', cell, open: showPair,
	hint: 'Point at a cell, or Tab to the map and use the arrow keys; Enter opens an example.' });

function drawOrder() {
	const readers = ordered($('order').value).map((name) => readerOf.get(name));
	drawHeat(readers, readers);
}
$('order').onchange = drawOrder;
legend('legend', 'Inputs read apart, in %:', STEPS.map(([, text], i) => ({ colour: `var(--h${i})`, text })));
