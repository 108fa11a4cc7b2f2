// SPDX-License-Identifier: Apache-2.0
// Elements. Text is only ever appended as text: nothing here parses markup.

export const $ = id => document.getElementById(id);

// An element with attributes, classes and handlers: el('a', { href, class: 'x', onclick }, 'text', child).
export function el(name, attributes = {}, ...children) {
	const element = document.createElement(name);
	for (const [key, value] of Object.entries(attributes)) {
		if (value === null || value === undefined || value === false)
			continue;
		if (key.startsWith('on'))
			element.addEventListener(key.slice(2), value);
		else
			element.setAttribute(key, value === true ? '' : value);
	}
	element.append(...children.flat(Infinity).filter(child => child !== null && child !== undefined && child !== false));
	return element;
}

export const fill = (id, ...children) => $(id).replaceChildren(...children.flat(Infinity).filter(child => child !== null && child !== undefined && child !== false));

// Says something to those who hear the page, not at each key stroke.
let timer = 0;
export function announce(text) {
	clearTimeout(timer);
	timer = setTimeout(() => { $('said').textContent = text; }, 600);
}

export async function copy(text, button) {
	const label = button.textContent;
	try {
		await navigator.clipboard.writeText(text);
		button.textContent = 'Copied';
	} catch {
		button.textContent = 'Could not copy: select it and copy';
	}
	setTimeout(() => { button.textContent = label; }, 1500);
}
