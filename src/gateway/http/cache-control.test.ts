import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CACHE_CONTROL } from '../../contract/openapi/request-headers.ts';
import { ORDINARY } from '../../orchestrator/types.ts';
import { directivesOf, readFreshness } from './cache-control.ts';

const read = (cacheControl?: string, pragma?: string) => {
  const result = readFreshness(cacheControl, pragma);
  if (!result.ok) throw new Error(result.why);
  return result.value;
};
const refused = (cacheControl: string) => assert.equal(readFreshness(cacheControl, undefined).ok, false, cacheControl);

test('every directive of RFC 9111 and RFC 5861 is read, in seconds', () => {
  assert.deepEqual(read(), ORDINARY);
  assert.deepEqual(read('no-cache, no-store, only-if-cached'), { ...ORDINARY, noCache: true, noStore: true, onlyIfCached: true });
  assert.deepEqual(read('max-age=10, max-stale=20, min-fresh=30, stale-if-error=40'), {
    ...ORDINARY,
    maxAgeMs: 10_000,
    maxStaleMs: 20_000,
    minFreshMs: 30_000,
    staleIfErrorMs: 40_000,
  });
});

test('a bare max-stale accepts any staleness', () => {
  assert.equal(read('max-stale').maxStaleMs, Number.POSITIVE_INFINITY);
  assert.equal(read('max-stale=0').maxStaleMs, 0);
  refused('max-stale=');
});

test('names are case-insensitive, arguments may be quoted, empty elements and white space are allowed', () => {
  assert.equal(read(' , MAX-AGE="10" ,\tNo-Cache,,').maxAgeMs, 10_000);
  assert.equal(read('Max-Age=0').maxAgeMs, 0);
  assert.equal(read('no-cache="a, b", max-age=1').maxAgeMs, 1000);
  assert.deepEqual(read(''), ORDINARY);
});

test('unknown directives are ignored, and the first of a repeated one counts', () => {
  assert.deepEqual(read('community="UCI", private, max-fresh=abc'), ORDINARY);
  assert.equal(read('max-age=5, max-age=9').maxAgeMs, 5000);
});

test('invalid seconds are an error, because ignoring them would serve something other than requested', () => {
  for (const field of [
    'max-age',
    'max-age=',
    'max-age=-1',
    'max-age=1.5',
    'max-age=1e3',
    'max-age=0x1',
    'max-age=abc',
    'min-fresh',
    'stale-if-error',
  ])
    refused(field);
  for (const field of ['max-age=1 2', 'max-age="1', '"x"', 'a=b=c', 'max-age =1', 'no-cache;x', '=1']) refused(field);
});

test('the pattern of the description accepts exactly what the service accepts', () => {
  const pattern = new RegExp(CACHE_CONTROL, 'u');
  const part = fc.constantFrom(
    'max-age',
    'Max-Stale',
    'min-fresh',
    'STALE-IF-ERROR',
    'no-cache',
    'max-aged',
    'x',
    '=',
    '"',
    '\\',
    ',',
    ' ',
    '\t',
    ';',
    '7',
    '60',
    '=60',
    '="6"',
    '="\\60"',
    '="a,b"',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
      const field = parts.join('');
      assert.equal(pattern.test(field), readFreshness(field, undefined).ok, JSON.stringify(field));
    }),
    { numRuns: 3000 },
  );
  refused('max-age=5, max-age=x');
  const long = `${' '.repeat(30_000)}x`.repeat(2);
  assert.equal(pattern.test(`${long};`), false, 'in linear time');
});

test('an overflowing number counts as 2^31 (RFC 9111, 1.2.2)', () => {
  assert.equal(read(`max-age=${'9'.repeat(400)}`).maxAgeMs, 2_147_483_648_000);
});

test('Pragma: no-cache counts only without Cache-Control', () => {
  assert.equal(read(undefined, 'no-cache').noCache, true);
  assert.equal(read(undefined, 'foo, No-Cache').noCache, true);
  assert.equal(read(undefined, 'foo').noCache, false);
  assert.equal(read('max-age=1', 'no-cache').noCache, false);
});

test('the no-cache that fetch() adds to a conditional request causes no new lookup; one that a caller writes does', () => {
  const conditional = (cacheControl?: string, pragma?: string) => {
    const result = readFreshness(cacheControl, pragma, true);
    return result.ok && result.value.noCache;
  };
  assert.equal(conditional('no-cache', 'no-cache'), false);
  assert.equal(conditional('no-cache'), true);
  assert.equal(conditional('no-cache, max-age=0', 'no-cache'), true);
  assert.equal(conditional(undefined, 'no-cache'), true);
  assert.equal(read('no-cache', 'no-cache').noCache, true);
});

test('any text gives a result or an error without a throw, in time linear in its length', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii', maxLength: 200 }), (text) => {
      const result = readFreshness(text, text);
      assert.equal(typeof result.ok, 'boolean');
    }),
    { numRuns: 2000 },
  );
  const before = process.threadCpuUsage();
  for (const long of [' \t'.repeat(16_000), `a=${'\\'.repeat(32_000)}`, 'a'.repeat(32_000), ','.repeat(32_000)])
    assert.equal(directivesOf(`${long}"`), null);
  assert.ok(process.threadCpuUsage(before).user < 500_000);
});

test('directives written by the grammar are read back, in any context', () => {
  const seconds = fc.integer({ min: 0, max: 2_000_000_000 });
  const blanks = fc.constantFrom('', ' ', '\t', ' , ', ',,');
  fc.assert(
    fc.property(
      fc.option(seconds),
      fc.option(seconds),
      fc.option(seconds),
      fc.boolean(),
      fc.boolean(),
      blanks,
      (age, stale, fresh, cache, quoted, blank) => {
        const argument = (n: number) => (quoted ? `"${n}"` : String(n));
        const parts = [
          ...(age === null ? [] : [`max-age=${argument(age)}`]),
          ...(stale === null ? [] : [`max-stale=${argument(stale)}`]),
          'x-other=1',
          ...(fresh === null ? [] : [`Min-Fresh=${argument(fresh)}`]),
          ...(cache ? ['no-cache'] : []),
        ];
        const ms = (n: number | null) => (n === null ? null : n * 1000);
        assert.deepEqual(read(parts.join(`,${blank}`)), {
          ...ORDINARY,
          noCache: cache,
          maxAgeMs: ms(age),
          maxStaleMs: ms(stale),
          minFreshMs: ms(fresh),
        });
      },
    ),
  );
});
