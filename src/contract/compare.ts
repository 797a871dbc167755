import { type Counted, countedFields, isBelow, listHolding, PRESENCE } from './counted-fields.ts';
import { isObject, type JsonObject } from './json-object.ts';
import type { ListRule } from './operations/define.ts';
import type { Operation } from './operations/index.ts';
import { fieldsUnder, isNullable } from './resource-fields.ts';
import { decimalOf, isTooSmall, type WatchedField } from './watched-field.ts';

export const CHANGE_KINDS = ['added', 'removed', 'changed', 'moved'] as const;
/** One difference between two answers to the same lookup. */
export interface Change {
  readonly kind: (typeof CHANGE_KINDS)[number];
  /** Dotted path of the field; the path of the list for an entry that was added or removed. */
  readonly field: string;
  /** The entry of the list, by its key; null outside of lists. */
  readonly key: string | null;
  /** The value, or the entry; null where there was none. A moved entry: its rank. */
  readonly before: unknown;
  readonly after: unknown;
}

export interface Comparison {
  /** Default: those of the operation. `every`: all but the times of reading, feeds as whole lists. */
  readonly fields?: readonly WatchedField[] | 'every';
  /** Fields of the two answers that could not be read, as `X-Fields-Unread` names them. */
  readonly unread?: { readonly before: readonly string[]; readonly after: readonly string[] };
  readonly same?: (before: unknown, after: unknown) => boolean;
}

/** The entries of a list by their keys, in its order. */
type Entries = ReadonlyMap<string, JsonObject>;
interface Sides {
  readonly before: unknown;
  readonly after: unknown;
}

export const READ_TIMES = ['scrapedAt', 'checkedAt'] as const;

export const valueAt = (value: unknown, path: string): unknown =>
  path === '' ? value : (path.split('.').reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : null), value) ?? null);
export const listAt = (value: unknown, path: string): readonly JsonObject[] => {
  const list = valueAt(value, path);
  return Array.isArray(list) ? list.filter(isObject) : [];
};
/** JSON with the members of every object in the order of their names. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    isObject(member) ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))) : member,
  );
const isSame = (before: unknown, after: unknown): boolean => canonical(before) === canonical(after);
/** Whether two values are equal. The order of a list of texts does not count. */
export const sameJson = (before: unknown, after: unknown): boolean => isSame(sortedTexts(before), sortedTexts(after));
const sortedTexts = (value: unknown): unknown =>
  Array.isArray(value) && value.every((one) => typeof one === 'string') ? value.toSorted() : value;

/** Key of an entry, as changes name it: texts of its key fields, and the names of flags that are set. The second one of a key is `key #2`. */
export function keyed(entries: readonly JsonObject[], { key }: ListRule): Entries {
  const byKey = new Map<string, JsonObject>();
  for (const entry of entries) {
    const parts = key.map((name) => (typeof entry[name] === 'boolean' ? (entry[name] ? name : '') : String(entry[name] ?? '')));
    const text = parts.filter((part) => part !== '').join(' ');
    let unique = text;
    for (let n = 2; byKey.has(unique); n++) unique = `${text} #${n}`;
    byKey.set(unique, entry);
  }
  return byKey;
}

/**
 * What changed between two answers to the same lookup. Equal answers give nothing, and comparing back gives the reverse. Entries of lists are
 * found by their keys. `moved` are the entries of a ranked list that changed their order; with a threshold or a named entry those whose rank
 * is another number; with `crosses` an entry that is not in the list is beyond the number. An unread value is not compared; nothing is missing from a list that lacks entries which could not be read.
 */
