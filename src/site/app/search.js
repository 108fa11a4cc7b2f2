// SPDX-License-Identifier: Apache-2.0
// Search in the catalogue: every word has to stand in the row.
const [words, kind, rows, count] = ['words', 'class', 'rows', 'count'].map(id => document.getElementById(id));
const texts = Array.from(rows.children, row => row.textContent.toLowerCase());

function search() {
	const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
	let shown = 0;
	Array.from(rows.children).forEach((row, k) => {
		row.hidden = !wanted.every(word => texts[k].includes(word)) || kind.value !== '' && row.dataset.class !== kind.value;
		shown += row.hidden ? 0 : 1;
	});
	count.textContent = shown === 0 ? 'Nothing is found: try fewer words.' : `${shown} findings`;
}
words.addEventListener('input', search);
kind.addEventListener('input', search);
document.getElementById('search').hidden = false;
