import { type Answer, bodyText } from '../../upstream/answer.ts';

export interface PageSource {
  /** The page without the content of scripts and styles, which is most of it; the tree is built from this. */
  readonly markup: string;
  /** The whole page in UTF-8: what is needed of it is decoded where it is needed. */
  readonly bytes: Buffer;
}

const NAMED = /charset\s*=\s*["']?([\w-]+)/i;

const MARKS: readonly (readonly [string, readonly number[]])[] = [
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
  ['utf-8', [0xef, 0xbb, 0xbf]],
];
/** The charset of the byte order mark, the header or the page's head; UTF-8 by default, and where a head that can be read as it is names UTF-16. */
function charsetOf({ body, headers }: Answer): string {
  const marked = MARKS.find(([, mark]) => mark.every((byte, i) => body[i] === byte))?.[0] ?? NAMED.exec(headers['content-type'] ?? '')?.[1];
  if (marked !== undefined) return marked;
  const head = bytesOf(body).toString('latin1', 0, 2048);
  const label = NAMED.exec(/<meta[^>]+charset[^>]*>/i.exec(head)?.[0] ?? '')?.[1] ?? '';
  return /^(?:utf-?16|$)/i.test(label) ? 'utf-8' : label;
}
const isUtf8 = (label: string): boolean => /^utf-?8$/i.test(label);

/** The page in its charset. */
export function pageSource(answer: Answer): PageSource {
  const label = charsetOf(answer);
  return sourceOf(isUtf8(label) ? answer.body : Buffer.from(decode(answer.body, label)));
}
/** The whole page as text. */
export function pageText(answer: Answer): string {
  const label = charsetOf(answer);
  return isUtf8(label) ? bodyText(answer) : decode(answer.body, label);
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
export const hasEndTag = (page: Buffer | string, name = 'html'): boolean =>
  page.includes(`</${name}`) || page.includes(`</${name.toUpperCase()}`);
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

const [SLASH, EQUALS, DOUBLE, SINGLE] = [0x2f, 0x3d, 0x22, 0x27];
/** The place behind the tag that is open at `from`, whose attributes may hold `>` in quotes; 0 if it does not end. `codeAt`: NaN behind the end. */
export function endOfTag(codeAt: (place: number) => number, from: number): number {
  let quote = 0;
  let isValue = false;
  for (let place = from; ; place++) {
    const code = codeAt(place);
    if (Number.isNaN(code)) return 0;
    if (quote !== 0) {
      if (code === quote) quote = 0;
    } else if (code === GREATER) return place + 1;
    else if (isValue && (code === DOUBLE || code === SINGLE)) quote = code;
    isValue = code === EQUALS || (isValue && code !== SLASH && ENDS_NAME.has(code));
  }
}
/** The value of an attribute of a tag; null if it has none. */
export function attributeIn(tag: string, name: string): string | null {
  for (const [, key = '', double, single, bare] of tag.matchAll(ATTRIBUTE))
    if (key.toLowerCase() === name) return double ?? single ?? bare ?? '';
  return null;
}
const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]*)))?/g;

/** The bytes with scripts and styles emptied; their tags remain. An unclosed element stays unchanged. */
export function withoutScripts(bytes: Buffer): Buffer {
  const pieces: Buffer[] = [];
  let copied = 0;
  const codeAt = (place: number): number => bytes[place] ?? Number.NaN;
  const next = { script: bytes.indexOf('<script'), style: bytes.indexOf('<style') };
  while (next.script >= 0 || next.style >= 0) {
    const name = next.style < 0 || (next.script >= 0 && next.script < next.style) ? 'script' : 'style';
    const start = next[name];
    const named = start + 1 + name.length;
    const isTag = ENDS_NAME.has(bytes[named] ?? 0);
    const from = isTag ? endOfTag(codeAt, named) : 0;
    const to = from > 0 ? bytes.indexOf(`</${name}`, from) : -1;
    // all that follows is within it
    if (isTag && to < 0) break;
    if (isTag) {
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
