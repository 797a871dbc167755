import { isObject } from '../contract/json-object.ts';
import { readTable } from '../runtime/table.ts';
import type { EvidenceOf } from './evidence.ts';
import {
  absent,
  blocked,
  changed,
  finallyBlocked,
  limited,
  type NotFound,
  refused,
  refusedAccount,
  timeout,
  unexplained,
  unreachable,
} from './outcome.ts';

/** Regular expressions from a table: a row a kind and a part. Each matches what any part of its kind matches, between `before` and `after`. */
export function patternsIn(file: URL) {
  const rows = readTable(file);
  return (kind: string, before = '', after = '', flags = 'i'): RegExp =>
    new RegExp(`${before}(?:${rows.flatMap(([of, part = '']) => (of === kind ? part : [])).join('|')})${after}`, flags);
}

const slow = (what: string, detail: string) => limited(what, null, detail);
const account = (what: string, detail: string) => refusedAccount(what, detail);
const unclear = (what: string, detail: string): NotFound => ({ ...unexplained(what, detail), counts: false });
const OUTCOMES = { account, blocked, closed: finallyBlocked, changed, limited: slow, refused, timeout, unclear, unreachable };
const none: EvidenceOf = (name) => {
  throw new Error(`a table without evidence has the outcome absent, ${name}`);
};
/**
 * The outcome of what a platform says, by a table: place, pattern of its words or code (any case), outcome, words for clients, and of `absent`
 * the name of its evidence. `closed`: what was asked for exists and is not shown; `account`: our own credentials or limit. The first row
 * decides that matches one of the words; null if none does.
 */
export function reasonsIn(file: URL, evidence: EvidenceOf = none) {
  const rows = readTable(file).map(([place, pattern = '', outcome = '', what = '', name = '']) => {
    const proof = outcome === 'absent' ? evidence(name) : null;
    const make = proof ? absent.bind(null, proof) : OUTCOMES[outcome as keyof typeof OUTCOMES];
    return { place, pattern: new RegExp(pattern, 'i'), make, what };
  });
  return (place: string, words: readonly string[], detail: string): NotFound | null => {
    const known = rows.find((row) => row.place === place && words.some((text) => row.pattern.test(text)));
    return known ? known.make(known.what, detail) : null;
  };
}

/**
 * Where a document states each field of a resource: by the field's dotted path, one or more dotted paths of keys; `[]` means every entry of a
 * list. `:string` or `:number` names a type of which every value is understood, also one that means "none": only another type is unread.
 * `PARTS`: objects that always have one of the keys that these paths name in them, or one that stands behind the colon.
 */
export type JsonPlaces = Readonly<Record<string, string | readonly string[]>>;

const parsePlace = (text: string) => {
  const [path = '', known] = text.split(':');
  return { steps: path.replaceAll('[]', '.[]').split('.'), known };
};
const valueAt = (value: unknown, steps: readonly string[]): unknown => {
  let here = value;
  for (let i = 0; i < steps.length; i++) here = isObject(here) ? here[steps[i] as string] : undefined;
  return here;
};

/** Blank text, 0, -1 (also as text) and an empty list or object state nothing; a smaller number is a counter that overflowed. */
function isStated(value: unknown): boolean {
  if (typeof value === 'string') return !/^\s*$|^(?:0|-1)$/.test(value);
  if (typeof value === 'number') return value > 0 || value < -1;
  if (Array.isArray(value)) return value.length > 0;
  return typeof value === 'boolean' || (isObject(value) && Object.keys(value).length > 0);
}

/** Whether `test` holds for a value at the place, or a value on the way has another type than the path expects. */
function someAt(value: unknown, steps: readonly string[], from: number, test: (value: unknown) => boolean): boolean {
  if (from === steps.length) return test(value);
  if (value === null || value === undefined || value === '') return false;
  const step = steps[from] ?? '';
  if (step === '[]') return Array.isArray(value) ? value.some((entry) => someAt(entry, steps, from + 1, test)) : isStated(value);
  return isObject(value) ? someAt(value[step], steps, from + 1, test) : isStated(value);
}

