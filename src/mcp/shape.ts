import { hash } from 'node:crypto';
import { ServiceError } from '../contract/errors.ts';

type Fields = Readonly<Record<string, unknown>>;

/** How a caller wants an answer. */
export interface Wish {
  /** Dotted paths to keep; null: all. */
  readonly fields: readonly string[] | null;
  /** Entries of the main list; null: as many as fit. */
  readonly maxItems: number | null;
  /** Position in the main list, and a digest of the list that it belongs to. */
  readonly cursor: Cursor | null;
}
export interface Cursor {
  readonly offset: number;
  readonly digest: string;
}
export interface Shaped {
  readonly data: Fields;
  /** What was left out, and how to get it; empty: nothing. */
  readonly leftOut: readonly string[];
  readonly nextCursor: string | null;
}

/** 25,000 tokens of 4 bytes: of the whole result, which holds the answer twice, as an object and as text. */
export const MAX_RESULT_BYTES = 100_000;
/** Of that for what stands around the data. */
const FRAME_BYTES = 3_000;

/** Bytes that data take in a result: as JSON, and as JSON within a JSON text. */
function sizeOf(data: unknown): number {
  const json = JSON.stringify(data);
  return Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(textOf(json)));
}

/** JSON without characters that a reader cannot see: format characters and C1 controls are escaped, which changes nothing for a parser. */
export const textOf = (json: string): string =>
  json.replace(/[\p{Cf}\u007f-\u009f\u2028\u2029]/gu, (c) =>
    [...Array(c.length).keys()].map((i) => `\\u${c.charCodeAt(i).toString(16).padStart(4, '0')}`).join(''),
  );

const digestOf = (list: readonly unknown[]): string => hash('sha256', JSON.stringify(list), 'base64url').slice(0, 10);
const encode = ({ offset, digest }: Cursor): string => Buffer.from(`${offset}.${digest}`).toString('base64url');
/** Throws INVALID_REQUEST. */
export function cursorOf(text: string): Cursor {
  const match = /^(\d{1,6})\.([\w-]{10})$/.exec(Buffer.from(text, 'base64url').toString());
  if (!match)
    throw new ServiceError('INVALID_REQUEST', 'Argument cursor is not the nextCursor of an answer: pass it as it came, or leave it out.');
  return { offset: Number(match[1]), digest: match[2] ?? '' };
}

/** The fields that these paths name, in the order of the resource. */
function project(value: unknown, paths: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((entry) => project(entry, paths));
  if (typeof value !== 'object' || value === null) return value;
  const chosen: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value)) {
    if (paths.includes(name)) chosen[name] = field;
    else {
      const deeper = paths.filter((path) => path.startsWith(`${name}.`)).map((path) => path.slice(name.length + 1));
      if (deeper.length) chosen[name] = project(field, deeper);
    }
  }
  return chosen;
}

/** Shortens texts above `maxCharacters`, and lists above `maxEntries` but the main one. */
function shorten(value: unknown, maxCharacters: number, maxEntries: number, noted: Set<string>, path = ''): unknown {
  if (typeof value === 'string') {
    if (value.length <= maxCharacters) return value;
    noted.add(`${path}: texts are cut after ${maxCharacters} characters, and end with …`);
    return `${value.slice(0, maxCharacters).toWellFormed()}…`;
  }
  if (Array.isArray(value)) {
    if (value.length > maxEntries) noted.add(`${path}: only the first ${maxEntries} entries are here`);
    return value.slice(0, maxEntries).map((entry) => shorten(entry, maxCharacters, maxEntries, noted, path));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, shorten(field, maxCharacters, maxEntries, noted, path ? `${path}.${name}` : name)]),
  );
}

/** Ever shorter, until one entry of the main list fits. */
const STEPS = [
  [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
  [4_000, 200],
  [1_000, 50],
  [200, 20],
  [50, 5],
] as const;
/** Entries of the main list that a page must hold before its texts are cut for more of them. */
const ENOUGH_ENTRIES = 5;

/** An answer as its caller wants it, and small enough for a model. `listName`: the main list of the resource; null: it has none. */
export function shape(resource: Fields, listName: string | null, wish: Wish): Shaped {
  const full = listName === null ? undefined : resource[listName];
  const list: readonly unknown[] = Array.isArray(full) ? full : [];
  const { fields, cursor } = wish;
  const wantsList = listName !== null && list.length > 0 && (!fields || fields.some((f) => f === listName || f.startsWith(`${listName}.`)));
  const offset = wantsList ? Math.min(cursor?.offset ?? 0, list.length) : 0;
  const entries = list.slice(offset, wish.maxItems === null ? undefined : offset + wish.maxItems);
  const budget = MAX_RESULT_BYTES - FRAME_BYTES;
  let data: Fields = {};
  let count = 0;
  let noted = new Set<string>();
  for (const [maxCharacters, maxEntries] of STEPS) {
    noted = new Set();
    const whole = wantsList ? { ...resource, [listName]: [] } : resource;
    const chosen = (value: unknown) => (fields ? project(value, fields) : value);
    const base = shorten(chosen(whole), maxCharacters, maxEntries, noted) as Fields;
    if (!wantsList) {
      data = base;
      if (sizeOf(data) <= budget) break;
      continue;
    }
    const paths = fields?.includes(listName)
      ? null
      : fields?.filter((f) => f.startsWith(`${listName}.`)).map((f) => f.slice(listName.length + 1));
    let left = budget - sizeOf(base);
    const page: unknown[] = [];
    for (const entry of entries) {
      const own = new Set<string>();
      const item = shorten(paths ? project(entry, paths) : entry, maxCharacters, maxEntries, own, listName);
      left -= sizeOf(item) + 2;
      if (left < 0) break;
      for (const note of own) noted.add(note);
      page.push(item);
    }
    count = page.length;
    data = { ...base, [listName]: page };
    if (left >= 0 || count >= Math.min(ENOUGH_ENTRIES, entries.length)) break;
  }
  const end = offset + count;
  const more = wantsList && end < list.length;
  const leftOut = [...noted].map((note) => `${note}; name the field in fields, and set maxItems, to get more of it.`);
  if (wantsList && (offset > 0 || more))
    leftOut.push(
      `${listName}: entries ${offset + 1} to ${end} of ${list.length} are here${more ? '; call again with the same arguments and cursor for the next' : ''}.`,
    );
  const digest = wantsList ? digestOf(list) : '';
  if (cursor && cursor.digest !== digest)
    leftOut.push('The data was read anew since the part before: entries may repeat or lack. Call without cursor to begin again.');
  return { data, leftOut, nextCursor: more ? encode({ offset: end, digest }) : null };
}
