import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { compressed, encodingOf } from './encoding.ts';

test('the preferred coding is used, brotli where both are equally acceptable', () => {
  const wants: [string | undefined, string | null][] = [
    [undefined, null],
    ['', null],
    ['identity', null],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['gzip;q=0', null],
    ['*', 'br'],
    ['*;q=0', null],
    ['br;q=0, *', 'gzip'],
    ['x-gzip', 'gzip'],
    ['GZIP;Q=1', 'gzip'],
    ['gzip;q=nonsense', null],
    ['deflate, zstd', null],
  ];
  for (const [field, encoding] of wants) assert.equal(encodingOf(field), encoding, String(field));
  for (const [field, encoding] of wants) assert.equal(encodingOf(field), encoding, `${field}, asked again`);
});

test('bytes are compressed once: a second request gets the same buffer synchronously', async () => {
  const bytes = Buffer.from('{"a":"b"}'.repeat(500));
  const [one, two] = await Promise.all([compressed(bytes, 'br'), compressed(bytes, 'br')]);
  assert.equal(one, two);
  assert.equal(compressed(bytes, 'br'), one);
  assert.ok(!Buffer.isBuffer(compressed(bytes, 'gzip')));
  assert.deepEqual(brotliDecompressSync(one), bytes);
  assert.deepEqual(gunzipSync(await compressed(bytes, 'gzip')), bytes);
});
