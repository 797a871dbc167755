import { Parser } from 'htmlparser2';
import { isRole, type Role } from '../facts.ts';
import { charsetOf } from '../registries.ts';
import type { Field, Labels } from './labels.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });
const ESCAPE = 0x1b;

/** Decodes a WHOIS answer: ISO-2022-JP by its escapes, else UTF-8, else the server's charset, else windows-1252. */
export function decodeWhois(bytes: Uint8Array, host: string): string {
  const escaped = bytes[bytes.indexOf(ESCAPE) + 1];
  if (bytes.includes(ESCAPE) && (escaped === 0x24 || escaped === 0x28)) return new TextDecoder('iso-2022-jp').decode(bytes);
  try {
    return utf8.decode(bytes);
  } catch {
    return new TextDecoder(charsetOf(host)).decode(bytes); // not UTF-8: the server's older charset
  }
}

/** The lines of an answer (CRLF, LF, CR, or HTML's line break). Runs of blank lines become one; the blank lines of a double-spaced text are removed. */
export function linesOf(text: string): readonly string[] {
  // NUL ends the strings of some servers
  const bare = text.includes('\0') ? text.replaceAll('\0', '') : text;
  const plain = bare.includes('<br') || bare.includes('<BR') ? bare.replaceAll(HTML_BREAK, '\n') : bare;
  const all = plain.split(/\r[ \t]*\n|\n|\r/);
  const isFilled = all.map((line) => line.trim() !== '');
  const isDouble = !isFilled.some((is, i) => is && isFilled[i + 1]) && isFilled.filter(Boolean).length >= MIN_DOUBLE_SPACED;
  return all.filter((_, i) => isFilled[i] || (isDouble ? !isFilled[i - 1] && isFilled[i - 2] : i === 0 || isFilled[i - 1]));
}
const HTML_BREAK = /<br ?\/?>/gi;
/** With fewer lines, blank lines may be intentional. */
const MIN_DOUBLE_SPACED = 5;

/** Decodes HTML entities; accented letters and the entities of XML also without their semicolon. */
export const decoded = (text: string): string => (text.includes('&') ? text.replace(ENTITY, characterOf) : text);
function characterOf(entity: string): string {
  const pieces: string[] = [];
  new Parser({ ontext: (piece) => pieces.push(piece) }).end(entity);
  return pieces.join('').normalize('NFC').trim() || ' ';
}
const ENTITY =
  /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,31}\d{0,2});|&(?:[a-z](?:acute|grave|circ|uml|tilde|cedil|ring|slash|caron)|[ao]elig|szlig|amp|quot|lt|gt|nbsp)\b/gi;

/** A label in the form of the tables: lower case, single spaces, without brackets and without dots, `#` or a number at its end. */
export function keyOf(label: string): string {
  const lower = label.toLowerCase();
  if (PLAIN.test(lower)) return lower;
  const bare = lower
    .replaceAll('’', "'")
    .replace(/\([^)]*\)?/g, ' ')
    .replace(/[_\s]{2,}|[^\S ]|_/g, ' ')
    .replace(/[\s.#*]+$/, '')
    .replace(/[ -]?\d+$/, '')
    .trim();
  const slash = bare.lastIndexOf(' / ');
  return slash > 0 && !bare.startsWith('domain owners') && !bare.startsWith('cdn') ? bare.slice(slash + 3) : bare;
}
const PLAIN = /^[a-z]+(?:[ /-][a-z]+)*$/;
/** A longer text before a colon is a sentence. */
const MAX_LABEL = 72;
/** A label that a remark in brackets explains. */
const EXPLAINED_LABEL = /^([^:()]{1,72}?)\s*\([^()]{1,400}\)\s*:/;
const LABEL = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} \t_\-./()&'#*,’]*$/u;

/** `key`: see `keyOf`. `spaced`: white space, a dot leader or the end of the line follows the colon; otherwise it may be the colon of a time or a URL. */
export function splitLine(body: string) {
  let colon = body.indexOf(':');
  if (colon < 1) return null;
  let label = body.slice(0, colon);
  if (colon > MAX_LABEL) {
    const [explained, short] = EXPLAINED_LABEL.exec(body) ?? [];
    if (explained === undefined || short === undefined) return null;
    colon = explained.length - 1;
    label = short;
  }
  const lower = label.toLowerCase();
  const isPlain = PLAIN.test(lower);
  if (!isPlain && !LABEL.test(label)) return null;
  const next = body.charCodeAt(colon + 1);
  const value = body.slice(colon + 1).trim();
  const isLed = next === 46 && value.startsWith('..');
  const spaced = isLed || Number.isNaN(next) || next === 32 || next === 9 || next === 0xa0;
  return { key: isPlain ? lower : keyOf(label), value: isLed ? value.replace(/^\.+\s*/, '') : value, spaced };
}

/** Two pairs if a tab or three spaces separate the first value from a label of the domain; none if there is no label. */
export function splitPairs(body: string, labels: Labels) {
  const first = splitLine(body);
  if (!first) return [];
  const gap = first.value.search(/\t| {3}/);
  const second = gap > 0 ? splitLine(first.value.slice(gap).trimStart()) : null;
  if (!second?.spaced || second.value === '' || !labels(second.key).ofDomain) return [first];
  return [{ ...first, value: first.value.slice(0, gap) }, second];
}

