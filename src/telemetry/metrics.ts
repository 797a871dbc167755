import { setTimeout as sleep } from 'node:timers/promises';
import type { Metric, Registry } from 'prom-client';

export interface AttemptEnd {
  readonly tag: string;
  readonly ms: number;
  /** Fields of a `found` that could not be read, as paths without list indexes; left out if there are none. */
  readonly unread?: readonly string[];
}

const FAST = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];
const SLOW = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120];

type Values = Readonly<Record<string, number>>;
type Label = string | number;
type Labels = Readonly<Record<string, Label>>;
/** Values by the first label and the second: prom-client's own would check and sort the labels of every observation. */
type Table<T> = Map<Label, Map<Label, T>>;
interface Series {
  /** By bucket, not cumulative; the last counts what is above all bounds. */
  readonly counts: number[];
  sum: number;
  count: number;
}
/** A line of a metric; `metricName` where it is another than the metric's. */
interface Sample {
  readonly labels: Labels;
  readonly value: number;
  readonly metricName?: string;
}
export type Metrics = ReturnType<typeof createMetrics>;
/** Prometheus' text format. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * Rate, errors and duration by operation and by source; cache, ledger and engine. The first scrape loads prom-client, which writes them and
 * then begins to count for the process (CPU time, event loop, garbage collection).
 */
export function createMetrics({ version }: { readonly version: string }) {
  const all: Metric[] = [];
  /** `read` gives the samples of each scrape. */
  function add(type: 'counter' | 'gauge' | 'histogram', name: string, help: string, read: () => Sample[] | Promise<Sample[]>): void {
    const get = async () => ({ name, help, type, aggregator: 'sum', values: await read() });
    // of a metric, prom-client's registry uses no more than these
    all.push({ name, get } as unknown as Metric);
  }
  const numbers = (type: 'counter' | 'gauge', name: string, help: string, ...labelNames: string[]): Table<number> => {
    const table: Table<number> = new Map();
    add(type, name, help, () => samplesIn(table, labelNames, (labels, value) => [{ labels, value }]));
    return table;
  };
  const seconds = (name: string, help: string, buckets: readonly number[], ...labelNames: string[]) => {
    const table: Table<Series> = new Map();
    add('histogram', name, help, () => samplesIn(table, labelNames, (labels, series) => samplesOf(name, buckets, labels, series)));
    return (ms: number, first: Label, second: Label = '') => record(rowOf(table, first), second, buckets, ms / 1000);
  };
  plus(numbers('gauge', 'sightline_build_info', 'Version of the running service.', 'version'), 1, version);
  const requests = seconds('sightline_request_duration_seconds', 'Requests by operation and status.', FAST, 'operation', 'status');
  const cacheHelp = 'Lookup responses by cache result: hit, miss, stale, collapsed.';
  const cache = numbers('counter', 'sightline_cache_answers_total', cacheHelp, 'operation', 'result');
  const charged = numbers('counter', 'sightline_credits_charged_total', 'Credits charged.', 'operation');
  const holds = seconds('sightline_ledger_hold_duration_seconds', 'Time until a hold was durable or refused.', FAST, 'result');
  const settlements = numbers('counter', 'sightline_ledger_settlements_total', 'Holds by result: captured, released, lost.', 'result');
  const sheds = numbers('counter', 'sightline_requests_shed_total', 'Requests refused by load shedding.');
  plus(sheds, 0);
  const attempts = seconds('sightline_source_attempt_duration_seconds', 'Attempts at sources by outcome.', SLOW, 'source', 'outcome');
  const unreadHelp = 'Answers in which a field was there but could not be read, by source and field.';
  const unread = numbers('counter', 'sightline_fields_unread_total', unreadHelp, 'source', 'field');
  const driftHelp = '1 while a field of the answers of a source is lost more often than usual, by source and field.';
  const drift = numbers('gauge', 'sightline_source_drift', driftHelp, 'source', 'field');
  const running = numbers('gauge', 'sightline_engine_attempts_running', 'Attempts in progress.', 'source');
  const costHelp = 'Cost of requests as stated by paid sources, in US dollars.';
  const costs = numbers('counter', 'sightline_upstream_cost_usd_total', costHelp, 'source');
  const capHelp = 'Requests to paid sources that were not made because a daily cap is reached.';
  const capRefusals = numbers('counter', 'sightline_daily_cap_refusals_total', capHelp, 'source');
  let registry: Promise<Registry> | null = null;
  return {
    paid: {
      cost: (source: string, usd: number): void => plus(costs, Math.max(0, usd), source),
      capRefused: (source: string): void => plus(capRefusals, 1, source),
    },
    request: (operation: string, status: number, ms: number): void => requests(ms, operation, status),
    cache: (operation: string, result: string): void => plus(cache, 1, operation, result),
    charged: (operation: string, n: number): void => plus(charged, n, operation),
    held: (ms: number, result: 'held' | 'refused'): void => holds(ms, result),
    settled: (result: 'captured' | 'released' | 'lost'): void => plus(settlements, 1, result),
    shed: (): void => plus(sheds, 1),
    /** Called when an attempt at a source starts (null) and when it ends. */
    onAttempt(source: string, ended: AttemptEnd | null): void {
      plus(running, ended ? -1 : 1, source);
      if (!ended) return;
      attempts(ended.ms, source, ended.tag);
      for (const field of ended.unread ?? []) plus(unread, 1, source, field);
    },
    drifts: (source: string, field: string, isDrifting: boolean) => void rowOf(drift, source).set(field, Number(isDrifting)),
    /** A gauge whose values are read at each scrape: `read` gives a value for each value of `label`. */
    metrics: (name: string, help: string, read: () => Values | Promise<Values>, label: 'what' | 'source' = 'what'): void =>
      add('gauge', name, help, async () => Object.entries(await read()).map(([of, value]) => ({ labels: { [label]: of }, value }))),
    async text(): Promise<string> {
      registry ??= openRegistry();
      const opened = await registry;
      for (const metric of all) opened.registerMetric(metric);
      return opened.metrics();
    },
  };
}

