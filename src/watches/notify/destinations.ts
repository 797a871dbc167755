import type { Transaction } from 'kysely';
import type { Sealer } from '../../accounts/oauth/sealer.ts';
import type { NewTarget, NotifyTestResult } from '../../contract/account/notify-schemas.ts';
import { withoutSecrets } from '../../contract/account/shown.ts';
import { after } from '../../runtime/clock.ts';
import type { Tables } from '../../store/tables.ts';
import { bodyText } from '../../upstream/answer.ts';
import type { Http } from '../../upstream/ports.ts';
import type { StoredWatch } from '../records.ts';
import type { ScheduleParts } from '../schedule.ts';
import { openWebhook, SEALED_OTHERWISE, webhookHint } from '../seal.ts';
import { webhookRequest } from '../webhooks.ts';
import type { SentResult } from './forms/form.ts';
import { FORMS } from './forms/index.ts';
import type { Mailer } from './mail.ts';
import { type Message, messageOf } from './message.ts';
import type { ReachOf } from './reach.ts';
import { openTarget } from './targets.ts';
import { type Due, toldOf, toldTogether } from './told.ts';

export interface DestinationParts extends Pick<ScheduleParts, 'store' | 'clock' | 'now' | 'log'> {
  readonly http: Pick<Http, 'ask'>;
  readonly reachOf: ReachOf;
  /** Opens the addresses of targets and webhooks; null: this service has no secret, and none is accepted. */
  readonly sealer: Sealer | null;
  /** Sends mail; null: no mail server is configured. */
  readonly mailer: Mailer | null;
  /** Address of the service, for links in messages; null until it is known. */
  readonly baseUrl: () => string | null;
}
interface TargetState {
  readonly failing_at?: number | null;
  readonly failed_at?: number;
  readonly error?: string;
  readonly succeeded_at?: number;
  readonly disabled_at?: number;
}
/** Where a message goes. */
export interface Destination {
  readonly what: 'webhook' | 'notify';
  /** What may be shown of its address. */
  readonly hint: string;
  readonly failing_at: number | null;
  /** Null: there is nothing to tell any more; a process that was frozen finds its digest sent. */
  send(nowMs: number): Promise<SentResult | null>;
  /** The rows of the message that is sent, as this process took them: none once another process has. */
  messages(trx: Db): ReturnType<typeof rowsOf>;
  /** All rows that wait for it. */
  waiting(trx: Db): ReturnType<typeof rowsOf>;
  set(trx: Db, state: TargetState): Promise<unknown>;
}
const TIMEOUT_MS = 15_000;
const MOST_SAID = 500;
const UNOPENED: SentResult = { result: SEALED_OTHERWISE, said: null };
type Db = Transaction<Tables>;
/** The rows of a message: of one check, or of a digest, which is taken whole. */
const rowsOf = (trx: Db, { target, next_at }: Due) =>
  trx
    .updateTable('watch_deliveries')
    .where('target', '=', target)
    .where('next_at', '=', next_at ?? 0);
const waitingFor = (trx: Db, target: number) =>
  trx.updateTable('watch_deliveries').where('target', '=', target).where('next_at', 'is not', null);

/** Sends a request to a target: no redirect, and the addresses are checked with every attempt. */
async function post(
  { http, clock, reachOf }: Pick<DestinationParts, 'http' | 'clock' | 'reachOf'>,
  request: { readonly url: string; readonly body: string; readonly headers: Readonly<Record<string, string>> },
  paceKey: string,
): Promise<SentResult> {
  const { fault, opened } = await reachOf(new URL(request.url));
  if (fault !== null) return { result: `not sent: the address ${fault}`, said: null };
  const ended = new AbortController();
  const stop = after(clock, 2 * TIMEOUT_MS, () => ended.abort('too late'));
  try {
    const reply = await http.ask({
      method: 'POST',
      ...request,
      redirects: 0,
      timeoutMs: TIMEOUT_MS,
      maxBytes: 65_536,
      pace: { key: paceKey, everyMs: 1, burst: 100 },
      credentials: true,
      ...(opened && { opened }),
      attempt: { signal: ended.signal, deadlineMs: Number.POSITIVE_INFINITY },
    });
    const isPrivate = opened !== null;
    if (reply.tag !== 'answer') return { result: reply.what, said: null, isPrivate };
    return { result: String(reply.answer.status), said: isPrivate ? null : bodyText(reply.answer), isPrivate };
  } finally {
    stop();
  }
}

