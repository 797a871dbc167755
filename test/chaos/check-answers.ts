import { Compile } from 'typebox/compile';
import { codeOf, ERRORS, type ErrorName } from '../../src/contract/errors.ts';
import { OPERATIONS } from '../../src/contract/operations/index.ts';
import { type Evidence, type Findings, meet, type Told } from './evidence.ts';

/** A process answers requests it received before SIGTERM. A request sent at least this long before the signal counts as received. */
const ON_ITS_WAY_MS = 100;
/**
 * How long after the return of the store (or of the gateway) a gateway may still report it as unavailable: the connection timeout is 2 s.
 */
const RECOVERY_MS = 2_500;
/** An account with this many credits cannot run out during a run. */
const RICH = 100_000;

const validators = {
  serp: Compile(OPERATIONS.serp.resource),
  registration: Compile(OPERATIONS.registration.resource),
};
/** Found, out of credits, rate limited, source failed, store unavailable or gateway shutting down. Any other answer is a defect. */
const EXPECTED: ReadonlySet<number> = new Set([200, 402, 429, 502, 503]);
const STATUS_OF = new Map(Object.entries(ERRORS).map(([name, { status }]) => [codeOf(name as ErrorName), status as number]));
const WITH_RETRY_AFTER: ReadonlySet<string> = new Set(['RATE_LIMITED', 'OVERLOADED', 'UNAVAILABLE', 'UPSTREAM_RATE_LIMITED']);

/** Every request gets one answer that the contract allows, unless its gateway was killed. A frozen gateway answers after it is resumed. */
export function checkAnswers(evidence: Evidence, { violations, count }: Findings): void {
  const ids = new Set<string>();
  for (const t of evidence.told) {
    if (ids.has(t.id)) violations.push(`${t.id}: told twice`);
    ids.add(t.id);
    if (t.error !== null || t.status === null || t.body === null) {
      if (killedUnder(t)) count('requests open when their gateway was killed');
      else if (sentAsItEnded(t)) count('requests on their way as their gateway ended');
      else violations.push(`${t.id}: no answer (${t.error}) of ${t.gateway.name}, which ran`);
      continue;
    }
    count(`status ${t.status}`);
    const fault = faultOf(t, t.status, t.body) ?? unexpected(evidence, t, t.status, t.body);
    if (fault) violations.push(`${t.id}: ${t.status} ${fault}: ${t.body.slice(0, 200)}`);
  }
}

const killedUnder = (t: Told): boolean => t.gateway.outages.some((o) => o.kind === 'killed' && meet(o, t, ON_ITS_WAY_MS));
const sentAsItEnded = (t: Told): boolean =>
  t.gateway.outages.some((o) => o.kind === 'ended' && t.from >= o.from - ON_ITS_WAY_MS && t.from <= o.until);

function parsed(text: string): Record<string, unknown> | null {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return null; // the caller reports it as a violation
  }
}

function faultOf(t: Told, status: number, text: string): string | null {
  if (t.headers['x-request-id'] !== t.id) return 'of another request';
  if (!t.headers['content-type']?.startsWith('application/json')) return `under the type ${t.headers['content-type']}`;
  const body = parsed(text);
  if (!body) return 'no JSON';
  if (status === 200) {
    if (!validators[t.operation].Check(body)) return 'not of the contract';
    const asked = decodeURIComponent(t.path.replace(/^.*[=/]/, '').replaceAll('+', ' '));
    return (body.keyword ?? body.domain) === asked ? null : 'answers another question';
  }
  const error = body.error as { code: string; message: string } | undefined;
  if (!error || Object.keys(body).length !== 1 || Object.keys(error).sort().join() !== 'code,message') return 'not an error body';
  if (STATUS_OF.get(error.code) !== status) return 'code and status differ';
  if (WITH_RETRY_AFTER.has(error.code) && !/^\d+$/.test(t.headers['retry-after'] ?? '')) return 'without Retry-After';
  return t.headers['x-credits-charged'] === undefined || t.headers['x-credits-charged'] === '0' ? null : 'charged';
}

/** Statuses that the contract allows, but not for this request of this account at this time. */
function unexpected({ postgresGaps }: Evidence, t: Told, status: number, text: string): string | null {
  if (!EXPECTED.has(status)) return 'is no answer to this';
  if (status === 402 && t.account.granted >= RICH) return 'to one who has credits';
  if (!text.includes('"UNAVAILABLE"')) return null;
  const storeAway = postgresGaps.some((gap) => meet(gap, t, RECOVERY_MS));
  const stoodStill = t.gateway.outages.some((o) => meet(o, t, RECOVERY_MS));
  return storeAway || stoodStill ? null : 'though the store was there';
}
