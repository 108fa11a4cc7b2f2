// SPDX-License-Identifier: Apache-2.0
// The extension for DuckDB, in a real engine.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { connect, extension, loaded, preload, root, rows, value } from './engine.mjs';

const urivet = process.env.URIVET ?? `${root}/build/urivet`;
let db, place;
before(async () => {
	db = await loaded();
	place = mkdtempSync(join(tmpdir(), 'urivet-duckdb-'));
});
after(() => rmSync(place, { recursive: true }));

// what the command says of each of these: verdict and findings
function told(inputs, policy) {
	const { stdout } = spawnSync(urivet, ['check', '-0', '--format=tsv', `--policy=${policy}`],
		{ input: inputs.map((each) => each + '\0').join(''), maxBuffer: 1 << 30 });
	return stdout.toString().split('\n').slice(0, -1).map((line) => line.split('\t').slice(0, 2).join('|'));
}

test('the functions of the engine stand where we say, and it is seen if they do not', async () => {
	await db.run(`LOAD '${root}/build/places-0/places.duckdb_extension'`);
	await assert.rejects((await connect()).run(`LOAD '${root}/build/places-1/places.duckdb_extension'`), /is not at place/);
});

test('the library that it is made of keeps its names inside', () => {
	const names = execFileSync('nm', ['-D', '--defined-only', `${root}/build/urivet.duckdb_extension.so`]).toString();
	assert.match(names, /^[0-9a-f]+ T urivet_init_c_api\n$/);
});

test('an engine loads it only where unsigned extensions are allowed', async () => {
	await assert.rejects((await connect({})).run(`LOAD '${extension}'`), /signature/);
});

test('an API of another version is refused by the engine', async () => {
	const other = join(place, 'urivet.duckdb_extension');
	const octets = readFileSync(extension);
	const at = octets.lastIndexOf('v1.2.0');
	octets.write('v9.9.0', at);
	writeFileSync(other, octets);
	await assert.rejects((await connect()).run(`LOAD '${other}'`));
});

test('what each function answers', async () => {
	assert.deepEqual(await rows(db, `SELECT url, urivet_ok(url), urivet_findings(url), urivet_host(url), urivet_port(url), urivet_suggest(url)
		FROM (VALUES ('http://example.com/'), ('http://example.com\\@example.net/'), ('https://Example.com:0443/%7euser/./x'),
			('https://[2001:db8::1]/'), (''), (NULL)) AS v(url)`), [
		['http://example.com/', true, [], 'example.com', 80, 'http://example.com/'],
		['http://example.com\\@example.net/', false, ['userinfo-present', 'userinfo-misleading', 'userinfo-delimiter',
			'forbidden-char', 'backslash-authority'], null, null, null],
		['https://Example.com:0443/%7euser/./x', false, ['host-case', 'port-leading-zero', 'port-default',
			'escaped-unreserved', 'escape-case', 'dot-segment'], null, null,
			'https://example.com/~user/x'],
		['https://[2001:db8::1]/', true, [], '2001:db8::1', 443, 'https://[2001:db8::1]/'],
		['', false, ['not-absolute'], null, null, null],
		[null, null, null, null, null, null]]);
	assert.deepEqual(await value(db, "SELECT urivet_check('http://a@b/')"), { accepted: false, refused_by: ['userinfo-present'],
		findings: ['userinfo-present'], offsets: [7], lengths: [2], dropped: 0, reason: 'unclear' });
	assert.deepEqual(await value(db, "SELECT urivet_endpoint('https://example.com/a?b#c')"), { scheme: 'https', host: 'example.com',
		address: null, port: 443, tls: true, host_field: 'example.com', tls_name: 'example.com', target: '/a?b', url: 'https://example.com/a?b' });
	assert.deepEqual(await rows(db, `SELECT urivet_endpoint(url).address FROM (VALUES ('http://192.0.2.1/'), ('http://[2001:db8::1]:80/'), ('http://a/')) AS v(url)`),
		[['192.0.2.1'], ['2001:db8::1'], [null]]);
	assert.deepEqual(await rows(db, `SELECT urivet_part('http://u@h:1/p?q#f', p) FROM (VALUES ('scheme'), ('authority'), ('userinfo'), ('host'),
		('port'), ('path'), ('query'), ('fragment')) AS v(p)`), [['http'], ['u@h:1'], ['u'], ['h'], ['1'], ['/p'], ['q'], ['f']]);
	assert.deepEqual(await rows(db, `SELECT urivet_normalise('HTTP://A/%7e/./b'), urivet_normalise('http://['), urivet_part('http://[', 'host'),
		urivet_resolve('http://a/b', '../c'), urivet_resolve('http://a/b', '//x@y', urivet_policy('strict')),
		urivet_resolve('http://a/b', 'd', urivet_policy('strict'))`), [['http://a/~/b', null, null, 'http://a/c', null, 'http://a/d']]);
	assert.match(await value(db, 'SELECT urivet_version()'), /^\d+\.\d+\.\d+$/);
	assert.deepEqual(await rows(db, `SELECT urivet_require(u), typeof(urivet_ok(u)), typeof(urivet_port(u)), typeof(urivet_findings(u)), typeof(urivet_policy('any')), typeof(urivet_endpoint(u)), typeof(urivet_check(u)) FROM (VALUES ('http://a/')) AS v(u)`), [[
		true, 'BOOLEAN', 'INTEGER', 'VARCHAR[]', 'BLOB', 'STRUCT(scheme VARCHAR, host VARCHAR, address VARCHAR, port INTEGER, tls BOOLEAN, host_field VARCHAR, tls_name VARCHAR, "target" VARCHAR, url VARCHAR)',
		'STRUCT(accepted BOOLEAN, refused_by VARCHAR[], findings VARCHAR[], offsets INTEGER[], lengths INTEGER[], dropped INTEGER, reason VARCHAR)']]);
	await assert.rejects(rows(db, "SELECT urivet_require('http://secret@a/')"), (error) => /userinfo-present/.test(error) && !/secret/.test(error));
	await assert.rejects(rows(db, "SELECT urivet_require('http://a/%7e b')"), /escaped-unreserved.* - write http:\/\/a\/~%20b/);
	await assert.rejects(rows(db, "SELECT urivet_part('http://a/', 'hosts')"), /scheme, authority/);
});

