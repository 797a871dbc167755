import { demandTarget } from '../accounts/rights.ts';
import type { Caller } from '../accounts/types.ts';
import { targetOf } from '../accounts/usage/request-log.ts';
import { ServiceError } from '../contract/errors.ts';
import type { RequestContext } from '../gateway/http/request-context.ts';
import type { RouteDependencies } from '../gateway/parts.ts';
import { accountOf, priceOfLookup, watchesOf } from '../gateway/routes/account.ts';
import type { Admitted, Answered } from '../lookups/states.ts';
import {
  answerOf,
  budgetOf,
  demandWithin,
  freshnessOf,
  importWithin,
  smaller,
  type ToolAnswer,
  type ToolCalls,
  type ToolLookup,
  testWatch,
} from './calls.ts';

/** The tool call of one POST: one message calls one tool. */
export type ToolCall = ReturnType<typeof createToolCall>;

/** One lookup of several that a call makes: it ends like a request of its own. */
export interface CallPart {
  readonly context: RequestContext;
  /** Null: it was answered. */
  error: ServiceError | null;
}

/** `admitted`: the caller, or why the call is refused. `maxCredits`: limit of this request; null: none. */
export function createToolCall(
  routes: RouteDependencies,
  context: RequestContext,
  admitted: Admitted<Caller> | ServiceError,
  maxCredits: number | null,
) {
  const { admission, responder, lookups } = routes;
  const parts: CallPart[] = [];
  let answered: Pick<Answered, 'deliver'> | null = null;
  let error: ServiceError | null = null;

  const refusalIn = (own: RequestContext, thrown: unknown): ServiceError => responder.refusalOf(own, admission.challenged(own, thrown));

  /** Notes why the call failed. */
  async function guarded<T>(work: (caller: Caller, admitted: Admitted<Caller>) => Promise<T>): Promise<T> {
    try {
      if (admitted instanceof ServiceError) throw admitted;
      return await work(admitted.caller, admitted);
    } catch (thrown) {
      error = refusalIn(context, thrown);
      throw error;
    }
  }

  async function lookUp(own: RequestContext, admitted: Admitted<Caller>, lookup: ToolLookup): Promise<[Answered, ToolAnswer]> {
    own.target = targetOf(lookup.operation, lookup.texts);
    const call = { ...lookup, freshness: freshnessOf(lookup), maxCredits: smaller(lookup.maxCredits, maxCredits) };
    const ended = await lookups.ask(admitted, call).price().run();
    own.lookup = ended;
    own.remaining = ended.remaining;
    if (!ended.ok) throw ended.error;
    // the header fields of a plain answer; a stream begins before they are known
    const { credits, receipt, facts } = ended;
    own.charged = { credits, receipt };
    return [ended, answerOf(ended.cached, { credits, receipt: credits > 0 ? receipt : null, cache: facts.cache })];
  }

  return {
    /** What is delivered; null: no lookup was made, or it has no answer yet. */
    get answered() {
      return answered;
    },
    /** Why the tool call failed; null: it did not, or has not yet. */
    get error() {
      return error;
    },
    parts: parts as readonly CallPart[],
    lookup: (lookup) =>
      guarded(async (_caller, admitted) => {
        const [ended, answer] = await lookUp(context, admitted, lookup);
        answered = ended;
        return answer;
      }),
    several: (work) =>
      guarded(async () => {
        const ends: Answered[] = [];
        const done = await work(async (lookup) => {
          const part: CallPart = { context: responder.partOf(context, lookup.operation.id), error: null };
          parts.push(part);
          try {
            const own = await admission.admitCaller(part.context, lookup.operation.id);
            const [ended, answer] = await lookUp(part.context, own, lookup);
            ends.push(ended);
            return answer;
          } catch (thrown) {
            part.error = refusalIn(part.context, thrown);
            throw part.error;
          }
        });
        answered = lookups.together(ends);
        const credits = ends.reduce((sum, end) => sum + end.credits, 0);
        context.charged = { credits, receipt: null, elsewhere: true };
        context.remaining = ends.at(-1)?.remaining ?? context.remaining;
        return done;
      }),
    failed(thrown) {
      error ??= refusalIn(context, thrown);
    },
    limit: () => maxCredits,
    price: (operation, texts) => guarded((caller) => priceOfLookup(routes, operation, Object.entries(texts), caller, null)),
    account: () => guarded((caller) => accountOf(routes, caller)),
    watches: {
      add: (watch) =>
        guarded(async (caller) => {
          demandWithin(maxCredits, watch);
          return watchesOf(routes).create(caller, watch);
        }),
      import: (list) =>
        guarded((caller) => {
          demandTarget(caller, 'account-watch-import');
          return importWithin(maxCredits, list, (asked) => watchesOf(routes).import(caller, asked));
        }),
      edit: (watchId, edit) =>
        guarded(async (caller) => {
          budgetOf(maxCredits, edit);
          return watchesOf(routes).edit(caller, watchId, edit);
        }),
      test: (watchId) =>
        guarded((caller) => {
          const watches = watchesOf(routes);
          const count = () => admission.admitTest(context, caller.accountId);
          return testWatch(
            {
              get: (id) => watches.show(caller, id),
              async notify() {
                demandTarget(caller, 'account-notify-test');
                return watches.notify.show(caller);
              },
              send: (targetId, id) =>
                id === null ? watches.notify.test(caller, { targetId }, null, count) : watches.testNotify(caller, id, { targetId }, count),
            },
            watchId,
          );
        }),
      list: (query) => guarded((caller) => watchesOf(routes).list(caller, query)),
      changes: (query) => guarded((caller) => watchesOf(routes).changes(caller, query)),
    },
  } satisfies ToolCalls & Readonly<Record<string, unknown>>;
}
