import type { LookupInput } from '../client/lookups.ts';
import type { Sightline } from '../client/sightline.ts';
import { ServiceError } from '../contract/errors.ts';
import { priceOf } from '../contract/operations/index.ts';
import { lookUpFree } from '../lookups/free-lookup.ts';
import { freshUntil } from '../orchestrator/cache.ts';
import type { Orchestrator } from '../orchestrator/types.ts';
import { type Clock, instant } from '../runtime/clock.ts';
import type { Settings } from '../settings.ts';
import {
  answerOf,
  budgetOf,
  demandWithin,
  freshnessOf,
  importWithin,
  type ToolAnswer,
  type ToolCalls,
  type ToolLookup,
  testWatch,
} from './calls.ts';

/** Tool calls on the sources of this machine, without a service: no account, no credits. */
export function createLocalCalls(orchestrator: Orchestrator, settings: Settings, clock: Clock): ToolCalls {
  const noAccount = async (): Promise<never> => {
    throw new ServiceError(
      'NOT_IMPLEMENTED',
      'There is no account without a service (--url): lookups at your own sources cost no credits.',
    );
  };
  async function lookup(lookup: ToolLookup): Promise<ToolAnswer> {
    const { operation, input, signal, asking } = lookup;
    const asked = { operation, input, freshness: freshnessOf(lookup), signal, asking, requestId: 'mcp' };
    const result = await lookUpFree({ orchestrator, settings, clock }, asked);
    if (!result.ok) throw result.refusal.error;
    const { cached, cacheStatus } = result.answer;
    return answerOf(cached, { credits: 0, receipt: null, cache: cacheStatus.how });
  }
  return {
    lookup,
    several: (work) => work(lookup),
    limit: () => null,
    async price(operation, _texts, input) {
      const cached = await orchestrator.peek(operation.id, input);
      const price = priceOf(settings.SIGHTLINE_PRICES, operation.id, input);
      return { operation: operation.id, price, cached: cached !== null, freshUntil: cached && instant(freshUntil(cached)), charge: 0 };
    },
    account: noAccount,
    watches: { add: noAccount, import: noAccount, edit: noAccount, test: noAccount, list: noAccount, changes: noAccount },
  };
}

/** A deadline longer than any lookup takes at the service. The model decides about retries: the error says whether and when one may help. */
export const CLIENT = { deadlineMs: 130_000, maxRetries: 0 };
/** Stale answers that a cursor may continue; the service keeps none for longer. */
const MAX_STALE_S = 7 * 86_400;

/** Tool calls of a service elsewhere, over its HTTP interface. */
export function createClientCalls(client: Sightline, now: () => number): ToolCalls {
  async function lookup({ operation, input, maxCredits, cachedOnly, signal }: ToolLookup): Promise<ToolAnswer> {
    const answer = await client
      .lookup(operation.id, input as LookupInput, {
        signal,
        ...(maxCredits !== null && { maxCredits }),
        ...(cachedOnly && { onlyIfCached: true, maxStale: MAX_STALE_S }),
      })
      .withResponse();
    const { data, credits, receipt, source, cache, ageMs, unread } = answer;
    const readAt = ageMs === null ? null : new Date(now() - ageMs).toISOString();
    return { resource: { ...data }, credits: credits.charged, receipt, source, cache, readAt, unread };
  }
  return {
    lookup,
    several: (work) => work(lookup),
    limit: () => null,
    price: (operation, _texts, input) => Promise.resolve(client.account.price(operation.id, input as LookupInput)),
    account: () => Promise.resolve(client.account.get()),
    watches: {
      add: (watch) => Promise.resolve(client.watches.create(watch)),
      import: (list) => Promise.resolve(client.watches.import(list)),
      edit: (watchId, edit) => Promise.resolve(client.watches.edit(watchId, edit)),
      test(watchId) {
        const { get, notify, testNotify } = client.watches;
        return testWatch({ get: (id) => get(id), notify: () => notify(), send: (targetId, id) => testNotify({ targetId }, id) }, watchId);
      },
      list: (page) => Promise.resolve(client.watches.list(page)),
      changes: (page) => Promise.resolve(client.watches.feed(page)),
    },
  };
}

/** Limits what all lookups of a session, and a month of each watch that it makes, cost together. Lookups run one after another, so that each knows what is left. */
export function withSessionCredits(calls: ToolCalls, limit: number): ToolCalls {
  let spent = 0;
  let last: Promise<unknown> = Promise.resolve();
  function lookup(lookup: ToolLookup): Promise<ToolAnswer> {
    const next = last.then(async () => {
      const left = limit - spent;
      // cached answers cost nothing
      if (left <= 0 && !lookup.cachedOnly)
        throw new ServiceError(
          'INSUFFICIENT_CREDITS',
          `This session may spend ${limit} credits in all (SIGHTLINE_MCP_MAX_CREDITS), and has spent ${spent}: nothing was done.`,
        );
      const answer = await calls.lookup({ ...lookup, maxCredits: Math.min(lookup.maxCredits ?? left, left) });
      spent += answer.credits;
      return answer;
    });
    last = next.catch(() => undefined); // its caller sees the error
    return next;
  }
  return {
    ...calls,
    lookup,
    several: (work) => work(lookup),
    limit: () => Math.max(0, limit - spent),
    watches: {
      ...calls.watches,
      async add(watch) {
        demandWithin(limit - spent, watch);
        spent += watch.creditsPerMonth;
        return calls.watches.add(watch);
      },
      async import(list) {
        const done = await importWithin(limit - spent, list, calls.watches.import);
        if (done.made) spent += done.creditsPerMonth;
        return done;
      },
      async edit(watchId, edit) {
        spent += budgetOf(limit - spent, edit) ?? 0;
        return calls.watches.edit(watchId, edit);
      },
    },
  };
}
