import { Agent } from 'undici';
import { type CallOptions, type Sightline, SightlineError } from '../../client/index.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { Settings } from '../../settings.ts';
import { fail } from '../option-values.ts';
import { serviceClient } from '../service-client.ts';
import { durationText, grouped, plural, sayFrom } from '../terminal.ts';
import { fetchBy } from './fetch.ts';
import type { Lookup, Plan } from './input.ts';
import type { LineResult } from './journal.ts';

/** An answer; of an error also the wait that the service asks for. */
export interface LineAnswer {
  readonly result: LineResult;
  readonly retryAfterMs: number | null;
  /** There may have been an answer, but it did not arrive. */
  readonly lost: boolean;
}
/** Answers the lookups of a plan: a service, or the sources of this machine. */
export type Answerer = Awaited<ReturnType<typeof openAnswerer>>;
/** Of an answer of the service. */
const MAX_BYTES = 64 * 1024 * 1024;
type Counts = ReadonlyMap<string, number>;

async function answerOf(lookup: () => Promise<Omit<LineResult, 'status' | 'ok' | 'error'>>): Promise<LineAnswer> {
  try {
    return { result: { status: 200, ok: true, ...(await lookup()) }, retryAfterMs: null, lost: false };
  } catch (error) {
    if (!(error instanceof SightlineError || error instanceof ServiceError)) throw error;
    const { code, message, status, retryable, retryAfterMs, charged } = error;
    const result = { status, ok: false, error: { code, message, retryable }, credits: charged ?? 0, source: null, cache: null };
    return { result, retryAfterMs, lost: charged === null };
  }
}

/** The service that the options or the settings name, or with `--local` the sources of this machine. Throws a UsageError. */
export async function openAnswerer(
  { url, local, concurrency }: { readonly url?: string; readonly local?: true; readonly concurrency: number },
  plan: Plan,
  settings: Settings,
) {
  if (local) return localAnswerer(plan, settings);
  const baseUrl = url ?? settings.SIGHTLINE_URL;
  if (!baseUrl) return fail('Name a service with --url or SIGHTLINE_URL, or ask the sources of this machine with --local.');
  const agent = new Agent({ connections: concurrency, pipelining: 1 });
  const client = serviceClient(baseUrl, settings, { fetch: fetchBy(agent, MAX_BYTES), maxBytes: MAX_BYTES });
  // after a stop a request may still wait for its answer
  return { ...(await serviceAnswerer(client, plan, settings)), close: () => agent.destroy() };
}

/** Asks a service; first for the account and the prices. */
async function serviceAnswerer(client: Sightline, { lookups, read }: Plan, settings: Settings) {
  const { credits, key, limits } = await client.account.get();
  /** Credits of the price in the contract's unit. */
  const units = new Map<string, number>();
  for (const [id, [first]] of Map.groupBy(lookups, ({ operation }) => operation.id))
    if (first) units.set(id, (await client.account.price(id, read(first).input)).price / first.units);
  return {
    client,
    priceOf: (lookup: Lookup) => lookup.units * (units.get(lookup.operation.id) ?? 0),
    available: credits.balance - credits.held,
    /** Limits that lookups may meet, by the number of lookups of each operation. */
    limitsFor(counts: Counts): string[] {
      const seconds = ([...counts.values()].reduce((sum, count) => sum + count, 0) - limits.burst) / limits.ratePerSecond;
      const closed = [...counts.keys()].filter((id) => key.operations && !key.operations.some((open) => open === id));
      const rate = `the account may ask ${grouped(limits.ratePerSecond)} a second, so that it takes ${durationText(seconds * 1000)}`;
      return [
        ...closed.map((id) => `this key may not use ${id}`),
        ...(key.expiresAt ? [`this key ends at ${key.expiresAt}`] : []),
        ...(seconds > 60 ? [rate] : []),
      ];
    },
    /** Under `requestId` the ledger lists the charges of the line. */
    ask: (lookup: Lookup, options: Pick<CallOptions, 'requestId' | 'maxCredits' | 'maxStale'>) =>
      answerOf(async () => {
        const { operation, input } = read(lookup);
        // retries are the run's: it knows what the other lines met
        const usual = { maxRetries: 0, deadlineMs: settings[operation.deadline.setting] + 15_000 };
        const { text, credits: paid, source, cache } = await client.lookup(operation.id, input, { ...usual, ...options }).withResponse();
        // a line of the output holds no line feed, which a proxy may have added
        return { resource: text.includes('\n') ? JSON.stringify(JSON.parse(text)) : text, credits: paid.charged, source, cache };
      }),
  };
}

/** Asks the sources of this machine, without a service, an account or a store: nothing is charged, and their daily caps are the limits. */
async function localAnswerer({ read }: Plan, settings: Settings) {
  const { composeLookups } = await import('../service.ts');
  const { createLocalCalls } = await import('../../mcp/stdio-calls.ts');
  const lookups = await composeLookups(settings, sayFrom(settings.SIGHTLINE_LOG_LEVEL));
  const calls = createLocalCalls(lookups.orchestrator, settings, lookups.clock);
  const states = await lookups.sourceStates();
  const usual = { maxCredits: null, cachedOnly: false, signal: new AbortController().signal };
  return {
    client: null,
    priceOf: () => 0,
    available: null,
    limitsFor: (counts: Counts) =>
      states.flatMap(({ name, operations, configured, spending }) => {
        const asked = operations.reduce((sum, id) => sum + (counts.get(id) ?? 0), 0);
        return configured && spending && asked > spending.maxRequestsPerDay
          ? [`the daily cap of ${name} allows ${plural(spending.maxRequestsPerDay, 'request')}`]
          : [];
      }),
    ask: (lookup: Lookup) =>
      answerOf(async () => {
        const { resource, credits, source, cache } = await calls.lookup({ ...usual, ...read(lookup) });
        return { resource: JSON.stringify(resource), credits, source, cache };
      }),
    close: () => lookups.close(),
  };
}
