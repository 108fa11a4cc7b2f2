// SPDX-License-Identifier: Apache-2.0
// What the pages of the laboratories share: elements, lists that sort, rows that open, maps of coloured cells.

const $ = (id) => document.getElementById(id);

// An element; what has a dash in its name, and the role, are attributes.
function el(name, properties = {}, ...children) {
	const made = document.createElement(name);
	for (const [key, value] of Object.entries(properties)) {
		if (key.includes('-') || key === 'role')
			made.setAttribute(key, value);
		else
			made[key] = value;
	}
	made.append(...children);
	return made;
}

// What readers make of one input, a row for those that read alike: { of(column), differs(column), who }.
function readingTable(columns, rows) {
	const table = el('table');
	table.append(el('tr', {}, ...columns.map((c) => el('th', {}, c)), el('th', {}, 'read so by')));
	for (const row of rows)
		table.append(el('tr', {}, ...columns.map((c) => el('td', { className: 'mono' + (row.differs(c) ? ' d' : '') }, row.of(c) || '–')),
			el('td', { className: 'who' }, ...row.who)));
	return el('div', { className: 'scroll' }, table);
}

const number = (n) => n.toLocaleString('en');
const percent = (x) => (100 * x).toFixed(x < 0.1 ? 1 : 0) + ' %';
const isOpener = (event) => event.key === 'Enter' || event.key === ' ';

function tile([big, small, className]) {
	return el('div', { className: 'tile' }, el('b', { className: className || '' }, big), el('span', {}, small));
}

// The first words of a version, up to its number.
const shortVersion = (version) => (/^.*?\d\S*/.exec(version) || [version])[0].replace(/[,:]$/, '');

// ---- lists that sort by their heads
function list(id, columns, rows, sort, row) {
	let [by, down] = sort;
	const body = el('tbody');
	const heads = columns.map((c, i) => el('th', { className: c.number ? 'n' : '', scope: 'col' },
		el('button', { type: 'button', title: c.title || '', onclick: () => {
			down = i === by ? !down : Boolean(c.number);
			by = i;
			draw();
		} }, c.name)));
	function draw() {
		const order = [...rows()].sort((x, y) => {
			const [a, b] = [columns[by].key(x), columns[by].key(y)];
			return (a < b ? -1 : a > b ? 1 : 0) * (down ? -1 : 1);
		});
		heads.forEach((th, i) => i === by ? th.setAttribute('aria-sort', down ? 'descending' : 'ascending')
			: th.removeAttribute('aria-sort'));
		body.replaceChildren(...order.flatMap(row));
	}
	$(id).replaceChildren(el('thead', {}, el('tr', {}, ...heads)), body);
	draw();
	return draw;
}

// A row that opens: by a click anywhere on it, by its button with Enter or Space; Escape closes it.
function openingRow(cells, title, width, make) {
	const button = el('button', { type: 'button', 'aria-expanded': 'false' }, ...cells[0]);
	const top = el('tr', { className: 'top', title }, el('td', {}, button), ...cells.slice(1));
	let more = null;
	function close() {
		more?.remove();
		more = null;
		top.classList.remove('opened');
		button.setAttribute('aria-expanded', 'false');
	}
	const closesOnEscape = (event) => {
		if (event.key === 'Escape' && more) {
			close();
			button.focus();
			event.stopPropagation();
		}
	};
	top.onkeydown = closesOnEscape;
	top.onclick = () => {
		if (more)
			return close();
		more = el('tr', {}, el('td', { colSpan: width }, ...make()));
		more.onkeydown = closesOnEscape;
		top.classList.add('opened');
		button.setAttribute('aria-expanded', 'true');
		top.after(more);
	};
	return top;
}

