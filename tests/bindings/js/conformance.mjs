// SPDX-License-Identifier: Apache-2.0
// Every case of tests/bindings/conformance, asked of both builds as browsers load them: conformance.mjs FOLDER [URL]. It runs
// in Node, and in a page, which posts what it says. The small build may refuse more: hosts that are
// international, and policies that ask for lists; it must accept nothing that the library refuses.
const octets = text => Uint8Array.from(text, c => c.charCodeAt(0));
const fromHex = hex => Uint8Array.from(hex.match(/../g) ?? [], pair => parseInt(pair, 16));
const toHex = data => Array.from(data, octet => octet.toString(16).padStart(2, '0')).join('');
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
// what is shown as a string is UTF-8 where the cases have octets
const shown = text => text === null ? null : utf8.decode(octets(text));

const findingOf = ({ id, class: c, component, in: where, start, end, count, refuses }) =>
	({ id, class: c, component, in: where, offset: start, length: end - start, count, refuses });
const reportOf = report => ({ verdict: report.verdict, reason: report.publicReason, parsed: report.parsed, effective_port: report.port, dropped: report.dropped, findings: report.findings.map(findingOf) });
const endpointOf = e => e && { scheme: e.scheme, host: e.host, port: e.port, tls: e.tls, address: toHex(e.address), host_field: e.hostField, tls_name: e.tlsName, target: e.target, url: e.url };
const expectedReport = ({ verdict, reason, parsed, effective_port, dropped, findings }) => ({ verdict, reason, parsed, effective_port, dropped, findings });
// What the package offers in several ways has to be the same.
function alike(...values) {
	if (!values.every(value => same(value, values[0])))
		throw new Error(`not the same: ${values.map(value => JSON.stringify(value)).join('; ')}`);
}
// The octets, and the string if they are UTF-8.
function spellings(text) {
	try {
		return [octets(text), new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(octets(text))];
	} catch {
		return [octets(text)];
	}
}
const shownAll = all => Object.fromEntries(Object.entries(all).map(([name, text]) => [name, shown(text)]));
const requestOf = c => ({
	method: c.method === null ? undefined : octets(c.method),
	host: c.host_unknown ? null : c.host === null ? undefined : octets(c.host),
	scheme: c.scheme ?? undefined, port: c.port,
});

// For each kind: what is answered, and what has to be.
function answers(urivet, by) {
	const { resolve, normalise, compare, scan, ScanStream, version, explain } = urivet;
	return {
		catalogue: c => [[version, ...Object.keys(c.findings).map(id => explain(id).number)], [c.version, ...Object.values(c.findings)]],
		check: c => {
			const policy = by(c.policy), [report, ...others] = spellings(c.input).map(text => policy.check(text)), repaired = policy.repair(octets(c.input));
			for (const other of others)
				alike([reportOf(report), report.components, report.suggestion, report.endpoint], [reportOf(other), other.components, other.suggestion, other.endpoint]);
			alike(c.verdict === 'accept', report.ok, ...spellings(c.input).map(text => policy.ok(text)));
			alike(c.input.length <= policy.maxLength, !report.findings.some(({ id }) => id === 'url-too-long'));
			alike(report.policy, policy.name);
			alike(report.suggestion, policy.suggest(octets(c.input)));
			alike(repaired.repaired, report.ok || report.suggestion === null ? null : { from: shown(c.input), to: report.suggestion });
			for (const { id, number, text, start, end, in: where } of report.findings)
				alike([id, number, where === 'input' ? text : null], [explain(number).id, explain(id).number, where === 'input' ? shown(c.input.slice(start, end)) : null]);
			alike(...report.findings.map(({ id }) => report.explanation.includes(explain(id).text) && report.explanation.includes(explain(id).reference)), true);
			if (c.policy === 'strict')
				alike(reportOf(report), reportOf(urivet.check(octets(c.input))));
			return [[reportOf(report), report.components, report.suggestion, endpointOf(report.endpoint)], [expectedReport(c), shownAll(c.components), c.suggestion, c.endpoint]];
		},
		json: c => [by(c.policy).check(octets(c.input)).toJSON(), { ...JSON.parse(c.json) }],
		verdicts: c => [['strict', 'public', 'any', 'gateway', 'hooks', 'lists', 'loopback'].filter(name => by(name).ok(octets(c.input))), c.accepted_by],
		request: c => {
			const report = by(c.policy).checkRequest(octets(c.target), requestOf(c));
			return [[reportOf(report), report.components, report.form], [expectedReport(c), shownAll(c.components), c.form]];
		},
		resolve: c => [resolve(octets(c.base), octets(c.reference)), shown(c.target)],
		reference: c => {
			const report = by(c.policy).checkRedirect(octets(c.reference), { base: octets(c.base), sameOrigin: c.same_origin });
			const [of, wanted] = c.target === '' ? [each => each.verdict, c.verdict] : [reportOf, expectedReport(c)]; // the package reports what is wrong with the reference
			return [[of(report), report.target, endpointOf(report.endpoint)], [wanted, shown(c.target), c.endpoint]];
		},
		compare: c => [compare(octets(c.a), octets(c.b), { noFragment: c.no_fragment }), c.rung],
		normalise: c => [normalise(octets(c.input), c.level), shown(c.result)],
		parameters: c => {
			const report = by(c.policy).parameters(octets(c.input), {
				names: c.names, policy: c.parameter_policy, times: c.times, sameOrigin: c.same_origin, absolute: c.absolute,
				request: c.is_target ? { method: 'GET', host: 'app.example.com', scheme: 'https', port: 443 } : undefined,
			});
			alike(report.parameters.map(({ ok }) => ok), report.parameters.map(({ result }) => result === 'accepted' || result === 'not-asked'));
			const pairs = report.parameters.map(({ name, raw, result, value, judged, ids }) => ({ name, raw, result, value, judged, ids: ids.join() }));
			return [[pairs, reportOf(report)], [c.parameters, expectedReport(c)]];
		},
		address: c => [reportOf(by(c.policy).checkAddress(fromHex(c.address), c.port)), expectedReport(c)],
		batch: c => {
			const policy = by(c.policy), many = policy.checkMany(octets(c.data), Int32Array.from(c.offsets)), { bitmap, accepted, rows } = many;
			const at = verdicts => Array.from({ length: verdicts.rows }, (_, row) => verdicts.at(row)), texts = c.offsets.slice(1).map((end, k) => c.data.slice(c.offsets[k], end));
			alike(rows, c.offsets.length - 1);
			alike(at(many), Array.from({ length: rows }, (_, row) => (bitmap[row >> 3] >> (row & 7) & 1) === 1));
			if (texts.join('') === c.data && Math.min(...c.offsets) === 0) {
				alike(at(many), at(policy.checkMany(texts)), at(policy.checkMany(texts.map(octets))), at(policy.checkMany(octets(texts.map(text => `${text}\n`).join('')))));
				if (c.policy === 'strict')
					alike(at(many), at(urivet.checkMany(texts)), texts.map(text => urivet.ok(text)));
			}
			return [[toHex(bitmap), accepted], [c.bitmap, c.accepted]];
		},
		scan: c => {
			const whole = scan(octets(c.text)), plain = found => found.map(({ report, ...rest }) => ({ ...rest, report: report && reportOf(report) }));
			for (const text of spellings(c.text))
				for (const options of [undefined, { policy: 'public' }, { policy: by('any') }]) {
					const parts = typeof text === 'string' ? [...text] : text, put = part => typeof text === 'string' ? part.join('') : part;
					for (let size = 1; size <= parts.length; size++) {
						const stream = new ScanStream(options), found = [];
						for (let from = 0; from < parts.length; from += size) {
							found.push(...stream.feed(put(parts.slice(from, from + size))), ...stream.feed(put(parts.slice(0, 0))));
							alike(stream.decided <= new Blob([put(parts.slice(0, from + size))]).size, true);
						}
						alike([plain([...found, ...stream.close()]), stream.decided], [plain(scan(text, options)), c.text.length]);
					}
				}
			return [whole.map(({ start, end, kind, uri }) => ({ offset: start, length: end - start, kind, uri })), c.found.map(found => ({ ...found, uri: shown(found.uri) }))];
		},
		iri: c => {
			const { outcome, finding, codePoint, start, end, result } = by(c.policy).suggestIri(octets(c.input));
			return [[outcome, finding, codePoint, start, end - start, result], [c.outcome, c.finding, c.code_point, c.offset, c.length, c.result]];
		},
		display: c => [by('strict').displayHtml(octets(c.input)), shown(c.html)],
	};
}

