import { createHmac } from 'node:crypto';
import { isIP } from 'node:net';
import type { WatchDeliveries } from '../contract/account/watch-schemas.ts';
import { HOUR_MS, instant, instantOrNull } from '../runtime/clock.ts';
import { isLoopback } from '../runtime/loopback.ts';
import type { Store } from '../store/store.ts';
import { bareHost, PORT_LIST, urlFault } from '../upstream/http/guard.ts';
import type { Http } from '../upstream/ports.ts';
import { changeIdOf, type PageQuery } from './feed.ts';
import type { StoredWatch } from './records.ts';
import type { ScheduleParts } from './schedule.ts';
import { type Running, startTurns, type Waiting } from './turns.ts';

const SECOND_MS = 1_000;
/** Waits after each failed attempt, as Standard Webhooks recommends. */
const RETRY_MS = [5 * SECOND_MS, 300 * SECOND_MS, 1_800 * SECOND_MS, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS)];
const TIMEOUT_MS = 15_000;
/** A target that failed for this long is disabled. */
const DISABLE_AFTER_MS = 72 * HOUR_MS;
/** While a message is being sent no other process sends it. */
const SENDING_MS = 60_000;
const POLL_MS = 500;
/** Messages that begin at a time, and how long each counts as one of them. */
const PLACES = 20;
const BEGIN_MS = 500;
/** Messages of an account that are being sent, and those to a host. */
const ACCOUNT_PLACES = 8;
const HOST_PLACES = 4;
/** Due messages that are read at a time: of an account, and in all. */
const MOST_OF_ACCOUNT = 500;
const MOST_DUE = 2_000;
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

/** A message that is due: the oldest one of its watch. */
interface DueMessage extends Waiting {
  readonly cursor: number;
}
const hostOf = (url: string | null): string => (url !== null && URL.canParse(url) ? new URL(url).host : '');

/** The messages that are due, the oldest of each account first. Later messages of a watch wait for the first one. */
async function dueMessages({ db }: Pick<Store, 'db'>, nowMs: number): Promise<readonly DueMessage[]> {
  // one statement in most turns
  if (!(await db.selectFrom('watch_deliveries').select('cursor').where('next_at', '<=', nowMs).limit(1).executeTakeFirst())) return [];
  const rows = await db
    .selectFrom((from) =>
      from
        .selectFrom('watch_deliveries as d')
        .innerJoin('watches as w', 'w.n', 'd.watch')
        .select(['d.watch', 'd.cursor', 'd.next_at', 'w.account_id', 'w.webhook_url'])
        .select(({ fn }) =>
          fn
            .agg<number>('row_number')
            .over((over) => over.partitionBy('w.account_id').orderBy('d.next_at'))
            .as('place'),
        )
        .where('d.next_at', '<=', nowMs)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('watch_deliveries as earlier')
                .select('earlier.cursor')
                .whereRef('earlier.watch', '=', 'd.watch')
                .whereRef('earlier.cursor', '<', 'd.cursor')
                .where('earlier.next_at', 'is not', null),
            ),
          ),
        )
        .as('due'),
    )
    .select(['watch', 'cursor', 'account_id', 'webhook_url'])
    .where('place', '<=', MOST_OF_ACCOUNT)
    .orderBy('place')
    .orderBy('next_at')
    .limit(MOST_DUE)
    .execute();
  return rows.map(({ watch, cursor, account_id, webhook_url }) => ({
    ...{ id: watch, account: account_id, target: hostOf(webhook_url) },
    cursor,
  }));
}

/** Takes a message for this process; undefined: another one has it. */
const take = ({ db }: Pick<Store, 'db'>, { id, cursor }: DueMessage, nowMs: number) =>
  db
    .updateTable('watch_deliveries')
    .set({ next_at: nowMs + SENDING_MS })
    .where('watch', '=', id)
    .where('cursor', '=', cursor)
    .where('next_at', '<=', nowMs)
    .returningAll()
    .executeTakeFirst();

type Due = NonNullable<Awaited<ReturnType<typeof take>>>;

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

/**
 * Sends messages until it is closed. A message holds one of the places of all accounts for half a second; where its target takes longer, it counts
 * against its account and its host alone.
 */
export function startDeliveries(parts: WebhookParts): { close(): Promise<void> } {
  const { store, clock, log } = parts;
  let begun = 0;

  /** An account without a message at the host has a place beside those that others may have filled. */
  const mayBegin = ({ ofAccount, ofTarget, ofBoth }: Running): boolean =>
    begun < PLACES && ofAccount < ACCOUNT_PLACES && (ofTarget < HOST_PLACES || ofBoth === 0);

  async function run(message: DueMessage): Promise<void> {
    begun++;
    const ended = new AbortController();
    void clock.sleep(BEGIN_MS, ended.signal).then(() => begun--);
    try {
      const due = await take(store, message, await parts.now());
      if (due) await deliver(parts, due);
    } catch (error) {
      const { stack, message: reason } = error as Error;
      log('warn', 'a webhook message failed: it is sent again', { reason: stack ?? reason });
    } finally {
      ended.abort('ended');
    }
  }
  return startTurns({
    clock,
    pollMs: POLL_MS,
    due: async () => dueMessages(store, await parts.now()),
    mayBegin,
    turnOf: ({ account }) => String(account),
    run,
    failed: (error) => log('warn', 'webhook messages are not sent now', { reason: error.message }),
  });
}

/** A page of the messages of a watch, newest first. */
export async function readDeliveries(db: Store['db'], watch: StoredWatch, { after, limit }: PageQuery): Promise<WatchDeliveries> {
  let query = db.selectFrom('watch_deliveries').selectAll().where('watch', '=', watch.n);
  if (after !== undefined) query = query.where('cursor', '<', after);
  const rows = await query
    .orderBy('cursor', 'desc')
    .limit(limit + 1)
    .execute();
  const hasMore = rows.length > limit;
  const deliveries = rows.slice(0, limit).map(({ cursor, kinds, created_at, attempts, next_at, delivered_at, result }) => ({
    id: changeIdOf(watch.id, cursor),
    cursor: String(cursor),
    kinds: JSON.parse(kinds) as string[],
    createdAt: instant(created_at),
    attempts,
    nextAt: instantOrNull(next_at),
    deliveredAt: instantOrNull(delivered_at),
    result,
  }));
  return { deliveries, after: hasMore ? (deliveries.at(-1)?.cursor ?? null) : null, hasMore };
}
