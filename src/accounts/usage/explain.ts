import { hash } from 'node:crypto';
import { CHARGE_RULES, type ChargeRule, type RequestExplanation } from '../../contract/account/schemas.ts';
import { type Operation, operationOf } from '../../contract/operations/index.ts';
import { cacheKeyOf } from '../../orchestrator/cache-key.ts';
import { instant } from '../../runtime/clock.ts';
import type { RequestDetails } from '../types.ts';
import { type LoggedRequest, requestOf } from './request-log.ts';

/** What the operator sees beyond the caller's own view. */
export interface OperatorExplanation extends RequestExplanation {
  readonly accountId: string;
  /** Of any account. */
  readonly others: (RequestExplanation['others'][number] & { readonly accountId: string })[];
  /** SHA-256 of operation and parameters, the same for the same lookup; null where the parameters were not valid. */
  readonly inputHash: string | null;
  /** Details of each attempt, for the operator alone. */
  readonly details: readonly (string | null)[];
  /** Ids of its captures in the data folder of the process that answers. */
  readonly captures: readonly string[];
}

type Found = readonly [LoggedRequest, ...LoggedRequest[]];

const otherOf = ({ request_id: requestId, at, operation, status }: LoggedRequest): RequestExplanation['others'][number] => ({
  requestId,
  at: instant(at),
  operation,
  status,
});

const detailsOf = ({ details }: LoggedRequest): RequestDetails => (details === null ? {} : (JSON.parse(details) as RequestDetails));

/** What happened to the first of these requests, from its row in the request log; the others have the same label. */
export function explain([row, ...others]: Found): RequestExplanation {
  const { cacheControl, message, receipt, attempts = [], unread = [] } = detailsOf(row);
  const operation = operationOf(row.operation);
  const rule = ruleOf(row, operation !== undefined);
  return {
    ...requestOf(row),
    message: message ?? null,
    parameters: operation && row.target !== null ? Object.fromEntries(parametersOf(operation, row.target)) : null,
    freshness: cacheControl ?? null,
    attempts: attempts.map(({ source, tag, ms, what }) => ({ source, outcome: tag, durationMs: Math.round(ms), reason: what })),
    rule,
    ruleInWords: CHARGE_RULES[rule],
    receipt: receipt ?? null,
    unread: [...unread],
    upstreamMs: row.upstream_ms,
    others: others.map(otherOf),
  };
}

export function explainToOperator(found: Found): OperatorExplanation {
  const [row, ...others] = found;
  const operation = operationOf(row.operation);
  const input = operation && row.target !== null ? operation.readInput(parametersOf(operation, row.target)) : null;
  return {
    ...explain(found),
    accountId: row.account_id,
    others: others.map((other) => ({ ...otherOf(other), accountId: other.account_id })),
    inputHash: operation && input?.ok ? hash('sha256', cacheKeyOf(operation.id, input.value), 'hex') : null,
    details: (detailsOf(row).attempts ?? []).map(({ detail }) => detail),
    captures: [],
  };
}

function ruleOf({ status, cache, credits }: LoggedRequest, isLookup: boolean): ChargeRule {
  if (status >= 400) return 'error';
  if (!isLookup) return 'account';
  if (credits > 0) return cache === 'miss' ? 'charged' : 'cached-charged';
  if (cache === 'hit') return 'cached';
  if (cache === 'collapsed') return 'joined';
  if (cache === 'stale') return 'stale';
  return 'no-price';
}

/** Parameters of a lookup by their names, from the path and the query of its request. */
function parametersOf(operation: Operation, target: string): readonly (readonly [string, string])[] {
  const [path = '', query = ''] = target.split('?', 2);
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
  const values = new RegExp(`^${operation.path.replace(/\{\w+\}/g, '([^/]+)')}$`).exec(path)?.slice(1) ?? [];
  return [...names.map((name, i): [string, string] => [name, decodeURIComponent(values[i] ?? '')]), ...new URLSearchParams(query)];
}
