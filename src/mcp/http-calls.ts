import type { Caller } from '../accounts/types.ts';
import { targetOf } from '../accounts/usage/request-log.ts';
import type { Charge } from '../billing/charge.ts';
import { ServiceError } from '../contract/errors.ts';
import type { RequestContext } from '../gateway/http/request-context.ts';
import type { RouteDependencies } from '../gateway/parts.ts';
import { accountOf, priceOfLookup, watchesOf } from '../gateway/routes/account.ts';
import type { LookupCall, LookupRunner } from '../gateway/routes/lookup.ts';
import { answerOf, demandWithin, freshnessOf, type ToolCalls } from './calls.ts';

/** The tool call of one POST: one message calls one tool. */
export type ToolCall = ReturnType<typeof createToolCall>;

export const smaller = (a: number | null, b: number | null): number | null => (a === null ? b : b === null ? a : Math.min(a, b));

/** `admitted`: the caller, or why the call is refused. `maxCredits`: limit of every lookup of this request; null: none. */
export function createToolCall(
  routes: RouteDependencies,
  lookups: LookupRunner,
  context: RequestContext,
  admitted: Caller | ServiceError,
  maxCredits: number | null,
) {
  const { responder } = routes;
  let held: Charge | null = null;
  let decided: Charge | null = null;
  let error: ServiceError | null = null;

  /** Notes why the call failed, and returns every credit that is held for it. */
  async function guarded<T>(work: (caller: Caller) => Promise<T>): Promise<T> {
    try {
      if (admitted instanceof ServiceError) throw admitted;
      return await work(admitted);
    } catch (thrown) {
      error = responder.refusalOf(context, routes.admission.challenged(context, thrown));
      if (held) context.remaining = held.cancel();
      throw error;
    }
  }

  return {
    /** Pays for the answer, once it is decided; null: nothing is charged. */
    get charge() {
      return decided;
    },
    /** Why the tool call failed; null: it did not, or has not yet. */
    get error() {
      return error;
    },
    lookup: (lookup) =>
      guarded(async (caller) => {
        context.target = targetOf(lookup.operation, lookup.texts);
        const call: LookupCall = { ...lookup, freshness: freshnessOf(lookup), maxCredits: smaller(lookup.maxCredits, maxCredits) };
        const charge = lookups.openCharge(context, caller, call);
        held = charge;
        const result = await lookups.runLookup(context, caller, charge, call);
        if (!result.ok) throw result.refusal.error;
        const { cached } = result.answer;
        context.receipt = charge.receipt;
        context.charged = charge.amount;
        decided = charge;
        const { amount: credits, receipt } = charge;
        return answerOf(cached, { credits, receipt: credits > 0 ? receipt : null, cache: context.cache });
      }),
    price: (operation, texts) => guarded(({ accountId }) => priceOfLookup(routes, operation, Object.entries(texts), accountId)),
    account: () => guarded((caller) => accountOf(routes, caller)),
    watches: {
      add: (watch) =>
        guarded(async (caller) => {
          demandWithin(maxCredits, watch);
          return watchesOf(routes).create(caller, watch);
        }),
      list: (query) => guarded((caller) => watchesOf(routes).list(caller, query)),
      changes: (query) => guarded((caller) => watchesOf(routes).changes(caller, query)),
    },
  } satisfies ToolCalls & Readonly<Record<string, unknown>>;
}
