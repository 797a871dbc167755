import type { Caller } from '../accounts/types.ts';
import { targetOf } from '../accounts/usage/request-log.ts';
import { ServiceError } from '../contract/errors.ts';
import type { RequestContext } from '../gateway/http/request-context.ts';
import type { RouteDependencies } from '../gateway/parts.ts';
import { accountOf, priceOfLookup, watchesOf } from '../gateway/routes/account.ts';
import type { Admitted, Answered } from '../lookups/states.ts';
import { answerOf, demandWithin, freshnessOf, type ToolCalls } from './calls.ts';

/** The tool call of one POST: one message calls one tool. */
export type ToolCall = ReturnType<typeof createToolCall>;

export const smaller = (a: number | null, b: number | null): number | null => (a === null ? b : b === null ? a : Math.min(a, b));

/** `admitted`: the caller, or why the call is refused. `maxCredits`: limit of every lookup of this request; null: none. */
export function createToolCall(
  routes: RouteDependencies,
  context: RequestContext,
  admitted: Admitted<Caller> | ServiceError,
  maxCredits: number | null,
) {
  const { responder, lookups } = routes;
  let answered: Answered | null = null;
  let error: ServiceError | null = null;

  /** Notes why the call failed. */
  async function guarded<T>(work: (caller: Caller, admitted: Admitted<Caller>) => Promise<T>): Promise<T> {
    try {
      if (admitted instanceof ServiceError) throw admitted;
      return await work(admitted.caller, admitted);
    } catch (thrown) {
      error = responder.refusalOf(context, routes.admission.challenged(context, thrown));
      throw error;
    }
  }

  return {
    /** The answer of its lookup, to be delivered; null: it makes none, or there is none yet. */
    get answered() {
      return answered;
    },
    /** Why the tool call failed; null: it did not, or has not yet. */
    get error() {
      return error;
    },
    lookup: (lookup) =>
      guarded(async (_caller, admitted) => {
        context.target = targetOf(lookup.operation, lookup.texts);
        const call = { ...lookup, freshness: freshnessOf(lookup), maxCredits: smaller(lookup.maxCredits, maxCredits) };
        const ended = await lookups.ask(admitted, call).price().run();
        context.lookup = ended;
        context.remaining = ended.remaining;
        if (!ended.ok) throw ended.error;
        answered = ended;
        // the header fields of a plain answer; a stream begins before they are known
        context.charged = { credits: ended.credits, receipt: ended.receipt };
        const { credits, receipt, facts } = ended;
        return answerOf(ended.cached, { credits, receipt: credits > 0 ? receipt : null, cache: facts.cache });
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
