import { Counter, collectDefaultMetrics, Gauge, Histogram, type HistogramConfiguration, Registry } from 'prom-client';

export interface AttemptEnd {
  readonly tag: string;
  readonly ms: number;
  /** Fields of a `found` that could not be read, as paths without list indexes; left out if there are none. */
  readonly unread?: readonly string[];
}

const FAST = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];
const SLOW = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120];

/** Rate, errors and duration by operation and by source; cache, ledger and engine. One registry per process. */
type Values = Readonly<Record<string, number>>;
export type Metrics = ReturnType<typeof createMetrics>;

/** `processMetrics`: also collects metrics of the process (memory, event loop, garbage collection). */
export function createMetrics({ version, processMetrics = true }: { readonly version: string; readonly processMetrics?: boolean }) {
  const registry = new Registry();
  if (processMetrics) collectDefaultMetrics({ register: registry });
  const common = { registers: [registry] };
  const counter = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Counter<L>({ name, help, labelNames, ...common });
  const gauge = <L extends string>(name: string, help: string, ...labelNames: L[]) => new Gauge<L>({ name, help, labelNames, ...common });
  const seconds = (name: string, help: string, buckets: number[], ...labelNames: string[]) =>
    new Durations({ name, help, labelNames, buckets, ...common });
  /** Counted here, and added to the counter at each scrape: an increment of the counter checks and sorts all labels. */
  const counted = (name: string, help: string, ...labelNames: string[]) => {
    const counts = new Map<string, Map<string, number>>();
    new Counter({
      ...{ name, help, labelNames, ...common },
      collect() {
        for (const [first, own] of counts) for (const [second, n] of own) this.inc(labelsOf(labelNames, first, second), n);
        counts.clear();
      },
    });
    return (n: number, first: string, second = ''): void => {
      const own = counts.get(first) ?? new Map<string, number>();
      if (own.size === 0) counts.set(first, own);
      own.set(second, (own.get(second) ?? 0) + n);
    };
  };
  gauge('sightline_build_info', 'Version of the running service.', 'version').set({ version }, 1);
  const requests = seconds('sightline_request_duration_seconds', 'Requests by operation and status.', FAST, 'operation', 'status');
  const cacheHelp = 'Lookup responses by cache result: hit, miss, stale, collapsed.';
  const cache = counted('sightline_cache_answers_total', cacheHelp, 'operation', 'result');
  const charged = counted('sightline_credits_charged_total', 'Credits charged.', 'operation');
  const holds = seconds('sightline_ledger_hold_duration_seconds', 'Time until a hold was durable or refused.', FAST, 'result');
  const settlements = counted('sightline_ledger_settlements_total', 'Holds by result: captured, released, lost.', 'result');
  const sheds = counter('sightline_requests_shed_total', 'Requests refused by load shedding.');
  const attempts = seconds('sightline_source_attempt_duration_seconds', 'Attempts at sources by outcome.', SLOW, 'source', 'outcome');
  const unreadHelp = 'Answers in which a field was there but could not be read, by source and field.';
  const unread = counter('sightline_fields_unread_total', unreadHelp, 'source', 'field');
  const driftHelp = '1 while a field of the answers of a source is lost more often than usual, by source and field.';
  const drift = gauge('sightline_source_drift', driftHelp, 'source', 'field');
  const running = gauge('sightline_engine_attempts_running', 'Attempts in progress.', 'source');
  const costs = counter('sightline_upstream_cost_usd_total', 'Cost of requests as stated by paid sources, in US dollars.', 'source');
  const capHelp = 'Requests to paid sources that were not made because a daily cap is reached.';
  const capRefusals = counter('sightline_daily_cap_refusals_total', capHelp, 'source');
  return {
    registry,
    paid: {
      cost: (source: string, usd: number): void => costs.inc({ source }, Math.max(0, usd)),
      capRefused: (source: string): void => capRefusals.inc({ source }),
    },
    request: (operation: string, status: number, ms: number): void => requests.record(ms, operation, status),
    cache: (operation: string, result: string): void => cache(1, operation, result),
    charged: (operation: string, n: number): void => charged(n, operation),
    held: (ms: number, result: 'held' | 'refused'): void => holds.record(ms, result),
    settled: (result: 'captured' | 'released' | 'lost'): void => settlements(1, result),
    shed: (): void => sheds.inc(),
    /** Called when an attempt at a source starts (null) and when it ends. */
    watch(source: string, ended: AttemptEnd | null): void {
      if (!ended) {
        running.inc({ source });
        return;
      }
      running.dec({ source });
      attempts.record(ended.ms, source, ended.tag);
      for (const field of ended.unread ?? []) unread.inc({ source, field });
    },
    drifts: (source: string, field: string, isDrifting: boolean): void => drift.set({ source, field }, Number(isDrifting)),
    /** A gauge whose values are read at each scrape: `read` gives a value for each value of `label`. */
    metrics(name: string, help: string, read: () => Values | Promise<Values>, label: 'what' | 'source' = 'what'): void {
      new Gauge<'what' | 'source'>({
        name,
        help,
        labelNames: [label],
        ...common,
        async collect() {
          for (const [value, n] of Object.entries(await read())) this.set({ [label]: value }, n);
        },
      });
    },
    text: () => registry.metrics(),
  };
}

/** One label or two. */
const labelsOf = (names: readonly string[], ...values: (string | number)[]) =>
  Object.fromEntries(names.map((name, i) => [name, values[i] as string | number]));

interface Series {
  readonly labels: Readonly<Record<string, string | number>>;
  /** By bucket, not cumulative; the last counts what is above all bounds. */
  readonly counts: number[];
  sum: number;
  count: number;
}
type DurationsParts = Required<Pick<HistogramConfiguration<string>, 'name' | 'help' | 'buckets' | 'registers'>> & { labelNames: string[] };

/** A histogram whose observations do not check and sort their labels, one or two: every request makes some. Series are read at each scrape. */
class Durations extends Histogram<string> {
  readonly #parts: DurationsParts;
  /** By the first label and the second. */
  readonly #series = new Map<string, Map<string | number, Series>>();

  constructor(parts: DurationsParts) {
    super(parts);
    this.#parts = parts;
  }

  record(ms: number, first: string, second: string | number = ''): void {
    const series = this.#series.get(first)?.get(second) ?? this.#addSeries(first, second);
    const seconds = ms / 1000;
    const { buckets } = this.#parts;
    const above = buckets.findIndex((bound) => seconds <= bound);
    const bucket = above < 0 ? buckets.length : above;
    series.counts[bucket] = (series.counts[bucket] as number) + 1;
    series.sum += seconds;
    series.count++;
  }

  #addSeries(first: string, second: string | number): Series {
    const { labelNames, buckets } = this.#parts;
    const series: Series = { labels: labelsOf(labelNames, first, second), counts: new Array(buckets.length + 1).fill(0), sum: 0, count: 0 };
    const own = this.#series.get(first) ?? new Map<string | number, Series>();
    this.#series.set(first, own.set(second, series));
    return series;
  }

  /** prom-client reads every metric by this method, which its types leave out. */
  async getForPromString() {
    const { name, help, buckets } = this.#parts;
    const values = [...this.#series.values()].flatMap((own) => [...own.values()].flatMap((series) => valuesOf(name, buckets, series)));
    return { name, help, type: 'histogram', aggregator: 'sum', values };
  }
}

function valuesOf(name: string, buckets: readonly number[], { labels, counts, sum, count }: Series) {
  let total = 0;
  const bucket = (le: number | string, value: number) => ({ labels: { le, ...labels }, value, metricName: `${name}_bucket` });
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