export function compare(operation: Operation, before: unknown, after: unknown, how: Comparison = {}): readonly Change[] {
  const { watch, resource } = operation;
  const { fields = watch.fields, unread = { before: [], after: [] }, same = fields === 'every' ? isSame : sameJson } = how;
  const isEvery = fields === 'every';
  const asked = isEvery
    ? fieldsUnder(resource, '').flatMap((path) =>
        READ_TIMES.some((name) => name === path) ? [] : [{ path, threshold: null, entry: null, isPresence: false }],
      )
    : fields.flatMap((field) => countedFields(operation, field) ?? []);

  const [presences, counted] = [asked.filter(({ isPresence }) => isPresence), asked.filter(({ isPresence }) => !isPresence)];
  const sides: Sides = { before, after };
  /** A value that was not read is null, or a list that lacks entries. */
  const isUnread = (side: keyof Sides, path: string, value: unknown): boolean =>
    (value === null || Array.isArray(value)) && unread[side].some((one) => isBelow(path, one));
  /** Entries may lack: the list itself is unread, its key, or a field without which an entry is left out. */
  const lacksEntries = (side: keyof Sides, list: string): boolean =>
    unread[side].some((path) => isBelow(list, path) || (isBelow(path, list) && isIdentity(list, path)));
  const isIdentity = (list: string, path: string): boolean =>
    watch.lists[list]?.key.includes(path.slice(list.length + 1)) === true || !isNullable(resource, path);

  function changeOf({ path, threshold }: Counted, key: string | null, [was, is]: readonly [unknown, unknown]): readonly Change[] {
    if (isUnread('before', path, was) || isUnread('after', path, is) || same(was, is)) return [];
    if (threshold && isTooSmall(threshold, was, is)) return [];
    return [{ kind: 'changed', field: path, key, before: was, after: is }];
  }

  function changesIn(list: string, rule: ListRule): readonly Change[] {
    const own = counted.filter(({ path }) => listHolding(watch, path) === list);
    if (own.length === 0) return [];
    const lists = { before: keyed(listAt(before, list), rule), after: keyed(listAt(after, list), rule) };
    const nameOf = ({ path }: Counted): string => path.slice(list.length + 1);
    const asksFor = (field: Counted, entry: JsonObject): boolean => field.entry === null || Object.values(entry).includes(field.entry);
    const isAskedFor = (entry: JsonObject): boolean => own.some((field) => nameOf(field) === rule.key[0] && asksFor(field, entry));
    const feed = isEvery ? undefined : rule.feed;
    const oldest = feed === undefined ? '' : oldestIn(lists.before.values(), feed);

    /** The entries of a side that the other one lacks, but for those that a feed or the next page hides there. */
    function only(side: keyof Sides, other: keyof Sides): readonly (readonly [string, JsonObject])[] {
      if (lacksEntries(other, list) || (side === 'before' && feed !== undefined)) return [];
      const isCut = !isEvery && feed === undefined && watch.more !== undefined && valueAt(sides[other], watch.more) === true;
      const shown = [...lists[side]].slice(0, isCut ? lists[other].size : undefined);
      return shown.filter(
        ([key, entry]) => !lists[other].has(key) && isAskedFor(entry) && (feed === undefined || String(entry[feed] ?? oldest) >= oldest),
      );
    }
    const removed = only('before', 'after').map(
      ([key, entry]): Change => ({ kind: 'removed', field: list, key, before: entry, after: null }),
    );
    const added = only('after', 'before').map(([key, entry]): Change => ({ kind: 'added', field: list, key, before: null, after: entry }));

    const isOrdered = rule.rank !== undefined || isEvery;
    const inOrder = isOrdered
      ? unmovedKeys(lists.before, lists.after, (entry) =>
          rule.key
            .slice(1)
            .map((flag) => entry[flag] === true)
            .join(),
        )
      : null;
    const changed = [...lists.after].flatMap(([key, now]): readonly Change[] => {
      const then = lists.before.get(key);
      if (!then) return [];
      return own.flatMap((field): readonly Change[] => {
        const name = nameOf(field);
        const values = [valueAt(then, name), valueAt(now, name)] as const;
        if (!asksFor(field, then) && !asksFor(field, now)) return [];
        const isOrder = isOrdered && name === (rule.rank ?? rule.key[0]);
        if (isOrder && !isEvery && field.threshold === null && field.entry === null)
          return inOrder?.has(key) ? [] : [{ kind: 'moved', field: field.path, key, before: values[0], after: values[1] }];
        if (isOrder && rule.rank === undefined && !inOrder?.has(key))
          return [{ kind: 'moved', field: list, key, before: null, after: null }];
        if (rule.key.includes(name)) return [];
        // a rank counts the entries before it
        if (isOrder && (lacksEntries('before', list) || lacksEntries('after', list))) return [];
        return changeOf(field, key, values).map((change) => (isOrder ? { ...change, kind: 'moved' as const } : change));
      });
    });
    return [...removed, ...added, ...changed, ...crossedBy(list, rule, own, lists)];
  }

  /** With `crosses` an entry that a side lacks is beyond the number there: what was below it passed it. */
  function crossedBy(list: string, rule: ListRule, own: readonly Counted[], lists: Readonly<Record<keyof Sides, Entries>>): Change[] {
    return own.flatMap((field) => {
      const { path, threshold, entry: named } = field;
      if (!threshold || !('crosses' in threshold)) return [];
      const name = path.slice(list.length + 1);
      const missing = (side: keyof Sides, other: keyof Sides) =>
        lacksEntries(other, list) ? [] : [...lists[side]].filter(([key]) => !lists[other].has(key));
      const within = ([, entry]: readonly [string, JsonObject]): boolean =>
        (decimalOf(valueAt(entry, name)) ?? Number.POSITIVE_INFINITY) <= threshold.crosses &&
        (named === null || Object.values(entry).includes(named));
      const kind = name === rule.rank ? 'moved' : 'changed';
      const left = missing('before', 'after').filter(within);
      const came = missing('after', 'before').filter(within);
      return [
        ...left.map(([key, entry]): Change => ({ kind, field: path, key, before: valueAt(entry, name), after: null })),
        ...came.map(([key, entry]): Change => ({ kind, field: path, key, before: null, after: valueAt(entry, name) })),
      ];
    });
  }

  /** What was not read, in whole or in part, may be there. */
  function presenceChange({ path }: Counted): readonly Change[] {
    const [was, is] = [isThere(valueAt(before, path)), isThere(valueAt(after, path))];
    const mayBeThere = (side: keyof Sides, there: boolean) =>
      !there && unread[side].some((one) => isBelow(path, one) || isBelow(one, path));
    if (was === is || mayBeThere('before', was) || mayBeThere('after', is)) return [];
    return [{ kind: 'changed', field: path + PRESENCE, key: null, before: was, after: is }];
  }

  return [
    ...presences.flatMap(presenceChange),
    ...counted
      .filter(({ path }) => listHolding(watch, path) === null)
      .flatMap((f) => changeOf(f, null, [valueAt(before, f.path), valueAt(after, f.path)])),
    ...Object.entries(watch.lists).flatMap(([list, rule]) => changesIn(list, rule)),
  ];
}

