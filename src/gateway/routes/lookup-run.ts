import type { ServerResponse } from 'node:http';
import type { Caller } from '../../accounts/types.ts';
import type { Charge } from '../../billing/charge.ts';
import type { ServiceError } from '../../contract/errors.ts';
import type { Input, Operation } from '../../contract/operations/index.ts';
import type { Freshness, LookupResult, Payment } from '../../orchestrator/types.ts';
import { deadlineOf } from '../../settings.ts';
import { within } from '../../telemetry/trace.ts';
import type { RequestContext } from '../http/request-context.ts';
import { whenSent } from '../http/response.ts';
import type { RouteDependencies } from '../parts.ts';

export interface LookupCall {
  readonly operation: Operation;
  readonly input: Input;
  readonly freshness: Freshness;
  /** Credits above which the lookup is refused; null: no limit. */
  readonly maxCredits: number | null;
  /** Cancels the lookup, unless others wait for it too. */
  readonly signal?: AbortSignal;
  /** Called with the id of each source before it is asked. */
  readonly asking?: ((source: string) => void) | undefined;
}

/** The part of a lookup between admission and the response, over HTTP and over MCP. */
export type LookupRunner = ReturnType<typeof createLookupRunner>;

const LOGGED_EVERY_MS = 60_000;

export function createLookupRunner({ billing, orchestrator, settings, log, monotonicMs, responder }: RouteDependencies) {
  const loggedAt = new Map<string, number>();
  const deadlineFor = (context: RequestContext, operation: Operation): number => context.at + deadlineOf(operation, settings);

  /** Logs the settings that would configure a source for an operation. */
  function logMissingSettings(operation: string, lacking: readonly string[]): void {
    const now = monotonicMs();
    if (now - (loggedAt.get(operation) ?? Number.NEGATIVE_INFINITY) < LOGGED_EVERY_MS) return;
    loggedAt.set(operation, now);
    log.warn({ operation, settings: lacking }, 'no source is configured for this operation: one of these settings would configure one');
  }

  /** The charge, with the time of its hold noted in the context. */
  const timed = (context: RequestContext, charge: Charge): Payment => ({
    async hold() {
      const startMs = responder.durationMs(context);
      await charge.hold();
      context.hold = { startMs, ms: responder.durationMs(context) - startMs };
    },
    release: () => charge.release(),
  });

  return {
    openCharge(context: RequestContext, payer: Caller, { operation, input, maxCredits }: LookupCall): Charge {
      const { requestId, label } = context;
      const deadlineMs = deadlineFor(context, operation);
      return billing.openCharge({ payer, operation: operation.id, input, requestId, label, deadlineMs, maxCredits });
    },

    /** Runs the lookup, decides its charge and notes the result in the context. Throws a ServiceError where the charge cannot be held. */
    async runLookup(context: RequestContext, caller: Caller, charge: Charge, call: LookupCall): Promise<LookupResult> {
      const { operation, input, freshness, signal, asking } = call;
      const result = await within(context.span, () =>
        orchestrator.lookup({
          operation: operation.id,
          input,
          freshness,
          charge: timed(context, charge),
          deadlineMs: deadlineFor(context, operation),
          requestId: context.requestId,
          account: caller.accountId,
          signal,
          asking,
        }),
      );
      context.noteResult(result);
      const { attempts } = context;
      if (attempts.length && attempts.every(({ isUnsent }) => isUnsent)) charge.sourceNotAsked();
      if (result.ok) {
        await charge.decide(result.answer);
        context.remaining = charge.remaining;
      } else if (result.refusal.lacking) logMissingSettings(context.operation, result.refusal.lacking);
      return result;
    },
  };
}

/** Writes an answer over HTTP. Throws a ServiceError where its hold has expired. */
export async function deliverCharged(context: RequestContext, charge: Charge, write: () => void): Promise<void> {
  // no await between the last check of the hold and the first byte
  while (charge.nearlyExpired) await charge.renew();
  context.receipt = charge.receipt;
  context.charged = charge.amount;
  writeCharged(charge, context.response, write);
}

/** Writes an answer: it is charged after its last byte, or when the client has left or does not read it. The hold was valid in this turn. */
export function writeCharged(charge: Charge, response: ServerResponse, write: () => void): void {
  if (charge.amount > 0) whenSent(response, () => charge.capture());
  else charge.waive();
  write();
  if (charge.amount > 0) captureUnread(charge, response);
}

/** Once the time is over that a client has to read its answer, it is charged although it has not read it. */
function captureUnread(charge: Charge, response: ServerResponse): void {
  if ((response.socket?.writableLength ?? 0) === 0) return;
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  charge.captureSlowRead(closed.signal);
}

/** Sends an error: every credit held for the request is released, and its caller gets the remaining ones. `more`: further headers, flat. */
export function refuseCaller(
  { billing, responder }: Pick<RouteDependencies, 'billing' | 'responder'>,
  context: RequestContext,
  charge: Charge | null,
  error: ServiceError,
  more: readonly string[] = [],
): void {
  if (charge) context.remaining = charge.cancel();
  else if (context.caller) context.remaining = billing.remaining(context.caller.accountId);
  responder.refuse(context, error, more);
}
