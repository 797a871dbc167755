import { LRUCache } from 'lru-cache';
import type { OperationId } from '../contract/operations/index.ts';
import { type Clock, HOUR_MS } from '../runtime/clock.ts';
import type { NotFound } from '../sources/outcome.ts';
import type { DriftSums } from '../store/drift-sums.ts';
import type { FieldHourRow } from '../store/tables.ts';
import { type Counts, createFaultRate, type FaultRate, MISSING, UNREAD } from './drift-statistic.ts';
import type { FieldPresence } from './field-presence.ts';

/** What is counted of an outcome: which fields of a found resource have a value, and which could not be read. */
export type ObservedOutcome =
  | { readonly tag: 'found'; readonly resource: { readonly fields: FieldPresence }; readonly unread?: readonly string[] }
  | { readonly tag: NotFound['tag'] };
export interface ObservedAnswer {
  readonly source: string;
  readonly operation: OperationId;
  /** What changes together at the source (a registry, say); "" for the whole source. */
  readonly part: string;
  readonly outcome: ObservedOutcome;
  readonly requestId: string | null;
}
export type Drift = ReturnType<typeof createDrift>;
export interface DriftParts {
  readonly clock: Clock;
  readonly log: (level: 'info' | 'warn' | 'error', message: string, facts?: Record<string, unknown>) => void;
  /** Called when a field of a source begins to drift, and when it no longer does. */
  readonly drifts?: (source: string, field: string, isDrifting: boolean) => void;
  /** Presence in recorded answers by `<stream>\n<field>`, for fields of which there are too few answers yet. */
  readonly recorded?: ReadonlyMap<string, Counts>;
}

/** The whole answer, in place of a field. */
export const WHOLE_ANSWER = 'answer';
/** Parts of sources whose rates are in memory; the longest unused is forgotten. */
const MAX_STREAMS = 2_000;
const NAMED_REQUESTS = 5;

interface FieldRates {
  /** `<stream>\n<field>` */
  readonly key: string;
  readonly missing: FaultRate;
  readonly unread: FaultRate;
  requestIds: string[];
}
/** Answers of one source to one operation, about one part: their fields are alike. */
interface Stream {
  readonly name: string;
  readonly source: string;
  readonly fields: Map<string, FieldRates>;
}