test('rows of NULL, whole and in part', async () => {
	const [members] = await rows(db, `SELECT count(e.url), count(e.host), count(c.reason) FROM
		(SELECT urivet_endpoint(url) AS e, urivet_check(url) AS c FROM
		(SELECT CASE WHEN i % 2 = 0 THEN 'http://secret.example/' || repeat('a', 40) || i END AS url FROM range(5000) AS r(i)))`);
	assert.deepEqual(members.map(Number), [2500, 2500, 2500]);
	assert.deepEqual(await rows(db, `SELECT urivet_check(url) IS NULL, urivet_endpoint(url) IS NULL, urivet_findings(url) IS NULL
		FROM (VALUES ('http://a/'), (NULL), ('x')) AS v(url)`), [[false, false, false], [true, true, true], [false, true, false]]);
});

test('nothing fails open: no policy, and no sound one, is an error', async () => {
	for (const policy of ['NULL', 'NULL::BLOB', "''::BLOB", "'\\x00'::BLOB", "urivet_policy('strict')[1:200]::BLOB"])
		for (const call of [`urivet_ok('http://evil/', ${policy})`, `urivet_check('http://evil/', ${policy})`, `urivet_ok(NULL, ${policy})`])
			await assert.rejects(rows(db, `SELECT ${call}`), undefined, call);
	await assert.rejects(rows(db, "SELECT urivet_policy('nosuch')"), /built in/);
	for (const url of ['http://a:080/a?q=SECRET', 'http://a:080/a;q=SECRET', 'http://a:080/a#SECRET', 'http://u:SECRET@a/'])
		await assert.rejects(rows(db, `SELECT urivet_require('${url}')`), error => /refused/.test(error.message) && !/SECRET/.test(error.message), url);
	await db.run('CREATE TABLE guarded (url VARCHAR CHECK (urivet_ok(url)))');
	await assert.rejects(db.run("INSERT INTO guarded VALUES ('http://a@b/')"), /CHECK constraint/);
	await db.run("INSERT INTO guarded VALUES ('http://a/'), (NULL)");
	assert.equal(await value(db, "SELECT urivet_ok('http://10.0.0.1/', urivet_policy('public'))"), false);
	assert.equal(await value(db, "SELECT urivet_ok('http://10.0.0.1/', urivet_policy('strict'))"), true);
});

test('a read of one octet beyond a text is noticed', t => {
	if (!/asan/.test(process.env.DUCKDB_EXTENSION))
		return t.skip('needs a build with AddressSanitizer');
	const program = `const { loaded } = await import('${new URL('engine.mjs', import.meta.url)}'); await (await loaded()).run("SELECT urivet_ok('http://a/')");`;
	const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program],
		{ encoding: 'utf8', env: { ...process.env, LD_PRELOAD: preload, URIVET_OVERREAD: 'duckdb' } });
	assert.match(stderr, /heap-buffer-overflow/);
});