function knownList(id, rows) {
	list(id, [{ name: 'difference', key: (k) => k.name },
		{ name: 'state', key: (k) => ['open', 'excused', 'allowed'].indexOf(k.state) },
		{ name: 'in', key: (k) => k.parts }, { name: 'who', key: (k) => k.who },
		{ name: 'inputs', key: (k) => k.count ?? -1, number: true }, { name: 'what to know', key: (k) => k.why }],
	() => rows, [1, false], (k) => [el('tr', {},
		el('td', {}, el('b', {}, k.name), k.octets ? el('div', { className: 'mono soft' }, k.octets) : ''),
		el('td', {}, el('span', { className: 'tag ' + (k.state === 'allowed' ? 'allowed' : 'open') }, k.state)),
		el('td', {}, k.parts), el('td', {}, k.who),
		el('td', { className: 'n' }, k.count === null || k.count === undefined ? '' : number(k.count)),
		el('td', {}, k.why))]);
}

// ---- maps
// A map of coloured cells in the place `id`: for each row and column a cell, which opens in a drawer below the table.
// what.cell(row, column): null, or { className, mark, colour, label }; what.open(row, column): what the drawer shows.
// what.head(row or column, isRow): opens a head, if heads do anything. Rows and columns have a name, and at will a
// label for those who listen and a group that stands above.
// Keys: arrows, Home, End, Page Up, Page Down move (with Control to the corners), Enter and Space open, Escape closes.
// One cell is in the order of Tab: the last one that had the focus.
function heatMap(id, what) {
	const table = el('table', { role: 'grid', 'aria-label': what.label });
	const readout = el('div', { className: 'readout', 'aria-hidden': 'true' });
	const detail = el('div', { className: 'detail', tabIndex: 0, role: 'region', 'aria-label': 'what was opened',
		'aria-live': 'polite', hidden: true });
	const drawer = el('div', { className: 'drawer' }, readout, detail);
	$(id).append(el('div', { className: 'scroll' }, table), drawer);
	const first = what.head ? -1 : 0;
	const places = new Map();       // of each element that can have the focus: its row and column
	let rows = [], columns = [], rowHeads = [], columnHeads = [], cells = [], here = [0, 0];

	const at = ([r, c]) => r < 0 && c < 0 ? null : r < 0 ? columnHeads[c] : c < 0 ? rowHeads[r] : cells[r]?.[c];
	const placeOf = (event) => places.get(event.target.closest?.('td, th'));

	function head(one, isRow) {
		const label = one.label || one.name;
		const th = el('th', { className: isRow ? 'row' : 'col', scope: isRow ? 'row' : 'col', title: label },
			isRow ? one.name : el('span', { className: (one.short || one.name).length < 3 ? 'upright' : '' },
				one.short || one.name));
		if (what.head)
			th.classList.add('does');
		if (label !== th.textContent)
			th.setAttribute('aria-label', label);
		return th;
	}

	function cell(row, column) {
		const shown = what.cell(row, column);
		const td = el('td', { className: shown ? shown.className || '' : 'void',
			'aria-label': shown ? shown.label : `${row.name} and ${column.name}: nothing here` }, shown?.mark || '');
		if (shown?.colour)
			td.style.setProperty('--c', shown.colour);
		return td;
	}

	function groupRow() {
		const row = el('tr', {}, el('td', { className: 'void' }));
		for (const column of columns) {
			if (row.lastChild.textContent === column.group)
				row.lastChild.colSpan += 1;
			else
				row.append(el('th', { className: 'group', scope: 'colgroup', title: column.group }, column.group));
		}
		return row;
	}

	function draw(newRows, newColumns) {
		const [oldRow, oldColumn] = [rows[here[0]]?.name, columns[here[1]]?.name];
		[rows, columns] = [newRows, newColumns];
		close();
		readout.textContent = rows.length && columns.length ? what.hint : 'Nothing here matches.';
		columnHeads = columns.map((column) => head(column, false));
		rowHeads = rows.map((row) => head(row, true));
		cells = rows.map((row) => columns.map((column) => cell(row, column)));
		places.clear();
		columnHeads.forEach((th, c) => what.head && places.set(th, [-1, c]));
		rowHeads.forEach((th, r) => what.head && places.set(th, [r, -1]));
		cells.forEach((line, r) => line.forEach((td, c) => places.set(td, [r, c])));
		for (const one of places.keys())
			one.tabIndex = -1;
		table.replaceChildren(el('thead', {}, ...columns.some((c) => c.group) ? [groupRow()] : [],
			el('tr', {}, el('td', { className: 'void' }), ...columnHeads)),
		el('tbody', {}, ...rows.map((row, r) => el('tr', {}, rowHeads[r], ...cells[r]))));
		const again = (all, name) => Math.max(0, all.findIndex((one) => one.name === name));
		here = [again(rows, oldRow), again(columns, oldColumn)];
		if (at(here))
			at(here).tabIndex = 0;
	}

	function point([r, c]) {
		rowHeads.forEach((th, i) => th.classList.toggle('hot', i === r));
		columnHeads.forEach((th, i) => th.classList.toggle('hot', i === c));
		readout.textContent = at([r, c]).getAttribute('aria-label') || at([r, c]).textContent;
	}

	function moveTo([r, c]) {
		if (!at([r, c]))
			return;
		if (at(here))
			at(here).tabIndex = -1;
		here = [r, c];
		at(here).tabIndex = 0;
		at(here).focus();
	}

	function close() {
		detail.hidden = true;
		detail.replaceChildren();
		$(id).classList.remove('opened');
	}

	function open([r, c]) {
		if (r < 0 || c < 0)
			return what.head(r < 0 ? columns[c] : rows[r], c < 0);
		const shown = what.cell(rows[r], columns[c]) && what.open(rows[r], columns[c]);
		if (!shown)
			return close();
		const closer = el('button', { type: 'button', className: 'close', onclick: () => {
			close();
			moveTo(here);
		} }, 'Close (Esc)');
		detail.hidden = false;
		$(id).classList.add('opened');
		detail.replaceChildren(closer, shown);
		detail.scrollTop = 0;
	}

	const steps = {
		ArrowUp: ([r, c]) => [r - 1, c], ArrowDown: ([r, c]) => [r + 1, c],
		ArrowLeft: ([r, c]) => [r, c - 1], ArrowRight: ([r, c]) => [r, c + 1],
		PageUp: ([r, c]) => [Math.max(0, r - 10), c], PageDown: ([r, c]) => [Math.min(rows.length - 1, r + 10), c],
		Home: ([r], far) => [far ? 0 : r, 0], End: ([r], far) => [far ? rows.length - 1 : r, columns.length - 1],
	};
	table.onkeydown = (event) => {
		const place = placeOf(event);
		if (!place || event.altKey || event.metaKey)
			return;
		if (steps[event.key]) {
			const [r, c] = steps[event.key](place, event.ctrlKey);
			moveTo([Math.max(first, r), Math.max(first, c)]);
		} else if (isOpener(event)) {
			open(place);
		} else {
			return;
		}
		event.preventDefault();
	};
	drawer.onkeydown = table.parentNode.onkeydown = (event) => {
		if (event.key !== 'Escape' || detail.hidden)
			return;
		close();
		moveTo(here);
		event.stopPropagation();
	};
	table.onclick = (event) => {
		const place = placeOf(event);
		if (!place)
			return;
		moveTo(place);
		open(place);
	};
	for (const kind of ['focusin', 'mouseover'])
		table.addEventListener(kind, (event) => placeOf(event) && point(placeOf(event)));
	table.onmouseleave = () => places.has(document.activeElement) && point(here);
	return draw;
}

// The keys of a legend: each a swatch with its mark, and what it says.
function legend(id, title, keys) {
	$(id).replaceChildren(el('li', {}, el('b', {}, title)), ...keys.map(({ className, mark, colour, text }) => {
		const swatch = el('i', { className: className || '', 'aria-hidden': 'true' }, mark || '');
		if (colour)
			swatch.style.setProperty('--c', colour);
		return el('li', {}, swatch, text);
	}));
}
