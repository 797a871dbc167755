import { hash } from 'node:crypto';
import { type SKIP_REASONS, STOP_REASONS } from '../contract/account/constants.ts';
import type { WatchChange, WatchCheck } from '../contract/account/watch-schemas.ts';
import { type Change, compare, keyed, listAt, READ_TIMES, sameJson, valueAt } from '../contract/compare.ts';
import { countedFields, listHolding } from '../contract/counted-fields.ts';
import { isObject } from '../contract/json-object.ts';
import type { WatchRules } from '../contract/operations/define.ts';
import type { Operation } from '../contract/operations/index.ts';
import { isNullable } from '../contract/resource-fields.ts';
import { decimalOf, isTooSmall, type WatchedField } from '../contract/watched-field.ts';

type Json = Readonly<Record<string, unknown>>;

/** The answer of a source that the next one is compared with. */
export interface Baseline {
  readonly body: Json;
  /** Fields of it that were never read. */
  readonly unread: readonly string[];
  /** Keys of feeds that have scrolled away, by list. */
  readonly seen: Readonly<Record<string, readonly string[]>>;
}
export interface ReadAnswer {
  readonly resource: Json;
  readonly unread: readonly string[];
}
export interface FeedChange extends Omit<Change, 'kind'>, Pick<WatchChange, 'kind'> {
  /** Of `due`: days to the date, `OVER` once it is over, and when it was read. */
  readonly daysLeft?: number;
  readonly readAt?: number | null;
}
/** Days left of a date that is over. */
export const OVER = -1;
/** What one check found, without its source and its price. */
export interface Verdict {
  readonly outcome: WatchCheck['outcome'];
  readonly code: string | null;
  readonly changes: readonly FeedChange[];
  /** The answer without times of reading, as it is stored; null: none was read. */
  readonly body: Json | null;
  /** What the next answer of this source is compared with; null: what it was. */
  readonly baseline: Baseline | null;
  readonly fails: number;
  readonly pending: { readonly kind: 'gone' | 'free'; readonly sinceMs: number } | null;
  readonly absent: 'gone' | 'free' | null;
  /** Why the watch does not check; null: it does. */
  readonly stopped: (typeof STOP_REASONS)[number] | null;
}
export type WatchState = Pick<Verdict, 'fails' | 'pending' | 'absent' | 'stopped'>;

/** A second check may confirm `gone` and `free` after this time. */
export const CONFIRM_AFTER_MS = 600_000;
/** Failed checks in a row after which the feed has a notice. */
export const FAILING_AFTER = 3;
/** Kinds of the feed that are no changes. */
export const NOTICES: readonly string[] = ['failing', 'recovered', 'due'];
const MAX_SEEN = 1_000;

const copy = (value: unknown): Record<string, unknown> => structuredClone(value) as Record<string, unknown>;

function setAt(target: Record<string, unknown>, path: string, value: unknown): void {
  const names = path.split('.');
  const last = names.pop() ?? '';
  const parent = names.length === 0 ? target : valueAt(target, names.join('.'));
  if (isObject(parent)) (parent as Record<string, unknown>)[last] = value;
}

/** The answer as it is stored and compared: without times of reading, signed URLs, cursors, and entries whose key could not be read. */
export function bodyOf({ watch }: Operation, { resource, unread }: ReadAnswer): Json {
  const body = copy(resource);
  for (const name of READ_TIMES) delete body[name];
  const more = watch.more ?? '';
  for (const path of watch.never) if (valueAt(body, path) !== null && !more.startsWith(path)) setAt(body, path, null);
  for (const [list, { key }] of Object.entries(watch.lists)) {
    const lost = key.filter((name) => unread.includes(`${list}.${name}`));
    if (lost.length > 0)
      setAt(
        body,
        list,
        listAt(body, list).filter((entry) => lost.every((name) => entry[name] !== null)),
      );
  }
  return body;
}

const DIGEST = 'sha256:';
const digestOf = (text: string): string => (text.startsWith(DIGEST) ? text : `${DIGEST}${hash('sha256', text, 'hex').slice(0, 24)}`);
/** Replaces texts by their hashes, but for keys and times of lists. */
export function withoutTexts(watch: WatchRules, value: unknown, path = ''): unknown {
  if (typeof value === 'string') {
    const list = listHolding(watch, path);
    const rule = list === null ? undefined : watch.lists[list];
    const name = path.slice((list ?? '').length + 1);
    return rule && (rule.key.includes(name) || rule.feed === name) ? value : digestOf(value);
  }
  if (Array.isArray(value)) return value.map((one) => withoutTexts(watch, one, path));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, withoutTexts(watch, one, path === '' ? name : `${path}.${name}`)]),
  );
}
const same = (before: unknown, after: unknown): boolean =>
  typeof before === 'string' && before.startsWith(DIGEST) && typeof after === 'string'
    ? before === digestOf(after)
    : sameJson(before, after);

/**
 * The answer that the next one is compared with: this one, with the earlier value of every field that could not be read, with the entries that
 * a list lacks for that reason, and with the earlier number where the difference is too small to count.
 */
