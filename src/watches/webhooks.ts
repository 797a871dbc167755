import { createHmac } from 'node:crypto';
import { isIP } from 'node:net';
import type { WatchDeliveries } from '../contract/account/watch-schemas.ts';
import { HOUR_MS, instant, instantOrNull } from '../runtime/clock.ts';
import { isLoopback } from '../runtime/loopback.ts';
import { repeat } from '../runtime/repeat.ts';
import type { Store } from '../store/store.ts';
import { bareHost, PORT_LIST, urlFault } from '../upstream/http/guard.ts';
import type { Http } from '../upstream/ports.ts';
import { changeIdOf } from './feed.ts';
import type { StoredWatch } from './records.ts';
import type { ScheduleParts } from './schedule.ts';

const SECOND_MS = 1_000;
/** Waits after each failed attempt, as Standard Webhooks recommends. */
const RETRY_MS = [5 * SECOND_MS, 300 * SECOND_MS, 1_800 * SECOND_MS, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS)];
const TIMEOUT_MS = 15_000;
/** A target that failed for this long is disabled. */
const DISABLE_AFTER_MS = 72 * HOUR_MS;
/** While a message is being sent no other process sends it. */
const SENDING_MS = 60_000;
const POLL_MS = 1_000;
const BATCH = 20;
const GONE = 410;
/** How long the secret before a new one signs too. */
export const OLD_SECRET_MS = 24 * HOUR_MS;

export interface WebhookParts extends Pick<ScheduleParts, 'store' | 'clock' | 'now' | 'log'> {
  readonly http: Pick<Http, 'ask'>;
  /** Loopback targets are allowed (the demo). */
  readonly allowsLoopback: boolean;
}

/** Why a webhook is not accepted; null: it is. By the rules of every attempt, which also checks the addresses that the name resolves to. */
export function webhookFault(text: string, allowsLoopback: boolean): string | null {
  const url = new URL(text);
  if (allowsLoopback && isLoopback(url.hostname)) return null;
  if (url.protocol !== 'https:') return 'must begin with https://';
  if (url.username !== '' || url.password !== '') return 'must have no user name and no password';
  const isAddress = isIP(bareHost(url.hostname)) !== 0;
  const fault = isAddress ? 'an address' : urlFault(url);
  return fault && `must name a public host, not an address or a host of a private network, and a port of ${PORT_LIST}: it has ${fault}`;
}

/** The headers of Standard Webhooks 1.0.0. `secrets`: `whsec_` with base64; each signs. */
export function signedHeaders(id: string, atMs: number, body: string, secrets: readonly string[]): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(atMs / SECOND_MS));
  const sign = (secret: string): string => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  };
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map(sign).join(' '),
  };
}

/** The oldest message of each watch that is due, taken for this process. */
async function takeDue({ store }: WebhookParts, nowMs: number) {
  // one statement in most turns
  if (!(await store.db.selectFrom('watch_deliveries').select('cursor').where('next_at', '<=', nowMs).limit(1).executeTakeFirst()))
    return [];
  return store.db.transaction().execute(async (trx) => {
    const due = trx
      .selectFrom('watch_deliveries as d')
      .selectAll()
      .where('next_at', '<=', nowMs)
      // later messages of a watch wait for the first one
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('watch_deliveries as earlier')
              .select('cursor')
              .whereRef('earlier.watch', '=', 'd.watch')
              .whereRef('earlier.cursor', '<', 'd.cursor')
              .where('earlier.next_at', 'is not', null),
          ),
        ),
      )
      .orderBy('next_at')
      .limit(BATCH);
    const rows = await (store.kind === 'postgres' ? due.forUpdate().skipLocked() : due).execute();
    for (const { watch, cursor } of rows)
      await trx
        .updateTable('watch_deliveries')
        .set({ next_at: nowMs + SENDING_MS })
        .where('watch', '=', watch)
        .where('cursor', '=', cursor)
        .execute();
    return rows;
  });
}

type Due = Awaited<ReturnType<typeof takeDue>>[number];

