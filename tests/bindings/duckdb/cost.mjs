// SPDX-License-Identifier: Apache-2.0
// What the functions cost a row: CPU of the process over count() of the column, in the same run, one thread.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loaded, root } from './engine.mjs';

const ROWS = Number(process.env.URIVET_ROWS ?? 1000000);
const ROUNDS = Number(process.env.URIVET_ROUNDS ?? 5);
const AT_MOST = 50; // nanoseconds a row, of urivet_ok()
const expression = execFileSync('sh', ['-c', `printf '#include <stdio.h>\\n#include "expression.h"\\nint main(void) { return puts(URL_EXPRESSION) < 0; }\\n' |
	cc -x c -I ${root}/tests/gates/bench -o ${root}/build/expression - && ${root}/build/expression`]).toString().trimEnd();
const questions = {
	'ok': 'count_if(urivet_ok(url))', 'ok, public': "count_if(urivet_ok(url, urivet_policy('public')))", 'host': 'count(urivet_host(url))',
	'findings': 'count(urivet_findings(url))', 'suggest': 'count(urivet_suggest(url))',
	'expression': `count_if(regexp_full_match(url, '${expression.replaceAll("'", "''")}'))`,
};

const place = mkdtempSync(join(tmpdir(), 'urivet-cost-'));
const db = await loaded({ threads: '1' });
await db.run(`CREATE TABLE u AS SELECT 'https://www.example' || i % 1000 || '.com/catalogue/item/' || i || '?page=' || i % 7 AS url FROM range(${ROWS}) AS r(i)`);
await db.run(`COPY u TO '${place}/u.parquet' (FORMAT parquet)`);

async function spent(sql) {
	const before = process.cpuUsage();
	await db.runAndReadAll(sql);
	const { user, system } = process.cpuUsage(before);
	return (user + system) * 1000 / ROWS;
}

let good = true;
for (const table of ['u', `'${place}/u.parquet'`]) {
	const best = {};
	for (let round = 0; round < ROUNDS; round++)
		for (const [name, asked] of [['', 'count(url)'], ...Object.entries(questions)])
			best[name] = Math.min(best[name] ?? Infinity, await spent(`SELECT ${asked} FROM ${table}`));
	console.log(`${ROWS} distinct URLs from ${table === 'u' ? 'memory' : 'Parquet'}, the best of ${ROUNDS}; count(url) takes ${best[''].toFixed(0)} ns of CPU a row, and over it:`);
	for (const name of Object.keys(questions))
		console.log(`  ${name.padEnd(12)} ${(best[name] - best['']).toFixed(0).padStart(8)} ns`);
	if (table === 'u') {
		good = best.ok - best[''] <= AT_MOST;
		console.log(`ok takes ${(best.ok - best['']).toFixed(0)} ns (at most ${AT_MOST})${good ? '' : ': not reached'}`);
	}
}
rmSync(place, { recursive: true });
process.exitCode = good ? 0 : 1;
