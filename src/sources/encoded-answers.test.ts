import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import zlib from 'node:zlib';
import type { SandboxHost } from '../../sandbox/host.ts';
import { outside } from '../../test/support/upstream-fixture.ts';
import { realClock } from '../runtime/clock.ts';
import type { Reply } from '../upstream/answer.ts';
import type { Exchange } from '../upstream/ports.ts';
import { screenReply } from './challenge.ts';
import { createParserThreads } from './parser-threads.ts';
import { type ParserThreads, parse, parsersIn } from './source.ts';

const parser = parsersIn<typeof import('./traffic/model/parse.ts')>(new URL('./traffic/model/parse.ts', import.meta.url))('readTranco');
const input = { domain: 'a.example' };
/** More than 32 kB on the wire, less than 150 kB decoded, so that it is checked for a challenge. */
const noise = randomBytes(50_000).toString('base64');
const ranks = Buffer.from(JSON.stringify({ ranks: [{ date: '2026-10-31', rank: 7 }], domain: 'a.example', noise }));
const challenge = Buffer.from(`<html><head><title>Just a moment...</title></head><body><!-- ${noise} --></body></html>`);
const packed = zlib.gzipSync(ranks);
const bodies: Record<string, readonly [coding: string, body: Uint8Array]> = {
  '/gzip': ['gzip', packed],
  '/br': ['br', zlib.brotliCompressSync(ranks)],
  '/cut': ['gzip', packed.subarray(0, -9)],
  '/wrong': ['gzip', ranks],
  '/unknown': ['compress', ranks],
  '/challenge': ['gzip', zlib.gzipSync(challenge)],
  '/bomb': ['gzip', zlib.gzipSync(Buffer.concat([ranks, Buffer.alloc(9_000_000)]))],
  '/small': ['gzip', zlib.gzipSync('{"ranks":[]}')],
};
const host: SandboxHost = {
  origins: ['https://list.example'],
  answer({ url }) {
    const [coding, body] = bodies[url.pathname] ?? ['', ''];
    return { status: url.searchParams.has('missing') ? 404 : 200, headers: { 'content-encoding': coding }, body };
  },
};
let ports: Awaited<ReturnType<typeof outside>>;
let threads: ParserThreads;
before(async () => {
  ports = await outside({ hosts: [host] });
  threads = createParserThreads({ clock: realClock });
});
after(async () => {
  await threads.close();
  await ports.close();
});
const attempt = { signal: new AbortController().signal, deadlineMs: Number.POSITIVE_INFINITY };

test('an answer that the parser decodes gives the same outcome as one that is decoded on arrival', async () => {
  const tags: Record<string, string> = {};
  for (const path of [...Object.keys(bodies), '/gzip?missing']) {
    const url = `https://list.example${path}`;
    const early = await parse({}, parser, screenReply(await ports.ask(url)), input, attempt);
    const late = screenReply(await ports.ask(url, { decodedByParser: true }));
    assert.deepEqual(await parse({ parserThreads: threads }, parser, late, input, attempt), early, `${path} in a thread`);
    assert.deepEqual(await parse({}, parser, late, input, attempt), early, `${path} on the calling thread`);
    tags[path] = early.tag;
  }
  assert.deepEqual(tags, {
    '/gzip': 'found',
    '/br': 'found',
    '/cut': 'unreachable',
    '/wrong': 'unreachable',
    '/unknown': 'unreachable',
    '/challenge': 'blocked',
    '/bomb': 'changed',
    '/small': 'changed',
    '/gzip?missing': tags['/gzip?missing'],
  });
});

test('only a large encoded body stays encoded, and only where the request allows it', async () => {
  const held = async (path: string, decodedByParser?: true): Promise<number> => {
    const reply: Reply = await ports.ask(`https://list.example${path}`, { ...(decodedByParser && { decodedByParser }) });
    return reply.tag === 'answer' ? reply.answer.body.length : 0;
  };
  assert.deepEqual(await Promise.all([held('/gzip'), held('/gzip', true), held('/small', true)]), [ranks.length, packed.length, 12]);
});

test('the recorder of an attempt is given the bytes of the wire', async () => {
  const recorded: Exchange[] = [];
  const record = (exchange: Exchange) => void recorded.push(exchange);
  await ports.ask('https://list.example/gzip', { decodedByParser: true, attempt: { ...attempt, record } });
  const { sent, reply } = recorded[0] ?? {};
  assert.equal(sent?.[0]?.answer?.body.length, packed.length);
  assert.ok(reply?.tag === 'answer' && reply.answer.encoded);
});
