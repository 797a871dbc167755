import { hash } from 'node:crypto';
import { recordWatch } from '../accounts/admin/bound-rows.ts';
import type { CanaryResult } from '../contract/admin/schemas.ts';
import type { Input, Operation } from '../contract/operations/index.ts';
import type { DAY_STATES, SourceStatus } from '../contract/status.ts';
import { lookUpFree } from '../lookups/free-lookup.ts';
import { ORDINARY, type Orchestrator } from '../orchestrator/types.ts';
import { type Clock, DAY_MS, dayOf, instant } from '../runtime/clock.ts';
import type { Settings } from '../settings.ts';
import type { Store } from '../store/store.ts';
import { type Canary, unmetFact } from './canary-file.ts';
import { NO_ANSWER } from './compare.ts';
import type { EndedCheck, StoredWatch } from './records.ts';
import { deleteWatch } from './retention.ts';

/** The first check comes so much later than the start, so that the start is not slowed down. */
const FIRST_MS = 30_000;
const MAX_PAST = 30;
/** After downtime a check is later than its slot. */
const LATE_MS = 30 * DAY_MS;
const STATUS_DAYS = 90;

/** What the check of a canary found, as its history has it. */
interface Found {
  /** When it ran, epoch ms: after downtime later than its slot. */
  readonly at: number;
  readonly why: string | null;
  /** Sources that were asked, and whether each answered as it must. */
  readonly sources: Readonly<Record<string, boolean>>;
}

/** Syncs the operator's canaries in the store with the canary file. One whose parameters or facts changed is checked at once. */
export async function storeCanaries({ db }: Pick<Store, 'db'>, canaries: readonly Canary[], nowMs: number): Promise<void> {
  const stored = await db.selectFrom('watches').selectAll().where('account_id', 'is', null).execute();
  const wanted = canaries.map(({ name, operation, parameters, facts }) => ({
    ...{ id: `can_${hash('sha256', name, 'hex').slice(0, 18)}`, name, operation },
    ...{ parameters: JSON.stringify(parameters), facts: JSON.stringify(facts) },
  }));
  const next_at = nowMs + FIRST_MS;
  for (const { id, n } of stored)
    if (!wanted.some((one) => one.id === id)) await db.transaction().execute((trx) => deleteWatch(trx, n, 'service', nowMs));
  for (const one of wanted) {
    const old = stored.find(({ id }) => id === one.id);
    if (old && old.operation === one.operation && old.parameters === one.parameters && old.facts === one.facts) continue;
    await db.transaction().execute(async (trx) => {
      const row = await trx
        .insertInto('watches')
        .values({ ...one, next_at, key_id: '', every_ms: DAY_MS, credits_per_month: 0, paused: 0, created_at: nowMs, fails: 0 })
        .onConflict((c) => c.column('id').doUpdateSet({ ...one, next_at, claim: null, claim_until: null }))
        .returningAll()
        .executeTakeFirstOrThrow();
      await recordWatch(trx, nowMs, 'service', old ? 'edit' : 'create', row);
    });
  }
}

export interface FactsParts {
  readonly orchestrator: Pick<Orchestrator, 'lookup'>;
  readonly settings: Settings;
  /** The clock of this process, by which deadlines run. */
  readonly clock: Clock;
  /** The store's clock, epoch ms. */
  readonly now: () => Promise<number>;
  readonly newRequestId: () => string;
  readonly log: (level: 'info' | 'warn' | 'error', message: string, facts: Record<string, unknown>) => void;
}

