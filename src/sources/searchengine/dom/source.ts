import type { Answer } from '../../../upstream/answer.ts';

/** A page as received. */
export interface PageSource {
  /** The page without the content of scripts and styles, which is most of it; the tree is built from this. */
  readonly markup: string;
  /** The whole page. */
  readonly whole: () => string;
  readonly has: (ascii: string) => boolean;
  /** That many characters from the first occurrence of `ascii`; null if there is none. */
  readonly from: (ascii: string, length: number) => string | null;
}

const NAMED = /charset\s*=\s*["']?([\w-]+)/i;

/** The page decoded with the charset of the header or of the page's head; UTF-8 by default. */
export function pageSource(answer: Answer): PageSource {
  const bytes = Buffer.from(answer.body.buffer, answer.body.byteOffset, answer.body.byteLength);
  const head = bytes.toString('latin1', 0, 2048);
  const label =
    NAMED.exec(answer.headers['content-type'] ?? '')?.[1] ?? NAMED.exec(/<meta[^>]+charset[^>]*>/i.exec(head)?.[0] ?? '')?.[1] ?? 'utf-8';
  return /^utf-?8$/i.test(label) ? utf8Source(bytes) : textSource(decode(bytes, label));
}

/** The usual case: removed content is never decoded. */
function utf8Source(bytes: Buffer): PageSource {
  let text: string | null = null;
  return {
    markup: utf8(withoutScripts(bytes)),
    whole: () => (text ??= utf8(bytes)),
    has: (ascii) => bytes.lastIndexOf(ascii, undefined, 'latin1') >= 0,
    from(ascii, length) {
      const at = bytes.indexOf(ascii, 0, 'latin1');
      return at < 0 ? null : bytes.toString('utf8', at, at + length);
    },
  };
}
export function textSource(text: string): PageSource {
  return {
    markup: text,
    whole: () => text,
    has: (ascii) => text.includes(ascii),
    from(ascii, length) {
      const at = text.indexOf(ascii);
      return at < 0 ? null : text.slice(at, at + length);
    },
  };
}

function utf8(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}
function decode(bytes: Buffer, label: string): string {
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
    const at = next[name];
    const named = at + 1 + name.length;
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
