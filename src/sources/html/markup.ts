import type { Answer } from '../../upstream/answer.ts';

export interface PageSource {
  /** The page without the content of scripts and styles, which is most of it; the tree is built from this. */
  readonly markup: string;
  /** The whole page in UTF-8: what is needed of it is decoded where it is needed. */
  readonly bytes: Buffer;
}

const NAMED = /charset\s*=\s*["']?([\w-]+)/i;

/** The page in the charset of the header or of the page's head; UTF-8 by default. */
export function pageSource({ body, headers }: Answer): PageSource {
  const head = bytesOf(body).toString('latin1', 0, 2048);
  const label =
    NAMED.exec(headers['content-type'] ?? '')?.[1] ?? NAMED.exec(/<meta[^>]+charset[^>]*>/i.exec(head)?.[0] ?? '')?.[1] ?? 'utf-8';
  return sourceOf(/^utf-?8$/i.test(label) ? body : Buffer.from(decode(body, label)));
}
/** The same for UTF-8. */
export function sourceOf(
  body: Uint8Array,
  markup = withoutScripts(bytesOf(body))
    .toString()
    .replace(/^\ufeff/, ''),
): PageSource {
  return { markup, bytes: bytesOf(body) };
}
/** Whether the document was received to its end: a page that lost its connection has no end tag. */
export const hasEndTag = (page: Buffer | string): boolean => page.includes('</html') || page.includes('</HTML');
const bytesOf = (body: Uint8Array): Buffer => Buffer.from(body.buffer, body.byteOffset, body.byteLength);
function decode(bytes: Uint8Array, label: string): string {
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes); // an unknown charset
  }
}

const GREATER = 0x3e;
/** Follows the tag name: white space, slash or the end of the tag; `<scripted>` is another element. */
const ENDS_NAME = new Set([0x09, 0x0a, 0x0c, 0x0d, 0x20, 0x2f, GREATER]);

/** The bytes with scripts and styles emptied; their tags remain. An unclosed element stays unchanged. */
export function withoutScripts(bytes: Buffer): Buffer {
  const pieces: Buffer[] = [];
  let copied = 0;
  const next = { script: bytes.indexOf('<script'), style: bytes.indexOf('<style') };
  while (next.script >= 0 || next.style >= 0) {
    const name = next.style < 0 || (next.script >= 0 && next.script < next.style) ? 'script' : 'style';
    const start = next[name];
    const named = start + 1 + name.length;
    const from = ENDS_NAME.has(bytes[named] ?? 0) ? bytes.indexOf(GREATER, named) + 1 : 0;
    const to = from > 0 ? bytes.indexOf(`</${name}`, from) : -1;
    if (from > 0 && to < 0) break;
    if (from > 0) {
      pieces.push(bytes.subarray(copied, from));
      copied = to;
    }
    const on = Math.max(named, to);
    for (const each of ['script', 'style'] as const) if (next[each] >= 0 && next[each] < on) next[each] = bytes.indexOf(`<${each}`, on);
  }
  if (pieces.length === 0) return bytes;
  pieces.push(bytes.subarray(copied));
  return Buffer.concat(pieces);
}