test('each rule of a compiled policy is judged', async (t) => {
	for (const { policy, refused, taken } of JSON.parse(readFileSync(new URL('../../policyfile/rules.json', import.meta.url)))) {
		writeFileSync(join(place, 'rule.yaml'), `${policy}\n`);
		const { status, stderr } = spawnSync(urivet, ['policy', 'compile', join(place, 'rule.yaml'), '-o', join(place, 'rule.bin')]);
		if (/libyaml-dev|publicsuffix/.test(stderr))
			return t.skip('the command cannot read the policy');
		assert.equal(status, 0);
		for (const [url, accepted] of [[refused, false], [taken, true]])
			assert.deepEqual(await rows(db, `SELECT urivet_ok('${url}', content), urivet_check('${url}', content).accepted
				FROM read_blob('${join(place, 'rule.bin')}')`), [[accepted, accepted]], policy);
	}
});

test('a policy that changes from row to row is never that of the row before', async () => {
	const wrong = await value(db, `SELECT count(*) FROM (SELECT p, urivet_ok('http://10.0.0.1/', urivet_policy(p)) AS ok
		FROM (SELECT CASE WHEN i % 3 = 0 THEN 'public' ELSE 'strict' END AS p FROM range(10000) AS r(i))) WHERE ok <> (p = 'strict')`);
	assert.equal(wrong, '0');
});

test('as the command judges, from Parquet', async () => {
	const generated = execFileSync('/usr/bin/python3', ['-B', 'tests/core/model/generate.py', '40000', '12', 'any'], { cwd: root, maxBuffer: 1 << 30 });
	const inputs = generated.toString('latin1').split('\0').map((each) => Buffer.from(each, 'latin1'))
		.filter((each) => Buffer.from(each.toString('utf8')).equals(each)).map((each) => each.toString('utf8'));
	for (const name of readdirSync(`${root}/corpus/regress`)) {
		const octets = readFileSync(`${root}/corpus/regress/${name}`);
		if (!octets.includes(0) && Buffer.from(octets.toString('utf8')).equals(octets))
			inputs.push(octets.toString('utf8'));
	}
	writeFileSync(join(place, 'in.json'), inputs.map((url, n) => JSON.stringify({ n, url })).join('\n'));
	const parquet = join(place, 'urls.parquet');
	await db.run(`COPY (SELECT * FROM read_json('${join(place, 'in.json')}', columns = {n: 'INTEGER', url: 'VARCHAR'})) TO '${parquet}' (FORMAT parquet)`);
	for (const policy of ['strict', 'public']) {
		const answers = await rows(db, `SELECT CASE WHEN c.accepted THEN 'accept' ELSE 'reject' END || '|' ||
			coalesce(nullif(array_to_string(c.findings, ','), ''), '-') || CASE WHEN c.accepted = ok THEN '' ELSE ' differs' END
			FROM (SELECT n, urivet_check(url, urivet_policy('${policy}')) AS c, urivet_ok(url, urivet_policy('${policy}')) AS ok
			FROM '${parquet}') ORDER BY n`);
		assert.deepEqual(answers.map((row) => row[0]), told(inputs, policy));
	}
	assert.ok(inputs.length > 30000);
	await rows(db, `SELECT urivet_normalise(url), urivet_suggest(url), urivet_endpoint(url), urivet_part(url, 'path'), urivet_resolve('http://a/', url),
		urivet_resolve(url, 'x') FROM '${parquet}'`);
});

test('long texts, and threads', async () => {
	assert.deepEqual(await rows(db, `SELECT urivet_ok(url), urivet_findings(url), urivet_suggest(url), urivet_normalise(url), urivet_part(url, 'host'), urivet_host(url)
		FROM (SELECT 'http://example.com/' || repeat('a', 100000000) AS url)`), [[false, ['url-too-long'], null, null, null, null]]);
	const many = await loaded({ threads: '4' });
	assert.equal(await value(many, `SELECT count(*) FROM (SELECT CASE WHEN i % 10 = 0 THEN 'http://a@b/' ELSE 'http://example.com/' || i END AS url
		FROM range(1000000) AS r(i)) WHERE urivet_ok(url, urivet_policy('public'))`), '900000');
});