function addValuesAt(value: unknown, steps: readonly string[], from: number, values: unknown[]): void {
  if (from === steps.length) values.push(value);
  else if (steps[from] !== '[]') addValuesAt(isObject(value) ? value[steps[from] ?? ''] : undefined, steps, from + 1, values);
  else for (const entry of Array.isArray(value) ? value : []) addValuesAt(entry, steps, from + 1, values);
}

/** Whether an object states something, and nothing under any of these keys. */
const isOfAnotherForm = (value: unknown, keys: ReadonlySet<string>): boolean =>
  isObject(value) && Object.values(value).some(isStated) && !Object.keys(value).some((key) => keys.has(key));

export function fieldsAt(places: JsonPlaces) {
  const all = Object.entries(places).map(([path, where]) => ({ path, steps: path.split('.'), places: [where].flat().map(parsePlace) }));
  // a name in capitals is a part of the document, not a field of the resource
  const fields = all.filter(({ path }) => path !== path.toUpperCase());
  const byPath = new Map(all.map((field) => [field.path, field.places]));
  const parts = (byPath.get('PARTS') ?? []).map((part) => {
    const keyIn = ({ steps }: { readonly steps: readonly string[] }) =>
      part.steps.every((step, i) => step === steps[i]) ? steps.slice(part.steps.length, part.steps.length + 1) : [];
    const inside = fields.filter((field) => field.places.flatMap(keyIn).length > 0);
    return {
      steps: part.steps,
      fields: inside,
      keys: new Set([...inside.flatMap((field) => field.places.flatMap(keyIn)), ...(part.known?.split(',') ?? [])]),
    };
  });
  /** The values at all places of a field, in the order of the table. */
  const values = (document: unknown, path: string): unknown[] => {
    const found: unknown[] = [];
    for (const { steps } of byPath.get(path) ?? []) addValuesAt(document, steps, 0, found);
    return found;
  };
  return {
    values,
    has: (path: string): boolean => byPath.has(path),
    first: <T>(document: unknown, path: string, read: (value: unknown) => T | null): T | null =>
      values(document, path)
        .map((value) => read(value))
        .find((understood) => understood !== null) ?? null,
    /**
     * Fields missing in the resource whose places state something, lists whose entries in the document have an unknown form, and the missing
     * fields of an object among `PARTS` that has none of the keys known in it.
     */
    unread(resource: unknown, document: unknown, prefix = ''): string[] {
      const unread: string[] = [];
      for (const part of parts) {
        if (!someAt(document, part.steps, 0, (value) => isOfAnotherForm(value, part.keys))) continue;
        for (const { path, steps } of part.fields) {
          const value = valueAt(resource, steps);
          if (value === null || (Array.isArray(value) && value.length === 0)) unread.push(prefix + path);
        }
      }
      for (const field of fields) {
        const value = valueAt(resource, field.steps);
        const isList = Array.isArray(value);
        if (value !== null && !isList) continue;
        const isLost = field.places.some(({ steps, known }) =>
          someAt(document, steps, 0, (found) =>
            isList ? typeof found === 'object' && found !== null : isStated(found) && typeof found !== known,
          ),
        );
        if (isLost) unread.push(prefix + field.path);
      }
      return unread;
    },
  };
}
/** Reads the places of each format from a TSV file: one row per field, one column per format, places separated by spaces. */
export function placesOf(file: URL): Readonly<Record<string, JsonPlaces>> {
  const [[, ...formats] = [], ...rows] = readTable(file);
  return Object.fromEntries(
    formats.map((format, i) => [
      format,
      Object.fromEntries(rows.flatMap(([field = '', ...cells]) => (cells[i] ? [[field, cells[i].split(' ')]] : []))),
    ]),
  );
}
/** A check of resources against the document that they were read from, by a column of a table of places. */
export const unreadByTable = (file: URL, format: string) => fieldsAt(placesOf(file)[format] ?? {}).unread;
