import { Agent } from 'undici';
import { answerOf } from '../../bulk/lines.ts';
import { askService, pricesOf } from '../../bulk/service.ts';
import type { CallOptions, Sightline } from '../../client/index.ts';
import type { Lookup, Plan } from '../../contract/lists/input.ts';
import type { Settings } from '../../settings.ts';
import { fail } from '../option-values.ts';
import { serviceClient } from '../service-client.ts';
import { durationText, grouped, plural, sayFrom } from '../terminal.ts';
import { fetchBy } from './fetch.ts';

/** Answers the lookups of a plan: a service, or the sources of this machine. */
export type Answerer = Awaited<ReturnType<typeof openAnswerer>>;
/** Of an answer of the service. */
const MAX_BYTES = 64 * 1024 * 1024;
type Counts = ReadonlyMap<string, number>;

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
async function serviceAnswerer(client: Sightline, plan: Plan, settings: Settings) {
  const { credits, key, limits } = await client.account.get();
  return {
    client,
    priceOf: await pricesOf(client, plan),
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
      askService(client, plan, lookup, { deadlineMs: settings[lookup.operation.deadline.setting] + 15_000, ...options }),
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