export function nextBaseline(
  operation: Operation,
  before: Baseline | null,
  { body, unread }: Omit<Baseline, 'seen'>,
  fields: readonly WatchedField[],
): Baseline {
  if (!before) return { body, unread, seen: {} };
  const { watch, resource } = operation;
  const next = copy(body);
  const entriesOf = (answer: unknown, list: string) => keyed(listAt(answer, list), watch.lists[list] ?? { key: [] });
  function carry(path: string, isEarlier: (was: unknown, is: unknown) => boolean): void {
    const list = listHolding(watch, path);
    const was = before?.body;
    if (list === null || list === path) {
      if (list === null && isEarlier(valueAt(was, path), valueAt(next, path))) setAt(next, path, valueAt(was, path));
      return;
    }
    const name = path.slice(list.length + 1);
    const earlier = entriesOf(was, list);
    for (const [key, entry] of entriesOf(next, list)) {
      const then = earlier.get(key);
      if (then && isEarlier(valueAt(then, name), valueAt(entry, name))) setAt(entry as Record<string, unknown>, name, valueAt(then, name));
    }
  }
  for (const path of unread) {
    carry(path, (was, is) => (is === null || Array.isArray(is)) && was !== null);
    const list = listHolding(watch, path);
    const isIdentity =
      list !== null && (list === path || !isNullable(resource, path) || watch.lists[list]?.key.includes(path.slice(list.length + 1)));
    if (!isIdentity) continue;
    const now = entriesOf(next, list);
    const lost = [...entriesOf(before.body, list)].flatMap(([key, entry]) => (now.has(key) ? [] : [entry]));
    setAt(next, list, [...listAt(next, list), ...lost]);
  }
  for (const field of fields) {
    if (typeof field === 'string') continue;
    // the numbers around a crossing may be any: the side alone counts
    for (const { path, threshold } of countedFields(operation, field) ?? [])
      carry(path, (was, is) => threshold !== null && decimalOf(was) !== null && isTooSmall(threshold, was, is));
  }
  const feeds = Object.entries(watch.lists).filter(([, { feed }]) => feed !== undefined);
  const seen = feeds.map(([list]): [string, readonly string[]] => {
    const now = entriesOf(next, list);
    const gone = [...entriesOf(before.body, list).keys(), ...(before.seen[list] ?? [])].filter((key) => !now.has(key));
    return [list, [...new Set(gone)].slice(0, MAX_SEEN)];
  });
  return { body: next, unread: unread.filter((path) => before.unread.includes(path)), seen: Object.fromEntries(seen) };
}

const whole = (kind: FeedChange['kind'], field = '', before: unknown = null, after: unknown = null): FeedChange => ({
  kind,
  field,
  key: null,
  before,
  after,
});

export const NO_ANSWER = { code: null, changes: [], body: null, baseline: null };

/** An outage was told, and its end was not yet. */
export const isFailing = ({ fails, stopped }: Pick<WatchState, 'fails' | 'stopped'>): boolean => fails >= FAILING_AFTER || stopped !== null;
const recovery = (state: WatchState): readonly FeedChange[] => (isFailing(state) ? [whole('recovered')] : []);

/** The check had no answer: `code` says why. The third one in a row is told. */
export function failed(state: WatchState, code: string): Verdict {
  const next = { ...state, fails: state.fails + 1 };
  const changes = isFailing(next) && !isFailing(state) ? [whole('failing', '', null, code)] : [];
  return { ...NO_ANSWER, ...next, outcome: 'failed', code, changes };
}
/** The check was not made. Where the watch cannot check until somebody helps it, each reason is told once. */
export function skipped(state: WatchState, code: (typeof SKIP_REASONS)[number]): Verdict {
  const stop = STOP_REASONS.find((reason) => reason === code);
  const changes = stop && stop !== state.stopped ? [whole('failing', '', null, code)] : [];
  return { ...NO_ANSWER, ...state, outcome: 'skipped', code, changes, stopped: stop ?? state.stopped };
}

/** `gone` (the platform says so) or `free` (the registry does): a change once a second check says the same. */
export function absent(state: WatchState, kind: 'gone' | 'free', wasRead: boolean, nowMs: number): Verdict {
  const recovered = recovery(state);
  const verdict = { ...NO_ANSWER, outcome: 'same', changes: recovered, fails: 0, stopped: null, pending: null, absent: kind } as const;
  if (state.absent === kind) return verdict;
  if (!wasRead) return { ...verdict, outcome: 'first' };
  const sinceMs = state.pending?.kind === kind ? state.pending.sinceMs : nowMs;
  if (nowMs - sinceMs < CONFIRM_AFTER_MS) return { ...verdict, code: 'unconfirmed', pending: { kind, sinceMs }, absent: state.absent };
  const change = kind === 'gone' ? whole('gone') : whole('free', 'available', false, true);
  return { ...verdict, outcome: 'changed', changes: [...recovered, change] };
}

/** An answer was read. `before`: what it is compared with; null: the first answer of this source. `wasRead`: some source has answered before. */
export function found(
  operation: Operation,
  state: WatchState,
  before: Baseline | null,
  answer: ReadAnswer,
  fields: readonly WatchedField[] | null,
  wasRead: boolean,
): Verdict {
  const counted = fields ?? operation.watch.fields;
  const body = bodyOf(operation, answer);
  const baseline = nextBaseline(operation, before, { body, unread: answer.unread }, counted);
  const back = state.absent === 'free' ? [whole('changed', 'available', true, false)] : state.absent === 'gone' ? [whole('added')] : [];
  const compared = before
    ? compare(operation, before.body, body, { fields: counted, unread: { before: before.unread, after: answer.unread }, same })
    : [];
  const changes = [
    ...(wasRead || state.absent ? back : []),
    ...compared.filter(({ kind, field, key }) => !(kind === 'added' && key !== null && before?.seen[field]?.includes(key))),
  ].filter((change, i, all) => change.field !== 'available' || all.findIndex((other) => other.field === 'available') === i);
  const outcome = changes.length > 0 ? 'changed' : before ? 'same' : 'first';
  return {
    outcome,
    code: null,
    changes: [...recovery(state), ...changes],
    body,
    baseline,
    fails: 0,
    stopped: null,
    pending: null,
    absent: null,
  };
}
