// SPDX-License-Identifier: Apache-2.0
// Compiled and never run: the types of the package fit those of its clients in a program of ES modules.
import axiosPlain from 'axios';
import gotPlain from 'got';
import type { FastifyRequest } from 'fastify';
import http from 'node:http';
import { HttpAgent, agents } from 'urivet/agent';
import { guarded as guardAxios } from 'urivet/axios';
import { RefusedError, createFetch, dispatcher } from 'urivet/fetch';
import { guarded as guardGot } from 'urivet/got';
import { express } from 'urivet/middleware';
import { Policy, ScanStream, policy } from 'urivet';
import { init } from 'urivet/init';
import { markdownLinks, markdownStream } from 'urivet/markdown';

const status: number = (await guardAxios(axiosPlain, 'public', { ca: 'x' }).get<string>('http://example.com/')).status;
const got = guardGot(gotPlain, policy('public'));
const text: string = await got.extend({ prefixUrl: 'http://example.com/' })('x').text();
for await (const item of got.paginate<string>('http://example.com/'))
	void item;
http.get('http://example.com/', { agent: new HttpAgent('public', { maxSockets: 2 }) });
const response = await createFetch(Policy.public)('http://example.com/', { method: 'POST', signal: AbortSignal.timeout(1) });
express({ params: 'next', port: 'any' });
express({ params: { next: { sameOrigin: true } }, log: ({ findings }) => console.warn(findings) });
const uris: string[] = new ScanStream({ policy: 'public' }).feed('x').map(({ uri }) => uri);
const piece: string = markdownStream('public', { images: Policy.public }).push('x');
markdownLinks({}, { policy: Policy.public, onRefused: ({ url }) => console.warn(url) });
// @ts-expect-error: it is called params
express({ param: ['next'] });
// @ts-expect-error: it is called connectTimeout
createFetch('public', { connctTimeout: 1 });
const { to } = policy('public').repair('x').repaired ?? { to: '' };
const form: string | undefined = (await createFetch('public', { repair: true, timeout: 1, connectTimeout: 1 })('x', { body: new FormData() })).repaired?.from;
const answer = await guardAxios(axiosPlain, 'public', { repair: true, maxResponseSize: 1 }).create({ timeout: 1 }).get('x');
guardGot(gotPlain, 'public', { repair: true, maxResponseSize: 1, timeout: 1 });
const isGood: boolean = init({}).ok(answer.repaired?.to ?? to);
const told = (request: Express.Request, other: FastifyRequest): (string | undefined)[] => [request.urivet?.publicReason, other.urivet?.publicReason];
// @ts-expect-error: agents see a URL after its parser
agents('public', { repair: true });
// @ts-expect-error: timeouts of a dispatcher are undici's
dispatcher('public', { timeout: 1 });
export { form, told, isGood, RefusedError, agents, piece, response, status, text, uris };
