import { promisify } from 'node:util';
import zlib from 'node:zlib';

export const ACCEPT_ENCODING = 'gzip, deflate, br, zstd';

/** A smaller body is decoded synchronously: that is faster than the thread pool. */
const SYNC_BYTES = 32_768;
const MAX_CODINGS = 3;

type Sync = (body: Uint8Array, options: { maxOutputLength: number }) => Buffer;
type Async = (body: Uint8Array, options: { maxOutputLength: number }) => Promise<Buffer>;
const gunzip = [zlib.gunzipSync as Sync, promisify(zlib.gunzip) as Async] as const;
const inflate = [zlib.inflateSync as Sync, promisify(zlib.inflate) as Async] as const;
const inflateRaw = [zlib.inflateRawSync as Sync, promisify(zlib.inflateRaw) as Async] as const;
const brotli = [zlib.brotliDecompressSync as Sync, promisify(zlib.brotliDecompress) as Async] as const;
const zstd = [zlib.zstdDecompressSync as Sync, promisify(zlib.zstdDecompress) as Async] as const;

function decoderOf(coding: string, body: Uint8Array): readonly [Sync, Async] | null {
  if (coding === 'gzip' || coding === 'x-gzip') return gunzip;
  // "deflate" is zlib by RFC 9110, but some servers send raw deflate: the first byte distinguishes them
  if (coding === 'deflate') return ((body[0] ?? 0) & 0x0f) === 8 ? inflate : inflateRaw;
  if (coding === 'br') return brotli;
  return coding === 'zstd' ? zstd : null;
}

export type Decoded = { ok: true; body: Uint8Array } | { ok: false; fault: 'coding' | 'size' | 'broken'; why: string };

/**
 * Decodes a whole body from its content encoding (RFC 9110, 8.4). A stream that ends early is `broken`; one that decodes to more than
 * `maxBytes` is `size`. An empty body is valid under any coding.
 */
export async function decode(body: Uint8Array, contentEncoding: string | undefined, maxBytes: number): Promise<Decoded> {
  if (!contentEncoding || body.length === 0) return { ok: true, body };
  const codings = contentEncoding
    .toLowerCase()
    .split(',')
    .map((c) => c.trim())
    .filter((c) => c !== '' && c !== 'identity')
    .reverse();
  if (codings.length > MAX_CODINGS) return { ok: false, fault: 'coding', why: `${codings.length} content codings` };
  let bytes = body;
  for (const coding of codings) {
    const decoder = decoderOf(coding, bytes);
    if (!decoder) return { ok: false, fault: 'coding', why: `content coding ${coding.slice(0, 40)}` };
    const [now, later] = decoder;
    try {
      const options = { maxOutputLength: maxBytes };
      bytes = bytes.length <= SYNC_BYTES ? now(bytes, options) : await later(bytes, options);
    } catch (error) {
      const { code = '', message = '' } = error as { code?: string; message?: string };
      if (code === 'ERR_BUFFER_TOO_LARGE') return { ok: false, fault: 'size', why: `more than ${maxBytes} bytes decoded` };
      return { ok: false, fault: 'broken', why: `${coding}: ${message}` };
    }
  }
  return { ok: true, body: bytes };
}