async function send({ http, allowsLoopback }: WebhookParts, watch: StoredWatch, due: Due, nowMs: number): Promise<string> {
  const id = changeIdOf(watch.id, due.cursor);
  const kinds = JSON.parse(due.kinds) as readonly string[];
  const data = { watchId: watch.id, cursor: String(due.cursor), kinds };
  const body = JSON.stringify({ type: 'watch.changed', timestamp: instant(due.created_at), data });
  const isOldValid = watch.webhook_old_until !== null && watch.webhook_old_until > nowMs;
  const secrets = [watch.webhook_secret, isOldValid ? watch.webhook_old_secret : null].filter((secret) => secret !== null);
  const url = watch.webhook_url ?? '';
  const reply = await http.ask({
    method: 'POST',
    url,
    headers: signedHeaders(id, nowMs, body, secrets),
    body,
    redirects: 0,
    timeoutMs: TIMEOUT_MS,
    maxBytes: 65_536,
    pace: { key: `webhook ${watch.id}`, everyMs: 1, burst: 100 },
    credentials: true,
    named: allowsLoopback && isLoopback(new URL(url).hostname),
    attempt: { signal: AbortSignal.timeout(2 * TIMEOUT_MS), deadlineMs: Number.POSITIVE_INFINITY },
  });
  return reply.tag === 'answer' ? String(reply.answer.status) : reply.what;
}

/** Sends one message and records how it went. */
async function deliver(parts: WebhookParts, due: Due): Promise<void> {
  const { db } = parts.store;
  const watch = await db.selectFrom('watches').selectAll().where('n', '=', due.watch).executeTakeFirst();
  const message = db.updateTable('watch_deliveries').where('watch', '=', due.watch).where('cursor', '=', due.cursor);
  if (!watch?.webhook_url || watch.webhook_disabled_at !== null) {
    await message.set({ next_at: null, result: 'the webhook was removed or disabled' }).execute();
    return;
  }
  const result = await send(parts, watch, due, await parts.now());
  const nowMs = await parts.now();
  const attempts = due.attempts + 1;
  const ofWatch = db.updateTable('watches').where('n', '=', due.watch);
  if (/^2\d\d$/.test(result)) {
    await message.set({ attempts, next_at: null, delivered_at: nowMs, result }).execute();
    await ofWatch.set({ webhook_failing_at: null, webhook_error: null }).execute();
    return;
  }
  const failingAt = watch.webhook_failing_at ?? nowMs;
  const isOver = result === String(GONE) || nowMs - failingAt >= DISABLE_AFTER_MS;
  const wait = RETRY_MS[attempts - 1] ?? RETRY_MS.at(-1) ?? 0;
  await message.set({ attempts, next_at: isOver ? null : nowMs + wait, result }).execute();
  await ofWatch
    .set({ webhook_failing_at: failingAt, webhook_error: result.slice(0, 200), ...(isOver && { webhook_disabled_at: nowMs }) })
    .execute();
  if (!isOver) return;
  await db
    .updateTable('watch_deliveries')
    .set({ next_at: null, result: 'the webhook was disabled' })
    .where('watch', '=', due.watch)
    .where('next_at', 'is not', null)
    .execute();
  parts.log('warn', 'a webhook is disabled', { watch: watch.id, result });
}

/** Sends what is due; returns how many messages. */
export async function deliverDue(parts: WebhookParts): Promise<number> {
  const due = await takeDue(parts, await parts.now());
  await Promise.all(
    due.map((one) =>
      deliver(parts, one).catch((error: Error) =>
        parts.log('warn', 'a webhook message failed: it is sent again', { reason: error.stack ?? error.message }),
      ),
    ),
  );
  return due.length;
}

/** Sends messages until it is closed. */
export const startDeliveries = (parts: WebhookParts) =>
  repeat(parts.clock, async () => {
    const sent = await deliverDue(parts).catch((error: Error) =>
      parts.log('warn', 'webhook messages are not sent now', { reason: error.message }),
    );
    return sent ? 0 : POLL_MS;
  });

export async function readDeliveries(db: Store['db'], watch: StoredWatch, limit: number): Promise<WatchDeliveries> {
  const rows = await db
    .selectFrom('watch_deliveries')
    .selectAll()
    .where('watch', '=', watch.n)
    .orderBy('cursor', 'desc')
    .limit(limit)
    .execute();
  const deliveries = rows.map(({ cursor, kinds, created_at, attempts, next_at, delivered_at, result }) => ({
    id: changeIdOf(watch.id, cursor),
    cursor: String(cursor),
    kinds: JSON.parse(kinds) as string[],
    createdAt: instant(created_at),
    attempts,
    nextAt: instantOrNull(next_at),
    deliveredAt: instantOrNull(delivered_at),
    result,
  }));
  return { deliveries };
}
