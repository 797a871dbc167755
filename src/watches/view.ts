import { isMakerOrManager, mayWrite } from '../accounts/rights.ts';
import type { Caller } from '../accounts/types.ts';
import { checksInMonth, EVERY, EVERY_MS } from '../contract/account/constants.ts';
import type { Watch } from '../contract/account/watch-schemas.ts';
import { valueAt } from '../contract/compare.ts';
import { operationOf, priceOf } from '../contract/operations/index.ts';
import { instant, instantOrNull } from '../runtime/clock.ts';
import type { Settings } from '../settings.ts';
import type { Store } from '../store/store.ts';
import type { WatchCheckRow } from '../store/watch-tables.ts';
import { monthOf } from './budget.ts';
import { type CheckParts, lookupOf } from './check.ts';
import { FAILING_AFTER, NOTICES } from './compare.ts';
import { daysLeftOf, thresholdsOf } from './due.ts';
import { endedView } from './feed.ts';
import { madeBy } from './maker.ts';
import type { DestinationParts } from './notify/destinations.ts';
import type { NotifyService } from './notify/service.ts';
import { fieldsOf, type StoredWatch } from './records.ts';
import { webhookAddress, webhookHint } from './seal.ts';
import { firstNumber } from './series.ts';

/** What its checks cost in a month at most. */
export function costOf(
  settings: Settings,
  watch: Pick<StoredWatch, 'operation' | 'parameters' | 'every_ms' | 'due'>,
): { price: number; month: number } {
  const lookup = lookupOf(watch);
  const price = lookup ? priceOf(settings.SIGHTLINE_PRICES, lookup.operation.id, lookup.input) : 0;
  return { price, month: price * checksInMonth(watch.every_ms, thresholdsOf(watch).length) };
}

/** `checks`: its last ones. */
function dueDateOf(
  { operation, due_on, due_read_at, due_at }: StoredWatch,
  checks: readonly Pick<WatchCheckRow, 'at' | 'source'>[],
  nowMs: number,
): Watch['dueDate'] {
  const field = operationOf(operation)?.watch.due?.field;
  if (field === undefined || due_on === null) return null;
  const source = checks.findLast(({ at }) => at === due_read_at)?.source ?? null;
  return {
    field,
    on: due_on,
    daysLeft: daysLeftOf(due_on, nowMs),
    readAt: instant(due_read_at ?? 0),
    source,
    nextAt: instantOrNull(due_at),
  };
}

type Shown = readonly { readonly n: number; readonly operation: string; readonly body: string | null }[];
/** What is shown of the last answers, by watch. `body`: the hash of the answer. */
async function latestOf(db: Store['db'], answers: Shown): Promise<ReadonlyMap<number, Watch['latest']>> {
  const shown = answers.filter(({ operation, body }) => body !== null && operationOf(operation)?.watch.shown);
  if (shown.length === 0) return new Map();
  const fieldsOf = new Map(shown.map(({ n, operation }) => [n, operationOf(operation)?.watch.shown ?? []]));
  const hashes = [...new Set(shown.flatMap(({ body }) => body ?? []))];
  const rows = await db
    .selectFrom('watch_bodies')
    .select(['watch', 'hash', 'body'])
    .where('watch', 'in', [...fieldsOf.keys()])
    .where('hash', 'in', hashes)
    .execute();
  const texts = new Map(rows.map(({ watch, hash, body }) => [`${watch} ${hash}`, body]));
  return new Map(
    shown.flatMap(({ n, body }) => {
      const text = texts.get(`${n} ${body}`);
      if (text === undefined) return [];
      const answer: unknown = JSON.parse(text);
      return [[n, Object.fromEntries((fieldsOf.get(n) ?? []).map((path) => [path, valueAt(answer, path) ?? null]))] as const];
    }),
  );
}

/** Checks whose number the list shows. */
const MOST_VALUES = 14;

