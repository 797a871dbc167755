import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { Answer, Failure, Reply } from '../answer.ts';
import { brokenOff, safeUrl, tooLarge } from './failures.ts';

export const ACCEPT_ENCODING = 'gzip, deflate, br, zstd';

/** A smaller body is decoded synchronously: that is faster than the thread pool. */
const SYNC_BYTES = 32_768;
const MAX_CODINGS = 3;

type Options = { readonly maxOutputLength: number };
type Decoder = readonly [(body: Uint8Array, options: Options) => Buffer, (body: Uint8Array, options: Options) => Promise<Buffer>];
const inflateRaw: Decoder = [zlib.inflateRawSync, promisify<Uint8Array, Options, Buffer>(zlib.inflateRaw)];
const DECODERS: ReadonlyMap<string, Decoder> = new Map([
  ['gzip', [zlib.gunzipSync, promisify<Uint8Array, Options, Buffer>(zlib.gunzip)]],
  ['deflate', [zlib.inflateSync, promisify<Uint8Array, Options, Buffer>(zlib.inflate)]],
  ['br', [zlib.brotliDecompressSync, promisify<Uint8Array, Options, Buffer>(zlib.brotliDecompress)]],
  ['zstd', [zlib.zstdDecompressSync, promisify<Uint8Array, Options, Buffer>(zlib.zstdDecompress)]],
]);
/** "deflate" is zlib by RFC 9110, but some servers send raw deflate: the first byte distinguishes them. */
function decoderOf(coding: string, [first = 0]: Uint8Array): Decoder {
  const decoder = coding === 'deflate' && (first & 0x0f) !== 8 ? inflateRaw : DECODERS.get(coding);
  if (!decoder) throw new Error('unknown content coding');
  return decoder;
}
/** The content codings (RFC 9110, 8.4), the last applied first. An empty body is valid under any coding. */
function codingsOf({ headers, body }: Answer): string[] {
  const named = body.length === 0 ? [] : (headers['content-encoding'] ?? '').toLowerCase().replaceAll('x-gzip', 'gzip').split(',');
  const codings = Array.from(named, (coding) => coding.trim()).filter((coding) => coding !== '' && coding !== 'identity');
  if (codings.length > MAX_CODINGS) throw new Error('too many content codings');
  return codings.reverse();
}
function decodeFailure(error: unknown, { url, headers }: Answer, maxBytes: number): Failure {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ERR_BUFFER_TOO_LARGE') return tooLarge(safeUrl(new URL(url)), `more than ${maxBytes} bytes decoded`);
  return brokenOff(safeUrl(new URL(url)), `${headers['content-encoding']?.slice(0, 40)}: ${message}`);
}

/** Decodes a body; one that ends early is unreachable, one that exceeds `maxBytes` is changed. With `byParser` a large body stays encoded. */
export async function decode(answer: Answer, maxBytes: number, byParser = false): Promise<Reply> {
  let { body } = answer;
  if (byParser && body.length > SYNC_BYTES && answer.headers['content-encoding'])
    return { tag: 'answer', answer: { ...answer, encoded: { maxBytes } } };
  try {
    for (const coding of codingsOf(answer)) {
      const [now, later] = decoderOf(coding, body);
      body = await (body.length <= SYNC_BYTES ? now : later)(body, { maxOutputLength: maxBytes });
    }
  } catch (error) {
    return decodeFailure(error, answer, maxBytes);
  }
  return { tag: 'answer', answer: { ...answer, body } };
}

/** Decodes a body that stayed encoded, on the calling thread. */
export function decodeEncoded({ encoded: _, ...answer }: Answer, maxBytes: number): Reply {
  let { body } = answer;
  try {
    for (const coding of codingsOf(answer)) body = decoderOf(coding, body)[0](body, { maxOutputLength: maxBytes });
  } catch (error) {
    return decodeFailure(error, answer, maxBytes);
  }
  return { tag: 'answer', answer: { ...answer, body } };
}
