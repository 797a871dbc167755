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

test('a file, which is sent as long as the process lives, becomes smaller than an answer', async () => {
  const text = Array.from({ length: 2_000 }, (_, n) => `export const ${'abcdefgh'[n % 8]}${n} = (${n * 7919}) => "${n % 97}";`).join('\n');
  const [answer, file] = await Promise.all([compressed(Buffer.from(text), 'br'), compressed(Buffer.from(text), 'br', true)]);
  assert.ok(file.length < answer.length, `${file.length} of ${answer.length} bytes`);
  assert.equal(brotliDecompressSync(file).toString(), text);
});
