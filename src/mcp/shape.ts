import { hash } from 'node:crypto';
import { invalid, visibleJson } from '../contract/errors.ts';
import type { JsonObject } from '../contract/json-object.ts';

export interface ShapeOptions {
  readonly fields: readonly string[] | null;
  /** Entries of the main list; null: USUAL_ITEMS. */
  readonly maxItems: number | null;
  /** Position in the main list, and a digest of the list that it belongs to. */
  readonly cursor: Cursor | null;
}
export interface Cursor {
  readonly offset: number;
  readonly digest: string;
}

/** 6,000 tokens of 4 bytes: of the whole result of a call that names neither `fields` nor `maxItems`. */
export const MAX_USUAL_BYTES = 24_000;
/** 25,000 tokens: of any result. */
export const MAX_RESULT_BYTES = 100_000;
const USUAL_ITEMS = 20;
/** Of a result for what stands around the data. */
const FRAME_BYTES = 3_000;
/** The same of one answer of several, for each copy. */
const PART_FRAME_BYTES = 1_000;

/** Bytes that data take in a result: as JSON, and where it is there `twice` also as JSON within a JSON text. */
function sizeOf(data: unknown, twice: boolean): number {
  return Buffer.byteLength(JSON.stringify(data)) + (twice ? Buffer.byteLength(JSON.stringify(visibleJson(data))) : 0);
}

const digestOf = (list: readonly unknown[]): string => hash('sha256', JSON.stringify(list), 'base64url').slice(0, 10);
const encode = ({ offset, digest }: Cursor): string => Buffer.from(`${offset}.${digest}`).toString('base64url');
export function cursorOf(text: string): Cursor {
  const match = /^(\d{1,6})\.([\w-]{10})$/.exec(Buffer.from(text, 'base64url').toString());
  if (!match) throw invalid('Argument cursor is not the nextCursor of an answer: pass it as it came, or leave it out.');
  return { offset: Number(match[1]), digest: match[2] ?? '' };
}

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

interface Notes {
  readonly cut: Set<string>;
  readonly shortened: Set<string>;
}

/** Shortens texts above `maxCharacters`, and lists above `maxEntries` but the main one. */
function shorten(value: unknown, [maxCharacters, maxEntries]: Step, notes: Notes, path = ''): unknown {
  if (typeof value === 'string') {
    if (value.length <= maxCharacters) return value;
    notes.cut.add(path);
    return `${value.slice(0, maxCharacters).toWellFormed()}…`;
  }
  if (Array.isArray(value)) {
    if (value.length > maxEntries) notes.shortened.add(path);
    return value.slice(0, maxEntries).map((entry) => shorten(entry, [maxCharacters, maxEntries], notes, path));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      shorten(field, [maxCharacters, maxEntries], notes, path ? `${path}.${name}` : name),
    ]),
  );
}

type Step = readonly [number, number];
const STEPS: readonly Step[] = [
  [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
  [4_000, 200],
  [1_000, 50],
  [400, 20],
  [200, 10],
  [50, 5],
  [50, 1],
];
/** Texts are cut no further for the sake of more entries once this many are there. */
const ENOUGH_ENTRIES = 5;
/** Unless the caller names what he wants, texts are first cut to this. */
const USUAL_CHARACTERS = 400;

/**
 * An answer as its caller wants it, small enough for a model. `listName`: the main list of the resource. `twice`: the result has it as text too.
 * `answers`: how many share the result.
 */
export function shape(
  resource: JsonObject,
  listName: string | null,
  { fields, maxItems, cursor }: ShapeOptions,
  twice: boolean,
  answers = 1,
) {
  const full = listName === null ? undefined : resource[listName];
  const list: readonly unknown[] = Array.isArray(full) ? full : [];
  const wantsList = listName !== null && list.length > 0 && (!fields || fields.some((f) => f === listName || f.startsWith(`${listName}.`)));
  const offset = wantsList ? Math.min(cursor?.offset ?? 0, list.length) : 0;
  const entries = wantsList ? list.slice(offset, offset + (maxItems ?? USUAL_ITEMS)) : [];
  const isUsual = !fields && maxItems === null;
  const most = isUsual ? MAX_USUAL_BYTES : MAX_RESULT_BYTES;
  const own = Math.min(most, (MAX_RESULT_BYTES - FRAME_BYTES) / answers);
  const budget = answers === 1 ? most - FRAME_BYTES : own - PART_FRAME_BYTES * (twice ? 2 : 1);
  const chosen = (value: unknown) => (fields ? project(value, fields) : value);
  const paths = fields?.includes(listName ?? '')
    ? null
    : fields?.filter((f) => f.startsWith(`${listName}.`)).map((f) => f.slice(`${listName}.`.length));
  let data: JsonObject = {};
  let count = 0;
  let notes: Notes = { cut: new Set(), shortened: new Set() };
  for (const step of STEPS) {
    notes = { cut: new Set(), shortened: new Set() };
    data = shorten(chosen(wantsList ? { ...resource, [listName]: [] } : resource), step, notes) as JsonObject;
    let left = budget - sizeOf(data, twice);
    const page: unknown[] = [];
    for (const entry of entries) {
      const own: Notes = { cut: new Set(), shortened: new Set() };
      const item = shorten(paths ? project(entry, paths) : entry, step, own, listName ?? '');
      left -= sizeOf(item, twice) + 2;
      if (left < 0) break;
      for (const path of own.cut) notes.cut.add(path);
      for (const path of own.shortened) notes.shortened.add(path);
      page.push(item);
    }
    count = page.length;
    if (wantsList) data = { ...data, [listName]: page };
    if (left >= 0 || (count >= ENOUGH_ENTRIES && (!isUsual || step[0] <= USUAL_CHARACTERS))) break;
  }
  const end = offset + count;
  const digest = digestOf(list);
  const more = wantsList && end < list.length;
  const leftOut: string[] = [];
  const lost = [...notes.cut, ...notes.shortened];
  if (notes.cut.size) leftOut.push(`Texts that end with … are cut: ${[...notes.cut].join(', ')}.`);
  if (notes.shortened.size) leftOut.push(`Lists that are shortened: ${[...notes.shortened].join(', ')}.`);
  if (lost.length)
    leftOut.push(
      `For more of them call again with fields ${JSON.stringify(lost)}, a small maxItems and cursor ${JSON.stringify(encode({ offset, digest }))}, which reads this same answer.`,
    );
  if (wantsList && (offset > 0 || more))
    leftOut.push(
      `${listName}: entries ${offset + 1} to ${end} of ${list.length} are here${more ? '; call again with the same arguments and nextCursor as cursor for the next' : ''}.`,
    );
  if (cursor && cursor.digest !== digest)
    leftOut.push(
      'The data was looked up again since the previous part: entries may be repeated or missing. Call without cursor to start over.',
    );
  return { data, leftOut, nextCursor: more ? encode({ offset: end, digest }) : null };
}
