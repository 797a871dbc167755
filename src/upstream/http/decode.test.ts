import assert from 'node:assert/strict';
import test from 'node:test';
import zlib from 'node:zlib';
import fc from 'fast-check';
import { decodeEncoded, decode as decodeOnArrival } from './decode.ts';

const ENCODERS: Record<string, (body: Uint8Array) => Buffer> = {
  gzip: zlib.gzipSync,
  'x-gzip': zlib.gzipSync,
  deflate: zlib.deflateSync,
  br: (body) => zlib.brotliCompressSync(body, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } }),
  zstd: zlib.zstdCompressSync,
};
interface Decoded {
  readonly fault: '' | 'size' | 'broken' | 'coding';
  readonly body?: Uint8Array;
}
/** Decodes as the client does and as a parser thread does, which must agree. */
async function decode(body: Uint8Array, coding: string, maxBytes: number): Promise<Decoded> {
  const answer = { status: 200, headers: { 'content-encoding': coding }, body, url: 'https://a.example/', atMs: 0 };
  const reply = await decodeOnArrival(answer, maxBytes);
  assert.deepEqual(decodeEncoded({ ...answer, encoded: { maxBytes } }, maxBytes), reply);
  if (reply.tag === 'answer') return { fault: '', body: reply.answer.body };
  assert.equal(reply.tag, /more than/.test(reply.detail ?? '') ? 'changed' : 'unreachable');
  const [, fault] = /(more than \d+ bytes|content coding)/.exec(reply.detail ?? '') ?? [];
  if (!fault) return { fault: 'broken' };
  return { fault: fault === 'content coding' ? 'coding' : 'size' };
}
const MAX = 4_000_000;
const text = Buffer.from('what was asked for, many times over. '.repeat(40));

test('a body is decoded unchanged from every coding, small and large', async () => {
  const large = Buffer.concat(Array.from({ length: 600 }, (_, i) => Buffer.from(`${i} ${Math.sin(i)} `.repeat(9))));
  for (const [coding, encode] of Object.entries(ENCODERS))
    for (const body of [Buffer.from('x'), text, large]) {
      const decoded = await decode(encode(body), coding, MAX);
      assert.ok(decoded.body && Buffer.compare(decoded.body, body) === 0, `${coding}, ${body.length} bytes`);
    }
});

test('raw deflate, upper case names, identity and two stacked codings are decoded', async () => {
  for (const [body, coding] of [
    [zlib.deflateRawSync(text), 'deflate'],
    [zlib.gzipSync(text), 'GZIP'],
    [text, 'identity'],
    [zlib.brotliCompressSync(zlib.gzipSync(text)), 'gzip, br'],
  ] as const) {
    const decoded = await decode(body, coding, MAX);
    assert.ok(decoded.body && Buffer.compare(decoded.body, text) === 0, coding);
  }
});

test('a stream that ends early is never a body, at whatever byte it ends', async () => {
  const names = fc.constantFrom(...Object.keys(ENCODERS));
  await fc.assert(
    fc.asyncProperty(
      names,
      fc.uint8Array({ minLength: 20, maxLength: 400 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      async (coding, body, part) => {
        const encoded = ENCODERS[coding]?.(body) ?? Buffer.alloc(0);
        const cut = encoded.subarray(0, Math.max(1, Math.floor(encoded.length * part)));
        assert.equal((await decode(cut, coding, MAX)).fault, 'broken');
      },
    ),
  );
});

test('decoding stops at the size limit, small and large', async () => {
  for (const [coding, encode] of Object.entries(ENCODERS))
    for (const size of [100_000, 60_000_000].slice(0, coding === 'gzip' ? 2 : 1)) {
      const decoded = await decode(encode(Buffer.alloc(size)), coding, 50_000);
      assert.equal(decoded.fault, 'size', coding);
    }
});

test('an empty body is valid under any coding; an unknown coding and a wrong one are errors', async () => {
  assert.deepEqual(await decode(Buffer.alloc(0), 'gzip', MAX), { fault: '', body: Buffer.alloc(0) });
  for (const coding of ['compress', 'aws-chunked', 'gzip, gzip, gzip, gzip']) {
    const decoded = await decode(text, coding, MAX);
    assert.equal(decoded.fault, 'coding', coding);
  }
  const plain = await decode(text, 'gzip', MAX);
  assert.equal(plain.fault, 'broken');
});