export const indentOf = (line: string): number => {
  let n = 0;
  while (n < line.length && (line.charCodeAt(n) === 32 || line.charCodeAt(n) === 9 || line.charCodeAt(n) === 0xa0)) n++;
  return n;
};

const SENTENCE =
  /^(?:(?:record|domain|entry)\s+(created|registered|expires|(?:last )?(?:updated|changed|modified)|will expire)|(registered))\s+on:?\s+(.+)$/i;
/** In place of the holder, at the registry of .rs. */
const PRIVACY = /^whois privacy has been activated\b/i;
const COLUMNS = /^([a-z][a-z ]{2,28}[a-z])(?: {2,}|\t+)(\S.*)$/i;
const IN_COLUMNS = /^(?:domain|created|expires|updated|status|ns|registrar(?:Name)?|dnssec)$/;
const NAME_AND_STATE = /^domain\s+([\p{L}\p{N}\p{M}-]+(?:\.[\p{L}\p{N}\p{M}-]+)+)\s+\(([a-z, ]+)\)$/iu;
export const BRACKET = /^(?:[a-z]{1,2}\. )?\[([^\]]{1,40})\]\s*(.*)$/;
/** A host alone on its line, or followed by an address, a status or a record type; that of a WHOIS server, as at the end of an answer, is none of a zone. */
const HOST_LINE =
  /^(?:-\s+)?(?!whois\.)([\p{L}\p{N}\p{M}_-]+(?:\.[\p{L}\p{N}\p{M}_-]+)+\.?)(?:\s*$|[\s,]+(?:[\d[(|<]|[a-f0-9]{0,4}:|NS\s|OK\b).*$)/iu;

/** Two or more hosts on one line, without addresses. */
export const SEVERAL_HOSTS = /^(?:(?:[\p{L}\p{N}_-]+\.)+[\p{L}\p{N}-]*\p{L}[\p{L}\p{N}-]*\.?(?:[\s,;]+|$)){2,}$/u;

export const holdsHosts = (body: string): boolean => HOST_LINE.test(body) || SEVERAL_HOSTS.test(body);

const COMMENT = { blank: true, body: '' } as const;
/** By the first character: comments, trailers and starred headings end a block (`blank`), a rule is null, a bullet is removed. */
export function markOf(first: number, body: string): { readonly blank: boolean; readonly body: string } | null {
  if (first === 37 || first === 35 || first === 62 || (first === 38 && body.startsWith('&gt;'))) return COMMENT;
  if (first === 42) {
    if (body.startsWith('** ')) return { blank: true, body: body.slice(3).trimStart() };
    const starred = /^\*{3} (.{1,100}) \*{3}$/.exec(body)?.[1];
    return starred === undefined ? null : { blank: false, body: starred };
  }
  if (first === 45 || first === 61) return /^-\s+[\p{L}\p{N}_]/u.test(body) ? { blank: false, body: body.replace(/^-\s+/, '') } : null;
  return { blank: false, body };
}

/** The contact section that a comment announces ("% Registrant:"); else null. */
export function announcedBy(comment: string, labels: Labels): Role | null {
  const named = comment.endsWith(':') ? /^\s*[%#]+\s*(\p{L}[\p{L} /-]{2,40}):$/u.exec(comment)?.[1] : undefined;
  const section = named && labels(keyOf(named)).heading;
  return section && isRole(section) ? section : null;
}

/** Whether an empty label begins a block: the next line is blank, indented deeper, or has no label. */
export function isBlockBelow(next: string, indent: number): boolean {
  const line = next.trimEnd();
  if (line === '') return true;
  return indentOf(line) > indent || !splitLine(line.trimStart())?.spaced;
}

type Statement = { readonly field: Field; readonly value: string; readonly domain?: string };
/** `Label    value` in columns with a known label of the domain, or a sentence ("Record created on …"); null for other text. */
export function statementOf(body: string, labels: Labels): Statement | null {
  const [, label, value = ''] = (body.length < 100 && / {2}|\t/.test(body) && COLUMNS.exec(body)) || [];
  const field = labels(label?.toLowerCase() ?? '').ofDomain;
  if (field && IN_COLUMNS.test(field)) return { field, value };
  const first = body.charCodeAt(0) | 32;
  if (first === 119 && PRIVACY.test(body)) return { field: 'registrant.name', value: body }; // w
  if (first !== 114 && first !== 100 && first !== 101) return null; // r, d, e
  const named = NAME_AND_STATE.exec(body);
  if (named) return { field: 'status', value: named[2] ?? '', domain: named[1] ?? '' };
  const sentence = SENTENCE.exec(body);
  if (!sentence) return null;
  const verb = (sentence[1] ?? sentence[2] ?? '').toLowerCase();
  return { field: verb.includes('expire') ? 'expires' : /updat|chang|modif/.test(verb) ? 'updated' : 'created', value: sentence[3] ?? '' };
}
