import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ERRORS } from '../../src/contract/errors.ts';
import { type Operation, operationList } from '../../src/contract/operations/index.ts';
import { KEY, type Reply, rig } from './fakes.ts';

/** Every answer has a status of the description and the exact body, and is never a 500. */
function isSound(reply: Reply, what: string): void {
  assert.ok(
    reply.status === 200 || reply.status === 304 || Object.values(ERRORS).some(({ status }) => status === reply.status),
    `${reply.status}: ${what}`,
  );
  assert.ok(reply.status < 500, `${reply.status}: ${what}`);
  assert.ok(reply.headers['x-request-id']);
  if (reply.status < 400) return;
  assert.deepEqual(Object.keys(reply.body), ['error'], what);
  assert.deepEqual(Object.keys(reply.body.error ?? {}).sort(), ['code', 'message'], what);
  assert.ok(reply.body.error?.message);
}

const nasty = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }).filter((t) => t.isWellFormed()),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.constantFrom(
    '',
    ' ',
    '0',
    '-1',
    '1e2',
    '0x10',
    '+5',
    '１',
    '.',
    '..',
    '../..',
    '%',
    '%00',
    '\u0000',
    'null',
    '__proto__',
    'constructor',
    "' OR 1=1",
  ),
  fc.constantFrom(
    'co.uk',
    '127.0.0.1',
    '[::1]',
    'xn--',
    'xn--a',
    'a..b',
    '-a.com',
    `${'a'.repeat(64)}.com`,
    'ß.de',
    '١.com',
    'localhost',
    'a.b.c.uk.com',
  ),
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.domain(),
);
const valid = (operation: Operation, name: string): string => String(operation.parameters.find((p) => p.name === name)?.example);

for (const operation of operationList) {
  test(`${operation.id}: any path and query is answered as the description states`, async () => {
    const r = rig();
    const names = operation.parameters.map((p) => p.name);
    const anyName = fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...names) }, { weight: 1, arbitrary: nasty });
    const pairs = fc.array(fc.tuple(anyName, nasty, fc.boolean()), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(pairs, fc.option(nasty, { nil: undefined }), async (given, inPath) => {
        const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(inPath ?? valid(operation, name)));
        const query = given.map(([name, value, good]) => {
          const text = good && names.includes(name) ? valid(operation, name) : value;
          return `${encodeURIComponent(name)}=${encodeURIComponent(text)}`;
        });
        const url = query.length ? `${path}?${query.join('&')}` : path;
        isSound(await r.get(url), url);
      }),
      { numRuns: 60 },
    );
  });
}

test('any raw target and any headers are answered as the description states', async () => {
  const r = rig();
  const target = fc.string({ unit: fc.constantFrom(...'/v1?&=%+#;:@.~{}[]|\\^`"<>abc019'), maxLength: 60 });
  const headers = fc.record(
    {
      'cache-control': fc.string({ maxLength: 40 }),
      'if-none-match': fc.string({ maxLength: 40 }),
      'x-max-credits': fc.string({ maxLength: 12 }),
      'x-request-id': fc.string({ maxLength: 140 }),
      'accept-encoding': fc.string({ maxLength: 40 }),
      authorization: fc.string({ maxLength: 40 }),
      pragma: fc.string({ maxLength: 20 }),
      origin: fc.string({ maxLength: 20 }),
      traceparent: fc.string({ maxLength: 60 }),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(target, headers, async (text, given) => {
      isSound(await r.get(`/v1/website/whois/domains/a.com?${text}`, { 'x-api-key': KEY, ...given }), text);
      isSound(await r.get(`/v1/${text}`, { 'x-api-key': KEY, ...given }), text);
    }),
    { numRuns: 300 },
  );
});
