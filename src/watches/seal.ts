import type { Updateable } from 'kysely';
import { recordWatch } from '../accounts/admin/bound-rows.ts';
import { isSealed, type Sealer } from '../accounts/oauth/sealer.ts';
import { shownAddress } from '../contract/account/shown.ts';
import { ServiceError } from '../contract/errors.ts';
import type { WatchRow } from '../store/watch-tables.ts';
import { openTarget } from './notify/targets.ts';
import type { StoredWatch } from './records.ts';
import type { ScheduleParts } from './schedule.ts';

/** Why nothing is sent to an address that cannot be opened: of a restored store, or of a process without the secret. */
export const SEALED_OTHERWISE = 'not sent: the address was sealed with another SIGHTLINE_SECRET: set it again';

/** Throws NOT_IMPLEMENTED for a service without a secret: it accepts no address to send messages to. */
export function demandSealer(sealer: Sealer | null): Sealer {
  if (sealer) return sealer;
  throw new ServiceError(
    'NOT_IMPLEMENTED',
    'This service has no secret to seal the addresses of targets and the secrets of webhooks with: the operator sets SIGHTLINE_SECRET, which with DATABASE_URL is not made by itself.',
  );
}

const shortened = (address: string): string => shownAddress(new URL(address).href);

type Webhook = Pick<StoredWatch, 'id' | 'webhook_url' | 'webhook_hint' | 'webhook_secret' | 'webhook_old_secret' | 'webhook_old_until'>;
type What = 'url' | 'secret';
const nameOf = (watchId: string, what: What): string => `webhook ${what} ${watchId}`;

/** A column in clear was written by an earlier version; null: it was sealed with another secret, or there is none. */
function openText(sealer: Sealer | null, watchId: string, what: What, text: string): string | null {
  return isSealed(text) ? (sealer?.open(nameOf(watchId, what), text) ?? null) : text;
}
const seal = (sealer: Sealer, watchId: string, what: What, text: string): string =>
  isSealed(text) ? text : sealer.seal(nameOf(watchId, what), text);

/** The columns of a webhook of this watch. `secret`: sealed or in clear. */
export const sealedWebhook = (sealer: Sealer, watchId: string, url: string, secret: string) => ({
  webhook_url: seal(sealer, watchId, 'url', url),
  webhook_hint: shortened(url),
  webhook_secret: seal(sealer, watchId, 'secret', secret),
});
export const sealedSecret = (sealer: Sealer, watchId: string, secret: string | null): string | null =>
  secret && seal(sealer, watchId, 'secret', secret);

/** What may be shown of the address of a webhook; null: the watch has none. */
export const webhookHint = ({ webhook_url, webhook_hint }: Pick<Webhook, 'webhook_url' | 'webhook_hint'>): string | null =>
  webhook_hint ?? (webhook_url && shortened(webhook_url));

export const webhookAddress = (sealer: Sealer | null, { id, webhook_url }: Webhook): string | null =>
  webhook_url && openText(sealer, id, 'url', webhook_url);

/** The address of a webhook and the secrets that sign, the newest first; null: the watch has none, or it was sealed with another secret. */
export function openWebhook(sealer: Sealer | null, watch: Webhook, nowMs: number) {
  const { id, webhook_secret, webhook_old_secret, webhook_old_until } = watch;
  const url = webhookAddress(sealer, watch);
  const secret = webhook_secret && openText(sealer, id, 'secret', webhook_secret);
  if (!url || !secret) return null;
  const isOldValid = webhook_old_secret && webhook_old_until !== null && webhook_old_until > nowMs;
  const old = isOldValid ? openText(sealer, id, 'secret', webhook_old_secret) : null;
  return { url, secrets: old === null ? [secret] : [secret, old] };
}

const PAGE = 500;
/**
 * With each start: seals webhooks that an earlier version stored in clear, and logs how many addresses this service cannot open. A service without
 * a secret leaves what is in clear as it is.
 */
export async function sealStored({ store, sealer, now, log }: Pick<ScheduleParts, 'store' | 'now' | 'log'> & { sealer: Sealer | null }) {
  const { db } = store;
  const nowMs = await now();
  let sealed = 0;
  let unopened = 0;
  for (let after = 0, page = PAGE; page === PAGE; ) {
    const query = db.selectFrom('watches').selectAll().where('n', '>', after).where('webhook_url', 'is not', null);
    const rows = await query.orderBy('n').limit(PAGE).execute();
    page = rows.length;
    after = rows.at(-1)?.n ?? after;
    for (const watch of rows) {
      if (!openWebhook(sealer, watch, nowMs)) unopened++;
      else if (sealer && (await sealOne(watch, sealer))) sealed++;
    }
  }
  const targets = await db.selectFrom('notify_targets').select(['account_id', 'sealed']).execute();
  unopened += targets.filter((target) => !sealer || openTarget(sealer, target) === null).length;
  if (sealed > 0) log('info', 'webhooks that were stored in clear are sealed', { webhooks: sealed });
  if (unopened > 0)
    log('warn', 'addresses of messages were sealed with another SIGHTLINE_SECRET: nothing is sent to them', { addresses: unopened });

  async function sealOne(watch: StoredWatch, own: Sealer): Promise<boolean> {
    const { n, id, webhook_url: url, webhook_secret: secret, webhook_old_secret: old } = watch;
    if (!url || !secret || [url, secret, old ?? secret].every(isSealed)) return false;
    const address = webhookAddress(own, watch) ?? url;
    const set = {
      ...sealedWebhook(own, id, address, secret),
      webhook_old_secret: sealedSecret(own, id, old),
    } satisfies Updateable<WatchRow>;
    return db.transaction().execute(async (trx) => {
      // another gateway, or the owner, may have written it meanwhile
      const unchanged = trx
        .updateTable('watches')
        .set(set)
        .where('n', '=', n)
        .where('webhook_url', '=', url)
        .where('webhook_secret', '=', secret);
      const written = await unchanged.returningAll().executeTakeFirst();
      if (written) await recordWatch(trx, nowMs, 'upgrade', 'edit', written, Object.keys(set));
      return written !== undefined;
    });
  }
}