/** The check of a canary: past the cache, free of charge. */
export async function checkFacts(
  { orchestrator, settings, clock, newRequestId, now, log }: FactsParts,
  { name, facts, fails, checked_at }: StoredWatch,
  { operation, input }: { readonly operation: Operation; readonly input: Input },
  beganAt: number,
): Promise<EndedCheck> {
  const lookup = { operation, input, freshness: { ...ORDINARY, noCache: true }, requestId: newRequestId() };
  const result = await lookUpFree({ orchestrator, settings, clock }, lookup);
  const { attempts } = result.ok ? result.answer : result.refusal;
  const source = result.ok ? result.answer.cached.source : null;
  const error = result.ok ? null : result.refusal.error;
  const why = result.ok
    ? unmetFact(JSON.parse(result.answer.cached.bytes.toString()), JSON.parse(facts ?? '{}'))
    : `${error?.body.error.code}: ${error?.message}`;
  // of an answer only attempts at sources that gave none
  const asked = attempts.filter(({ isUnsent, tag }) => !isUnsent && !(result.ok && (tag === 'found' || tag === 'absent')));
  const sources = { ...Object.fromEntries(asked.map((attempt) => [attempt.source, false])), ...(source && { [source]: why === null }) };
  const told = { name, operation: operation.id, source };
  if (why !== null) log('warn', 'a canary fails', { ...told, why });
  else if (fails > 0) log('info', 'a canary holds again', told);
  const body: Found = { at: await now(), why, sources };
  const verdict = {
    ...NO_ANSWER,
    outcome: why !== null ? 'failed' : checked_at === null ? 'first' : 'same',
    code: why === null ? null : (error?.body.error.code ?? 'facts'),
    body: { ...body },
    fails: why === null ? 0 : fails + 1,
    stopped: null,
    pending: null,
    absent: null,
  } as const;
  return { verdict, source, credits: 0, beganAt };
}

/** Checks of canaries that ran after a time, newest first. */
async function foundOf(db: Store['db'], sinceMs: number) {
  const rows = await db
    .selectFrom('watch_checks as c')
    .innerJoin('watch_bodies as b', (on) => on.onRef('b.watch', '=', 'c.watch').onRef('b.hash', '=', 'c.body'))
    .innerJoin('watches as w', 'w.n', 'c.watch')
    .select(['w.name', 'w.operation', 'c.source', 'c.outcome', 'b.body'])
    .where('w.account_id', 'is', null)
    .where('c.slot', '>', sinceMs - LATE_MS)
    .where('b.read_at', '>', sinceMs)
    .orderBy('c.slot', 'desc')
    .execute();
  return rows.map(({ body, outcome, ...row }) => ({ ...row, ok: outcome !== 'failed', ...(JSON.parse(body) as Found) }));
}

/** The last results of each canary that was checked. */
export async function canaryResults({ db }: Pick<Store, 'db'>, nowMs: number): Promise<readonly CanaryResult[]> {
  const rows = await foundOf(db, nowMs - 2 * MAX_PAST * DAY_MS);
  const ofName = Map.groupBy(rows, ({ name }) => name ?? '');
  return [...ofName].sort().flatMap(([name, checks]) => {
    const past = checks.slice(0, MAX_PAST).map(({ at, ok }) => ({ at: instant(at), ok }));
    return checks.slice(0, 1).map(({ operation, source, at, ok, why }) => ({
      ...{ name, operation, source, at: instant(at), ok, why, past: past.reverse() },
    }));
  });
}

const stateOf = (checks: number, failed: number): (typeof DAY_STATES)[number] =>
  checks === 0 ? 'no_data' : failed === 0 ? 'up' : failed === checks ? 'down' : 'partly';

/** The sources of the last 90 days by the checks of the canaries. */
export async function sourceStatus({ db }: Pick<Store, 'db'>, nowMs: number): Promise<SourceStatus> {
  const days = Array.from({ length: STATUS_DAYS }, (_, i) => dayOf(nowMs - (STATUS_DAYS - 1 - i) * DAY_MS));
  const counts = new Map<string, Map<string, { checks: number; failed: number }>>();
  for (const { at, sources } of await foundOf(db, nowMs - STATUS_DAYS * DAY_MS))
    for (const [source, ok] of Object.entries(sources)) {
      const ofSource = counts.get(source) ?? new Map<string, { checks: number; failed: number }>();
      const { checks, failed } = ofSource.get(dayOf(at)) ?? { checks: 0, failed: 0 };
      counts.set(source, ofSource.set(dayOf(at), { checks: checks + 1, failed: failed + Number(!ok) }));
    }
  const sources = [...counts].flatMap(([source, ofSource]) => {
    const each = days.map((day) => {
      const { checks, failed } = ofSource.get(day) ?? { checks: 0, failed: 0 };
      return { day, state: stateOf(checks, failed), checks, failed };
    });
    const last = each.findLast(({ checks }) => checks > 0);
    const sum = (of: 'checks' | 'failed'): number => each.reduce((n, one) => n + one[of], 0);
    return last ? [{ source, state: last.state, upShare: 1 - sum('failed') / sum('checks'), days: each }] : [];
  });
  return { from: days[0] ?? '', to: days.at(-1) ?? '', sources: sources.sort((a, b) => (a.source < b.source ? -1 : 1)) };
}