const isThere = (value: unknown): boolean => (Array.isArray(value) ? value.length > 0 : value !== null);

/** The earliest time in a feed: what is older was below its end. '' for an empty feed. */
function oldestIn(entries: Iterable<JsonObject>, time: string): string {
  const times = [...entries].flatMap((entry) => (typeof entry[time] === 'string' ? [entry[time]] : []));
  return times.sort()[0] ?? '';
}

/** The largest set of keys in the same order on both sides, within each group (ads, say). Of several sets the first in the alphabet. */
function unmovedKeys(before: Entries, after: Entries, groupOf: (entry: JsonObject) => string): ReadonlySet<string> {
  const groups = new Map<string, string[]>();
  for (const [key, entry] of before) {
    const group = groupOf(entry);
    const keys = groups.get(group) ?? [];
    if (after.has(key)) keys.push(key);
    groups.set(group, keys);
  }
  const places = new Map([...after.keys()].map((key, i) => [key, i]));
  return new Set([...groups.values()].flatMap((keys) => longestRun(keys, (key) => places.get(key) ?? 0)));
}
function longestRun(keys: readonly string[], placeOf: (key: string) => number): readonly string[] {
  const places = keys.map(placeOf);
  if (places.every((place, i) => i === 0 || place > (places[i - 1] ?? 0))) return keys;
  // from the end: the longest run that begins with each key
  const runs: { readonly length: number; readonly next: number }[] = [];
  const isBetter = (i: number, than: number): boolean => {
    const [a, b] = [runs[i]?.length ?? 0, runs[than]?.length ?? 0];
    return than < 0 || a > b || (a === b && (keys[i] ?? '') < (keys[than] ?? ''));
  };
  let first = -1;
  for (let i = keys.length - 1; i >= 0; i--) {
    let next = -1;
    for (let j = i + 1; j < keys.length; j++) if ((places[j] ?? 0) > (places[i] ?? 0) && isBetter(j, next)) next = j;
    runs[i] = { length: 1 + (runs[next]?.length ?? 0), next };
    if (isBetter(i, first)) first = i;
  }
  const run: string[] = [];
  for (let i = first; i >= 0; i = runs[i]?.next ?? -1) run.push(keys[i] ?? '');
  return run;
}
