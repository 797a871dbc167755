import type { ServerResponse } from 'node:http';
import type { Caller } from '../../accounts/types.ts';
import type { AccountCharge } from '../../billing/charge.ts';
import type { Input, Operation } from '../../contract/operations/index.ts';
import type { Freshness, LookupResult } from '../../orchestrator/types.ts';
import { whenKnown } from '../../runtime/when-known.ts';
import { deadlineOf } from '../../settings.ts';
import { within } from '../../telemetry/trace.ts';
import { cacheWord } from '../http/cache-headers.ts';
import type { RequestContext } from '../http/request-context.ts';
import { whenSent } from '../http/response.ts';
import type { RouteDependencies } from './dependencies.ts';
import { createMissingSettingsLog } from './missing-settings-log.ts';

/** A lookup of an admitted caller. */
export interface LookupCall {
  readonly operation: Operation;
  readonly input: Input;
  readonly freshness: Freshness;
  /** Credits above which the lookup is refused; null: no limit. */
  readonly maxCredits: number | null;
  /** Cancels the lookup, unless others wait for it too. */
  readonly signal?: AbortSignal;
  /** Called with the id of each source before it is asked. */
  readonly asking?: (source: string) => void;
}

type Answered = Extract<LookupResult, { ok: true }>;

/** The part of a lookup between admission and the response. */
export interface LookupRun {
  open(context: RequestContext, caller: Caller, call: LookupCall): AccountCharge;
  /** Runs the lookup, decides its charge and notes the result in the context. Throws a ServiceError where the charge cannot be held. */
  run(context: RequestContext, caller: Caller, charge: AccountCharge, call: LookupCall): LookupResult | Promise<LookupResult>;
  /** Logs the request: attempts at sources and failures at info and above, answers from the cache at debug. `message`: of its error. */
  report(context: RequestContext, status: number, message: string | null): void;
}

export function createLookupRun({ charges, orchestrator, settings, log, monotonicMs, responder }: RouteDependencies): LookupRun {
  const logMissingSettings = createMissingSettingsLog(log, monotonicMs);
  const deadlineFor = (context: RequestContext, operation: Operation): number => context.at + deadlineOf(operation, settings);

  function decide(context: RequestContext, charge: AccountCharge, result: Answered): LookupResult | Promise<LookupResult> {
    const { answer } = result;
    context.source = answer.cached.source;
    context.attempts = answer.attempts;
    context.unread = answer.cached.unread;
    context.cache = cacheWord(answer.cacheStatus);
    context.upstreamMs = answer.upstreamMs;
    const withBalance = (): LookupResult => {
      context.remaining = charge.remaining;
      return result;
    };
    return charge.decide(answer)?.then(withBalance) ?? withBalance();
  }

  return {
    open(context, payer, { operation, input, maxCredits }) {
      const { requestId, label } = context;
      return charges.open({
        payer,
        operation: operation.id,
        input,
        requestId,
        label,
        deadlineMs: deadlineFor(context, operation),
        maxCredits,
      });
    },

    run(context, caller, charge, { operation, input, freshness, signal, asking }) {
      const looking = within(context.span, () =>
        orchestrator.lookup({
          operation: operation.id,
          input,
          freshness,
          charge,
          deadlineMs: deadlineFor(context, operation),
          requestId: context.requestId,
          account: caller.accountId,
          ...(signal && { signal }),
          ...(asking && { asking }),
        }),
      );
      return whenKnown(looking, (result) => {
        const asked = result.ok ? result.answer.attempts : result.refusal.attempts;
        if (asked.length && asked.every(({ isUnsent }) => isUnsent)) charge.sourceNotAsked();
        if (result.ok) return decide(context, charge, result);
        const { cacheStatus, upstreamMs, attempts, lacking } = result.refusal;
        context.upstreamMs = upstreamMs;
        context.attempts = attempts;
        context.cache = cacheStatus ? cacheWord(cacheStatus) : null;
        if (lacking) logMissingSettings(context.operation, lacking);
        return result;
      });
    },

    report(context, status, message) {
      const { attempts } = context;
      const level = status >= 500 && status !== 501 && status !== 504 ? 'warn' : context.cache === 'hit' || status < 500 ? 'debug' : 'info';
      const shown = attempts.length && level === 'debug' ? 'info' : level;
      if (!log.isLevelEnabled(shown)) return;
      const facts = {
        requestId: context.requestId,
        ...(context.label !== null && { label: context.label }),
        operation: context.operation,
        status,
        ms: tenths(responder.durationMs(context)),
        account: context.caller?.accountId,
        key: context.caller?.keyId,
        credits: context.charged,
        source: context.source,
        cache: context.cache,
        ...(attempts.length && { attempts }),
      };
      log[shown](facts, message ?? 'answered');
    },
  };
}

export const tenths = (ms: number): number => Math.round(ms * 10) / 10;

/**
 * Writes an answer, over HTTP and over MCP: what it costs is charged after its last byte, or when the client has left or does not read it. The
 * hold was valid in this turn.
 */
export function writeCharged(charge: AccountCharge, response: ServerResponse, write: () => void): void {
  if (charge.amount > 0) whenSent(response, () => charge.capture());
  else charge.forgo();
  write();
  if (charge.amount > 0) captureUnread(charge, response);
}

/** Once the time is over that a client has to read its answer, it is charged although it has not read it. */
function captureUnread(charge: AccountCharge, response: ServerResponse): void {
  if ((response.socket?.writableLength ?? 0) === 0) return;
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  charge.captureSlowRead(closed.signal);
}