/** Watches how often each field has a value or is unread, by source, operation and part, and reports where that changes (docs/drift.md). */
export function createDrift({ clock, log, drifts, recorded }: DriftParts) {
  const streams = new LRUCache<string, Stream>({ max: MAX_STREAMS });
  /** Streams in which a field drifts, by source and field. */
  const drifting = new Map<string, Map<string, Set<string>>>();
  let hour = Math.floor(clock.now() / HOUR_MS);
  let pending = new Map<string, FieldHourRow>();
  let known: ReadonlyMap<string, Omit<FieldHourRow, 'drifting'>> = new Map();
  let sums: Pick<DriftSums, 'add' | 'load'> | null = null;
  let adding: Promise<void> = Promise.resolve();

  function streamOf({ source, operation, part }: ObservedAnswer): Stream {
    const name = `${source} ${operation} ${part}`.trim();
    const stream = streams.get(name) ?? { name, source, fields: new Map() };
    streams.set(name, stream);
    return stream;
  }

  function ratesOf(stream: Stream, field: string): FieldRates {
    let rates = stream.fields.get(field);
    if (!rates) {
      const key = `${stream.name}\n${field}`;
      const { answers = 0, missing = 0, unread = 0 } = known.get(key) ?? {};
      rates = {
        key,
        missing: createFaultRate(MISSING, { answers, faults: missing }, recorded?.get(key)),
        unread: createFaultRate(UNREAD, { answers, faults: unread }),
        requestIds: [],
      };
      stream.fields.set(field, rates);
    }
    return rates;
  }

  function count(answer: ObservedAnswer, stream: Stream, field: string, isMissing: boolean, isUnread: boolean): void {
    const { source, requestId } = answer;
    const rates = ratesOf(stream, field);
    if ((isMissing || isUnread) && requestId !== null) rates.requestIds = [...rates.requestIds, requestId].slice(-NAMED_REQUESTS);
    // without a value and without a trace the field is not read again: only a value ends an alarm of `unread`
    const unread = isMissing && !isUnread && rates.unread.isDrifting ? null : rates.unread.observe(isUnread);
    if (unread !== null) report(answer, field, rates, 'unread', unread);
    const missing = rates.missing.observe(isMissing, !isUnread);
    if (missing !== null) report(answer, field, rates, 'missing', missing);
    const sum = pending.get(rates.key) ?? { source, stream: stream.name, field, hour, answers: 0, missing: 0, unread: 0, drifting: 0 };
    if (sum.answers === 0) pending.set(rates.key, sum);
    sum.answers++;
    sum.missing += Number(isMissing);
    sum.unread += Number(isUnread);
    if (rates.missing.isDrifting || rates.unread.isDrifting) sum.drifting = 1;
  }

  type Fault = 'unread' | 'missing';
  function report(answer: ObservedAnswer, field: string, rates: FieldRates, fault: Fault, change: 'alarm' | 'recovered'): void {
    const { source, operation, part } = answer;
    const fields = drifting.get(source) ?? new Map<string, Set<string>>();
    const faults = fields.get(field) ?? new Set<string>();
    const wasDrifting = faults.size > 0;
    if (change === 'alarm') faults.add(`${rates.key} ${fault}`);
    else faults.delete(`${rates.key} ${fault}`);
    if (faults.size > 0) fields.set(field, faults);
    else fields.delete(field);
    drifting.set(source, fields);
    if (wasDrifting === faults.size > 0) return;
    drifts?.(source, field, !wasDrifting);
    const usualRate = Number(rates[fault].rate.toFixed(3));
    const facts = { source, operation, ...(part !== '' && { part }), field };
    if (wasDrifting) log('info', 'source no longer drifts', facts);
    else log('warn', 'source drifts', { ...facts, fault, usualRate, requestIds: rates.requestIds });
  }

  function flush(): void {
    const rows = [...pending.values()];
    pending = new Map();
    if (!sums || rows.length === 0) return;
    const store = sums;
    adding = adding
      .then(() => store.add(rows))
      .catch((error: Error) => log('warn', 'drift: an hour could not be stored', { error: error.message }));
  }

  return {
    observe(answer: ObservedAnswer): void {
      const { outcome } = answer;
      const now = Math.floor(clock.now() / HOUR_MS);
      if (now !== hour) {
        flush();
        hour = now;
      }
      if (outcome.tag !== 'found' && outcome.tag !== 'changed') return;
      const stream = streamOf(answer);
      count(answer, stream, WHOLE_ANSWER, false, outcome.tag === 'changed');
      if (outcome.tag !== 'found') return;
      const { present, missing } = outcome.resource.fields;
      const unread = new Set(outcome.unread);
      for (const field of present) count(answer, stream, field, false, unread.delete(field));
      for (const field of missing) count(answer, stream, field, true, unread.delete(field));
      for (const field of unread) count(answer, stream, field, true, true);
    },
    /** The fields of a source that drift, sorted; `answer` where whole answers have an unknown shape. */
    of: (source: string): readonly string[] => [...(drifting.get(source)?.keys() ?? [])].sort(),
    /** Begins with the rates of earlier hours and adds the coming ones. */
    async keep(store: Pick<DriftSums, 'add' | 'load'>): Promise<void> {
      known = new Map((await store.load(clock.now())).map((sum) => [`${sum.stream}\n${sum.field}`, sum]));
      sums = store;
    },
    /** Adds the running hour. */
    async close(): Promise<void> {
      flush();
      await adding;
    },
  };
}
