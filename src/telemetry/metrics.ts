import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { RequestDurations } from './request-durations.ts';

/** The end of an attempt at a source. */
export interface AttemptEnd {
  /** Tag of the outcome. */
  readonly tag: string;
  readonly ms: number;
  /** Fields of the answer that could not be read, as paths without list indexes. */
  readonly unread?: readonly string[];
}

/** Rate, errors and duration by operation and by source; cache, ledger and engine. One registry per process. */
export interface Metrics {
  readonly registry: Registry;
  request(operation: string, status: number, ms: number): void;
  cache(operation: string, result: string): void;
  charged(operation: string, credits: number): void;
  held(ms: number, result: 'held' | 'refused'): void;
  settled(result: 'captured' | 'released' | 'lost'): void;
  shed(): void;
  readonly paid: {
    /** Cost of a request as stated by a paid source. */
    cost(source: string, usd: number): void;
    /** A request was not made because the daily cap of the source is reached. */
    capRefused(source: string): void;
  };
  /** Called when an attempt at a source starts (null) and when it ends. */
  watch(source: string, ended: AttemptEnd | null): void;
  /** A field of a source begins to drift, or no longer does. */
  drifts(source: string, field: string, isDrifting: boolean): void;
  /** A gauge whose values are read at each scrape: `read` gives a value for each value of `label` (default: `what`). */
  metrics(name: string, help: string, read: () => Readonly<Record<string, number>>, label?: 'what' | 'source'): void;
  text(): Promise<string>;
}

const FAST = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];
const SLOW = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120];

export interface MetricsOptions {
  readonly version: string;
  /** Also collects metrics of the process (memory, event loop, garbage collection). Default: true. */
  readonly processMetrics?: boolean;
}

export function createMetrics(options: MetricsOptions): Metrics {
  const registry = new Registry();
  const registers = [registry];
  if (options.processMetrics ?? true) collectDefaultMetrics({ register: registry });
  const build = new Gauge({ name: 'sightline_build_info', help: 'Version of the running service.', labelNames: ['version'], registers });
  build.set({ version: options.version }, 1);
  const requests = new RequestDurations('sightline_request_duration_seconds', 'Requests by operation and status.', FAST, registry);
  // counted here, and added to the counter at each scrape: an increment of the counter costs a text of all labels
  const cacheAnswers = new Map<string, Map<string, number>>();
  new Counter({
    name: 'sightline_cache_answers_total',
    help: 'Lookup responses by cache result: hit, miss, stale, collapsed.',
    labelNames: ['operation', 'result'],
    registers,
    collect() {
      for (const [operation, results] of cacheAnswers)
        for (const [result, n] of results) {
          this.inc({ operation, result }, n);
          results.set(result, 0);
        }
    },
  });
  const credits = new Counter({ name: 'sightline_credits_charged_total', help: 'Credits charged.', labelNames: ['operation'], registers });
  const holds = new Histogram({
    name: 'sightline_ledger_hold_duration_seconds',
    help: 'Time until a hold was durable or refused.',
    labelNames: ['result'],
    buckets: FAST,
    registers,
  });
  const settlements = new Counter({
    name: 'sightline_ledger_settlements_total',
    help: 'Holds by result: captured, released, lost.',
    labelNames: ['result'],
    registers,
  });
  const sheds = new Counter({ name: 'sightline_requests_shed_total', help: 'Requests refused by load shedding.', registers });
  const attempts = new Histogram({
    name: 'sightline_source_attempt_duration_seconds',
    help: 'Attempts at sources by outcome.',
    labelNames: ['source', 'outcome'],
    buckets: SLOW,
    registers,
  });
  const unread = new Counter({
    name: 'sightline_fields_unread_total',
    help: 'Answers in which a field was there but could not be read, by source and field.',
    labelNames: ['source', 'field'],
    registers,
  });
  const drift = new Gauge({
    name: 'sightline_source_drift',
    help: '1 while a field of the answers of a source is lost more often than usual, by source and field.',
    labelNames: ['source', 'field'],
    registers,
  });
  const running = new Gauge({
    name: 'sightline_engine_attempts_running',
    help: 'Attempts in progress.',
    labelNames: ['source'],
    registers,
  });
  const costs = new Counter({
    name: 'sightline_upstream_cost_usd_total',
    help: 'Cost of requests as stated by paid sources, in US dollars.',
    labelNames: ['source'],
    registers,
  });
  const capRefusals = new Counter({
    name: 'sightline_daily_cap_refusals_total',
    help: 'Requests to paid sources that were not made because a daily cap is reached.',
    labelNames: ['source'],
    registers,
  });
  return {
    registry,
    paid: {
      cost: (source, usd) => costs.inc({ source }, Math.max(0, usd)),
      capRefused: (source) => capRefusals.inc({ source }),
    },
    request: (operation, status, ms) => requests.record(operation, status, ms / 1000),
    cache(operation, result) {
      let results = cacheAnswers.get(operation);
      if (!results) {
        results = new Map();
        cacheAnswers.set(operation, results);
      }
      results.set(result, (results.get(result) ?? 0) + 1);
    },
    charged: (operation, n) => credits.inc({ operation }, n),
    held: (ms, result) => holds.observe({ result }, ms / 1000),
    settled: (result) => settlements.inc({ result }),
    shed: () => sheds.inc(),
    watch(source, ended) {
      if (!ended) {
        running.inc({ source });
        return;
      }
      running.dec({ source });
      attempts.observe({ source, outcome: ended.tag }, ended.ms / 1000);
      for (const field of ended.unread ?? []) unread.inc({ source, field });
    },
    drifts(source, field, isDrifting) {
      drift.set({ source, field }, Number(isDrifting));
    },
    metrics(name, help, read, label = 'what') {
      const gauge: Gauge<'what' | 'source'> = new Gauge({
        name,
        help,
        labelNames: [label],
        registers,
        collect() {
          for (const [value, n] of Object.entries(read())) gauge.set({ [label]: value }, n);
        },
      });
    },
    text: () => registry.metrics(),
  };
}