function policies(urivet, cases) {
	const made = new Map();
	for (const c of cases.filter(each => each.kind === 'policy')) {
		let fault = null;
		try {
			made.set(c.name, urivet.Policy.compiled(fromHex(c.compiled), c.name));
		} catch (error) {
			fault = error;
		}
		if (c.opens !== (fault === null))
			throw new Error(`policy ${c.name}: opens ${c.opens}, but ${fault}`);
		if (fault && urivet.explain && !fault.message.includes(c.fault))
			throw new Error(`policy ${c.name}: ${c.fault}, but ${fault.message}`);
	}
	return name => made.get(name) ?? urivet.policy(name);
}

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

export function askAll(urivet, cases) {
	const kinds = answers(urivet, policies(urivet, cases)), counts = {};
	for (const c of cases) {
		if (!(c.kind in kinds))
			continue;
		const [got, wanted] = kinds[c.kind](c);
		if (!same(got, wanted))
			throw new Error(`${JSON.stringify(c)}\nanswered ${JSON.stringify(got)}\ninstead  ${JSON.stringify(wanted)}`);
		counts[c.kind] = (counts[c.kind] ?? 0) + 1;
	}
	return Object.values(counts).reduce((a, b) => a + b);
}

// What may differ in the small build: international hosts, and what depends on the table of top-level domains: the finding about
// them, and that a name without a scheme is a host, which is refused anyway.
const BY_DOMAINS = ['host-unknown-tld', 'scheme-guess'];
const isInternational = host => /[^\x00-\x7f%]|%|(^|\.)xn--/i.test(host ?? '');
export function askGate(gate, cases) {
	const by = policies(gate, cases);
	let alike = 0, refused = 0;
	for (const c of cases.filter(each => each.kind === 'check')) {
		const report = by(c.policy).check(octets(c.input)), ids = findings => findings.map(f => f.id).filter(id => !BY_DOMAINS.includes(id)).join();
		if (report.ok !== by(c.policy).ok(octets(c.input)))
			throw new Error(`gate: ok and check differ: ${c.input}`);
		if (isInternational(c.components.host)) {
			if (report.ok)
				throw new Error(`gate: accepts ${c.input}`);
			refused++;
		} else if (report.verdict !== c.verdict || (c.parsed && ids(report.findings) !== ids(c.findings))) {
			throw new Error(`gate: ${c.input}: ${report.verdict} ${ids(report.findings)} instead of ${ids(c.findings)}`);
		} else {
			alike++;
		}
	}
	return `${alike} alike, ${refused} international hosts refused`;
}