/** Sends a message to a target in its form. `id`: the same one where the message is sent again, by which who gets it twice can tell; null: none. */
export async function sendMessage(
  parts: DestinationParts,
  { to, as }: Pick<NewTarget, 'to' | 'as'>,
  message: Message,
  { accountId, paceKey, id }: { readonly accountId: string; readonly paceKey: string; readonly id: string | null },
): Promise<SentResult> {
  if (as === 'email')
    return parts.mailer ? parts.mailer.send(to, message, accountId, id) : { result: 'not sent: SIGHTLINE_SMTP_URL is not set', said: null };
  const { url, body } = FORMS[as](message, to);
  return post(parts, { url, body, headers: { 'content-type': 'application/json', ...(id !== null && { 'webhook-id': id }) } }, paceKey);
}

function webhook(parts: DestinationParts, watch: StoredWatch, due: Due): Destination | null {
  const hint = webhookHint(watch);
  if (hint === null || watch.webhook_disabled_at !== null) return null;
  return {
    what: 'webhook',
    hint: new URL(hint).host,
    failing_at: watch.webhook_failing_at,
    async send(nowMs) {
      const opened = openWebhook(parts.sealer, watch, nowMs);
      return opened ? post(parts, webhookRequest(watch, opened, due, nowMs), `webhook ${watch.id}`) : UNOPENED;
    },
    messages: (trx) => rowsOf(trx, due).where('watch', '=', watch.n).where('cursor', '=', due.cursor),
    waiting: (trx) => waitingFor(trx, 0).where('watch', '=', watch.n),
    // of a webhook the error that it has now
    set: (trx, { failing_at, error = null, disabled_at }) =>
      trx
        .updateTable('watches')
        .set({
          ...(failing_at !== undefined && { webhook_failing_at: failing_at }),
          webhook_error: error,
          ...(disabled_at !== undefined && { webhook_disabled_at: disabled_at }),
        })
        .where('n', '=', watch.n)
        .execute(),
  };
}

/** Where a message goes; null: its target was removed or disabled. */
export async function destinationOf(parts: DestinationParts, watch: StoredWatch, due: Due): Promise<Destination | null> {
  if (due.target === 0) return webhook(parts, watch, due);
  const { store, sealer } = parts;
  const target = await store.db.selectFrom('notify_targets').selectAll().where('n', '=', due.target).executeTakeFirst();
  if (!target || target.disabled_at !== null) return null;
  const to = sealer && openTarget(sealer, target);
  const isDigest = target.digest !== null;
  return {
    what: 'notify',
    hint: target.hint,
    failing_at: target.failing_at,
    async send() {
      const told = await (isDigest ? toldTogether(parts, due) : toldOf(parts, watch, due.cursor).then((one) => (one ? [one] : [])));
      if (told.length === 0) return null;
      if (to === null) return UNOPENED;
      const as = target.form as NewTarget['as'];
      return sendMessage(parts, { to, as }, messageOf(told, parts.baseUrl()), {
        accountId: target.account_id,
        paceKey: `notify ${target.n}`,
        // of a digest the first change: one that is sent again with later ones has the same
        id: told[0]?.id ?? null,
      });
    },
    messages: (trx) => (isDigest ? rowsOf(trx, due) : rowsOf(trx, due).where('watch', '=', due.watch).where('cursor', '=', due.cursor)),
    waiting: (trx) => waitingFor(trx, target.n),
    set: (trx, state) => trx.updateTable('notify_targets').set(state).where('n', '=', target.n).execute(),
  };
}

/** How a test message went, for who asked for it. */
export async function tryTarget(
  parts: DestinationParts,
  target: Pick<NewTarget, 'to' | 'as'>,
  message: Message,
  monotonicMs: () => number,
  accountId: string,
): Promise<NotifyTestResult> {
  const begunMs = monotonicMs();
  const { result, said, isPrivate } = await sendMessage(parts, target, message, { accountId, paceKey: 'notify test', id: null });
  const durationMs = Math.round(monotonicMs() - begunMs);
  const status = /^\d{3}$/.test(result) ? Number(result) : null;
  const ok = status !== null && status >= 200 && status < 300;
  return {
    ok,
    status,
    durationMs: status === null ? null : durationMs,
    private: isPrivate === true,
    said: said ? withoutSecrets(said, target.to).slice(0, MOST_SAID) : null,
    error: ok ? null : result,
  };
}
