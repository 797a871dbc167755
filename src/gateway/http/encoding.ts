import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import Negotiator from 'negotiator';

export type Encoding = 'br' | 'gzip';
const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);
const brotliOf = (quality: number) => ({ params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
/** Most of the gain in a tenth of the time of the highest quality. */
const QUICK = brotliOf(5);
/** The last 8 %, for files that are sent as long as the process lives. */
const SMALLEST = brotliOf(11);
/** A larger file would take longer than a tenth of a second. */
const SMALLEST_UP_TO_BYTES = 100_000;
export const COMPRESS_FROM_BYTES = 1024;

/** Available codings; of equally acceptable ones the first is used. */
const CODINGS: readonly Encoding[] = ['br', 'gzip'];

function negotiate(field: string): Encoding | null {
  // x-gzip is an alias (RFC 9110, 8.4.1.3)
  const headers = { 'accept-encoding': field.toLowerCase().replaceAll('x-gzip', 'gzip') };
  const chosen = new Negotiator({ headers }).encoding(CODINGS, { preferred: CODINGS });
  return CODINGS.find((coding) => coding === chosen) ?? null;
}

const negotiated = new Map<string, Encoding | null>();
/** The available content coding that the request prefers (RFC 9110, 12.5.3); null: identity. */
export function encodingOf(field: string | string[] | undefined): Encoding | null {
  if (typeof field !== 'string' || field === '') return null;
  const known = negotiated.get(field);
  if (known !== undefined) return known;
  const encoding = negotiate(field);
  // clients send few different values; the cache is bounded against clients that send many
  if (negotiated.size >= 256) negotiated.clear();
  if (field.length <= 256) negotiated.set(field, encoding);
  return encoding;
}

/** By original: the compressed bytes, or their compression in progress. They live as long as the original buffer. */
const variants = new WeakMap<Buffer, { [E in Encoding]?: Buffer | Promise<Buffer> }>();

export function compressed(bytes: Buffer, encoding: Encoding, isFile = false): Buffer | Promise<Buffer> {
  const known = variants.get(bytes) ?? {};
  variants.set(bytes, known);
  known[encoding] ??= (
    encoding === 'br' ? brotliAsync(bytes, isFile && bytes.length <= SMALLEST_UP_TO_BYTES ? SMALLEST : QUICK) : gzipAsync(bytes)
  ).then((made) => {
    known[encoding] = made;
    return made;
  });
  return known[encoding];
}