/** Watches as the API shows them to a caller, in three statements. `secret`: that of a webhook that was made just now. */
export async function viewsOf(
  {
    store: { db },
    settings,
    now,
    sealer,
    notify,
  }: Pick<CheckParts, 'store' | 'settings' | 'now'> &
    Pick<DestinationParts, 'sealer'> & { readonly notify: Pick<NotifyService, 'ofWatch'> },
  caller: Caller,
  watches: readonly StoredWatch[],
  secret: string | null = null,
): Promise<Watch[]> {
  if (watches.length === 0) return [];
  const nowMs = await now();
  const month = monthOf(nowMs);
  const these = db.selectFrom('watches as w').where(
    'w.n',
    'in',
    watches.map(({ n }) => n),
  );
  const facts = await these
    .leftJoin('watch_changes as d', (on) =>
      on
        .onRef('d.account_id', '=', 'w.account_id')
        .on('d.n', '=', ({ selectFrom }) =>
          selectFrom('watch_changes as l')
            .select('l.n')
            .whereRef('l.watch', '=', 'w.n')
            .where('l.kind', 'not in', NOTICES)
            .orderBy('l.n', 'desc')
            .limit(1),
        ),
    )
    .leftJoin('keys as m', 'm.id', 'w.key_id')
    .select(['w.n', 'm.counted_as', 'd.at', 'd.kind', 'd.field', 'd.key'])
    .select(({ selectFrom }) =>
      selectFrom('watch_checks as c')
        .select(({ fn }) => fn.sum('c.credits').as('credits'))
        .whereRef('c.watch', '=', 'w.n')
        .where('c.slot', '>=', month)
        .as('spent'),
    )
    .execute();
  const checks = await these
    .innerJoin('watch_checks as c', 'c.watch', 'w.n')
    .where(({ eb, fn, selectFrom, val }) => {
      const newest = selectFrom('watch_checks as l').select('l.slot').whereRef('l.watch', '=', 'w.n').orderBy('l.slot', 'desc');
      return eb('c.slot', '>=', fn.coalesce(newest.limit(1).offset(MOST_VALUES - 1), val(0)));
    })
    .selectAll('c')
    .orderBy('c.slot')
    .execute();
  const [factsOf, checksOf] = [Map.groupBy(facts, ({ n }) => n), Map.groupBy(checks, ({ watch }) => watch)];
  const lastBodyOf = (n: number): string | null => checksOf.get(n)?.findLast(({ body }) => body !== null)?.body ?? null;
  const latest = await latestOf(
    db,
    // a name that is free, or a thing that is gone, has none
    watches.map(({ n, operation, absent }) => ({ n, operation, body: absent === null ? lastBodyOf(n) : null })),
  );
  const notified = new Map<number, Watch['notify']>();
  for (const watch of watches) {
    const [{ counted_as } = { counted_as: null }] = factsOf.get(watch.n) ?? [];
    if (watch.own_notify === 1) notified.set(watch.n, await notify.ofWatch(caller, watch, madeBy({ ...watch, counted_as })));
  }
  return watches.map((watch): Watch => {
    const { n, id, name, operation: operationId, ...row } = watch;
    const operation = operationOf(operationId);
    const [{ at = null, kind = null, field, key = null, spent, counted_as } = { spent: 0, counted_as: null }] = factsOf.get(n) ?? [];
    const made = madeBy({ ...watch, counted_as });
    const isShown = isMakerOrManager(caller, made);
    const hint = webhookHint(watch);
    const own = checksOf.get(n) ?? [];
    const last = own.at(-1);
    const number = operation && firstNumber(operation, fieldsOf(watch));
    return {
      watchId: id,
      name,
      tags: row.tags === null ? [] : (JSON.parse(row.tags) as string[]),
      operation: operationId,
      parameters: JSON.parse(row.parameters) as Record<string, string>,
      every: EVERY.find((one) => EVERY_MS[one] === row.every_ms) ?? '1d',
      fields: [...(fieldsOf(watch) ?? operation?.watch.fields ?? [])],
      creditsPerMonth: row.credits_per_month,
      spentThisMonth: Number(spent ?? 0),
      costPerMonth: costOf(settings, watch).month,
      paused: row.paused === 1,
      due: [...thresholdsOf(watch)],
      dueDate: dueDateOf(watch, own, nowMs),
      latest: latest.get(n) ?? {},
      createdAt: instant(row.created_at),
      nextAt: instant(row.next_at),
      keyId: row.key_id,
      mayChange: mayWrite(caller, made),
      notify: notified.get(n) ?? null,
      stopped: row.stopped as Watch['stopped'],
      state: row.fails >= FAILING_AFTER ? 'failing' : ((row.absent ?? 'ok') as Watch['state']),
      lastCheck: last ? endedView(last) : null,
      lastChange: at === null ? null : { at: instant(at), kind: kind as NonNullable<Watch['lastChange']>['kind'], field: field ?? '', key },
      course: number ? { field: number.field, values: own.map(({ value }) => value) } : null,
      webhook:
        hint === null
          ? null
          : {
              url: (isShown ? webhookAddress(sealer, watch) : null) ?? hint,
              secret,
              failingSince: instantOrNull(row.webhook_failing_at),
              disabledAt: instantOrNull(row.webhook_disabled_at),
              lastError: row.webhook_error,
            },
    };
  });
}
