import { hash } from 'node:crypto';
import { CHARGE_RULES, type ChargeRule, type RequestExplanation } from '../../contract/account/schemas.ts';
import type { OperatorExplanation } from '../../contract/admin/schemas.ts';
import { operationOf } from '../../contract/operations/index.ts';
import { cacheKeyOf } from '../../orchestrator/cache.ts';
import { instant } from '../../runtime/clock.ts';
import type { UsageRow } from '../types.ts';
import { parametersOf, requestOf } from './request-log.ts';

type FoundRows = readonly [UsageRow, ...UsageRow[]];

const otherOf = ({ requestId, at, operation, status }: UsageRow) => ({ requestId, at: instant(at), operation, status });

/** What happened to the first of these requests, from its row in the request log; the others have the same label. */
export function explain([row, ...others]: FoundRows): RequestExplanation {
  const { cacheControl, message, receipt, attempts = [], unread = [] } = row.details ?? {};
  const rule = ruleOf(row, operationOf(row.operation) !== undefined);
  return {
    ...requestOf(row),
    message: message ?? null,
    freshness: cacheControl ?? null,
    attempts: attempts.map(({ source, tag, ms, what, at }) => ({
      source,
      outcome: tag,
      startMs: at === undefined || at < row.at ? null : at - row.at,
      durationMs: Math.round(ms),
      reason: what,
    })),
    rule,
    ruleInWords: CHARGE_RULES[rule],
    receipt: receipt ?? null,
    unread: [...unread],
    upstreamMs: row.upstreamMs,
    steps: stepsOf(row),
    others: others.map(otherOf),
  };
}

export function explainToOperator(found: FoundRows): OperatorExplanation {
  const [row, ...others] = found;
  const operation = operationOf(row.operation);
  const input = operation && row.target !== null ? operation.readInput(parametersOf(operation, row.target)) : null;
  return {
    ...explain(found),
    accountId: row.accountId,
    others: others.map((other) => ({ ...otherOf(other), accountId: other.accountId })),
    inputHash: operation && input?.ok ? hash('sha256', cacheKeyOf(operation.id, input.value), 'hex') : null,
    details: (row.details?.attempts ?? []).map(({ detail }) => detail),
    captures: [],
  };
}

function ruleOf({ status, cache, credits, details }: UsageRow, isLookup: boolean): ChargeRule {
  if (status >= 400) return 'error';
  if (!isLookup) return details?.receipt === undefined ? 'account' : 'check';
  if (credits > 0) return cache === 'miss' ? 'charged' : 'cached-charged';
  if (cache === 'hit') return 'cached';
  if (cache === 'collapsed') return 'joined';
  if (cache === 'stale') return 'stale';
  return 'no-price';
}

/** Steps of a lookup that asked a source for this request. */
function stepsOf(row: UsageRow): RequestExplanation['steps'] {
  const { admittedMs, hold, attempts = [] } = row.details ?? {};
  const [first, last] = [attempts[0]?.at, attempts.at(-1)];
  if (admittedMs === undefined || first === undefined || first < row.at || last?.at === undefined) return [];
  const steps: RequestExplanation['steps'] = [];
  const add = (step: (typeof steps)[number]['step'], startMs: number, endMs: number) =>
    steps.push({ step, startMs, durationMs: Math.max(0, endMs - startMs) });
  add('admission', 0, admittedMs);
  add('cache', admittedMs, hold?.startMs ?? first - row.at);
  if (hold) add('hold', hold.startMs, hold.startMs + hold.ms);
  add('answer', last.at + last.ms - row.at, row.durationMs);
  return steps;
}
