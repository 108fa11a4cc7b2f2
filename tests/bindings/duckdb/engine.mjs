// SPDX-License-Identifier: Apache-2.0
// An engine with the extension in it.
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const preload = process.env.LD_PRELOAD;
delete process.env.LD_PRELOAD; // a sanitizer's library is for this process alone
export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
const require = createRequire(`${root}/build/npm-duckdb/`);
const { DuckDBInstance } = require('@duckdb/node-api');
export const extension = process.env.DUCKDB_EXTENSION ?? `${root}/build/urivet.duckdb_extension`;

// A connection to a database in memory; without `unsigned` the engine loads what is signed alone.
export async function connect(settings = { allow_unsigned_extensions: 'true' }) {
	const instance = await DuckDBInstance.create(':memory:', settings);
	return instance.connect();
}

export async function loaded(settings) {
	const connection = await connect({ allow_unsigned_extensions: 'true', ...settings });
	await connection.run(`LOAD '${extension}'`);
	return connection;
}

// The rows that a query answers, as JSON has them.
export async function rows(connection, sql) {
	return (await connection.runAndReadAll(sql)).getRowsJson();
}

// The one value that a query answers.
export async function value(connection, sql) {
	return (await rows(connection, sql))[0][0];
}