async function openRegistry(): Promise<Registry> {
  const { collectDefaultMetrics, Registry } = await import('prom-client');
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  // prom-client would write an event loop without a sample as a delay of centuries
  await sleep(30);
  return registry;
}

function rowOf<T>(table: Table<T>, first: Label): Map<Label, T> {
  const row = table.get(first) ?? new Map<Label, T>();
  if (row.size === 0) table.set(first, row);
  return row;
}
function plus(table: Table<number>, n: number, first: Label = '', second: Label = ''): void {
  const row = rowOf(table, first);
  row.set(second, (row.get(second) ?? 0) + n);
}
function record(row: Map<Label, Series>, label: Label, buckets: readonly number[], seconds: number): void {
  const series = row.get(label) ?? { counts: new Array<number>(buckets.length + 1).fill(0), sum: 0, count: 0 };
  if (series.count === 0) row.set(label, series);
  const above = buckets.findIndex((bound) => seconds <= bound);
  const bucket = above < 0 ? buckets.length : above;
  series.counts[bucket] = (series.counts[bucket] as number) + 1;
  series.sum += seconds;
  series.count++;
}
const samplesIn = <T>(table: Table<T>, names: readonly string[], to: (labels: Labels, value: T) => readonly Sample[]): Sample[] =>
  [...table].flatMap(([first, row]) =>
    [...row].flatMap(([second, value]) => to(Object.fromEntries(names.map((name, i) => [name, [first, second][i] ?? ''])), value)),
  );
function samplesOf(name: string, buckets: readonly number[], labels: Labels, { counts, sum, count }: Series): Sample[] {
  let total = 0;
  const bucket = (le: number | string, value: number): Sample => ({ labels: { le, ...labels }, value, metricName: `${name}_bucket` });
  return [
    ...buckets.map((le, i) => {
      total += counts[i] as number;
      return bucket(le, total);
    }),
    bucket('+Inf', count),
    { labels, value: sum, metricName: `${name}_sum` },
    { labels, value: count, metricName: `${name}_count` },
  ];
}
