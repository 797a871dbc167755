import type { Caller } from '../../accounts/types.ts';
import type { AccountCharge } from '../../billing/charge.ts';
import type { ServiceError } from '../../contract/errors.ts';
import type { Operation } from '../../contract/operations/index.ts';
import { ORDINARY } from '../../orchestrator/types.ts';
import type { RequestContext } from '../http/request-context.ts';
import { accountOf } from '../routes/account.ts';
import { priceOfLookup } from '../routes/account-price.ts';
import type { RouteDependencies } from '../routes/dependencies.ts';
import type { LookupCall, LookupRun } from '../routes/lookup-run.ts';
import type { ToolCalls } from './endpoint.ts';

/** The caller of a tool, or why the call is refused. */
export type Admitted = { readonly caller: Caller } | { readonly refused: ServiceError };

/** The tool call of one POST: one message calls one tool. */
export interface ToolCall extends ToolCalls {
  /** Pays for the answer, once it is decided; null: nothing is charged. */
  readonly charge: AccountCharge | null;
  /** Why the tool call failed; null: it did not, or has not yet. */
  readonly error: ServiceError | null;
}

/** The smaller of two limits; null is no limit. */
const smaller = (a: number | null, b: number | null): number | null => (a === null ? b : b === null ? a : Math.min(a, b));

/** `maxCredits`: limit of every lookup of this request; null: none. */
export function createToolCall(
  routes: RouteDependencies,
  lookups: LookupRun,
  context: RequestContext,
  admitted: Admitted,
  maxCredits: number | null,
): ToolCall {
  const { responder } = routes;
  let held: AccountCharge | null = null;
  let decided: AccountCharge | null = null;
  let error: ServiceError | null = null;

  /** Notes why the call failed, and returns every credit that is held for it. */
  async function guarded<T>(work: (caller: Caller) => Promise<T>): Promise<T> {
    try {
      if ('refused' in admitted) throw admitted.refused;
      return await work(admitted.caller);
    } catch (thrown) {
      error = responder.refusalOf(context, thrown);
      if (held) context.remaining = held.cancel();
      throw error;
    }
  }

  return {
    get charge() {
      return decided;
    },
    get error() {
      return error;
    },
    lookup: (lookup) =>
      guarded(async (caller) => {
        const { operation, input, texts, cachedOnly, signal, asking } = lookup;
        context.target = targetOf(operation, texts);
        const freshness = cachedOnly ? { ...ORDINARY, onlyIfCached: true, maxStaleMs: Number.POSITIVE_INFINITY } : ORDINARY;
        const call: LookupCall = {
          operation,
          input,
          freshness,
          maxCredits: smaller(lookup.maxCredits, maxCredits),
          signal,
          ...(asking && { asking }),
        };
        const charge = lookups.open(context, caller, call);
        held = charge;
        const result = await lookups.run(context, caller, charge, call);
        if (!result.ok) throw result.refusal.error;
        const { cached } = result.answer;
        context.receipt = charge.receipt;
        context.charged = charge.amount;
        decided = charge;
        return {
          resource: JSON.parse(cached.bytes.toString()) as Record<string, unknown>,
          credits: charge.amount,
          receipt: charge.amount > 0 ? charge.receipt : null,
          source: cached.source,
          cache: context.cache,
          readAt: new Date(cached.at).toISOString(),
          unread: cached.unread,
        };
      }),
    price: (operation, texts) => guarded(({ accountId }) => priceOfLookup(routes, operation, Object.entries(texts), accountId)),
    account: () => guarded((caller) => accountOf(routes, caller)),
  };
}

/** Path and query of the same lookup over HTTP. */
function targetOf(operation: Operation, texts: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(texts);
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    query.delete(name);
    return encodeURIComponent(texts[name] ?? '');
  });
  return query.size ? `${path}?${query}` : path;
}
