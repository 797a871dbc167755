import { checksInMonth, EVERY, EVERY_MS, type Watch } from '../contract/account/watch-schemas.ts';
import { priceOf } from '../contract/operations/index.ts';
import { instant, instantOrNull } from '../runtime/clock.ts';
import type { Settings } from '../settings.ts';
import { type CheckParts, fieldsOf, lookupOf } from './check.ts';
import { FAILING_AFTER } from './compare.ts';
import { checkView } from './feed.ts';
import { type StoredWatch, spentInMonth } from './records.ts';

/** What its checks cost in a month at most. */
export function costOf(
  settings: Settings,
  watch: Pick<StoredWatch, 'operation' | 'parameters' | 'every_ms'>,
): { price: number; month: number } {
  const lookup = lookupOf(watch);
  const price = lookup ? priceOf(settings.SIGHTLINE_PRICES, lookup.operation.id, lookup.input) : 0;
  return { price, month: price * checksInMonth(watch.every_ms) };
}

/** `secret`: that of its webhook, where it was made just now. */
export async function viewOf(
  { store: { db }, settings, now }: Pick<CheckParts, 'store' | 'settings' | 'now'>,
  watch: StoredWatch,
  secret: string | null = null,
): Promise<Watch> {
  const last = await db
    .selectFrom('watch_checks')
    .selectAll()
    .where('watch', '=', watch.n)
    .orderBy('slot', 'desc')
    .limit(1)
    .executeTakeFirst();
  const change = await db
    .selectFrom('watch_changes')
    .select('at')
    .where('watch', '=', watch.n)
    .where('kind', 'not in', ['failing', 'recovered'])
    .orderBy('n', 'desc')
    .limit(1)
    .executeTakeFirst();
  const { at, outcome, code } = last ? checkView(last) : { at: '', outcome: 'first' as const, code: null };
  const state: Watch['state'] = watch.fails >= FAILING_AFTER ? 'failing' : ((watch.absent ?? 'ok') as Watch['state']);
  return {
    watchId: watch.id,
    name: watch.name,
    operation: watch.operation,
    parameters: JSON.parse(watch.parameters) as Record<string, string>,
    every: EVERY.find((one) => EVERY_MS[one] === watch.every_ms) ?? '1d',
    fields: fieldsOf(watch)?.slice() ?? null,
    creditsPerMonth: watch.credits_per_month,
    spentThisMonth: await spentInMonth(db, watch.n, await now()),
    costPerMonth: costOf(settings, watch).month,
    paused: watch.paused === 1,
    createdAt: instant(watch.created_at),
    nextAt: instant(watch.next_at),
    keyId: watch.key_id,
    state,
    lastCheck: last ? { at, outcome, code } : null,
    lastChangeAt: instantOrNull(change?.at ?? null),
    webhook:
      watch.webhook_url === null
        ? null
        : {
            url: watch.webhook_url,
            secret,
            failingSince: instantOrNull(watch.webhook_failing_at),
            disabledAt: instantOrNull(watch.webhook_disabled_at),
            lastError: watch.webhook_error,
          },
  };
}
