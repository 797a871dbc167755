import { createHmac } from 'node:crypto';
import { instant } from '../runtime/clock.ts';
import { changeIdOf } from './feed.ts';
import type { StoredWatch } from './records.ts';

const SECOND_MS = 1_000;

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

/** What a webhook is sent: a thin body that says where to read, signed with each of its secrets. */
export function webhookRequest(
  watch: Pick<StoredWatch, 'id'>,
  { url, secrets }: { readonly url: string; readonly secrets: readonly string[] },
  due: { readonly cursor: number; readonly kinds: string; readonly created_at: number },
  nowMs: number,
) {
  const data = { watchId: watch.id, cursor: String(due.cursor), kinds: JSON.parse(due.kinds) as readonly string[] };
  const body = JSON.stringify({ type: 'watch.changed', timestamp: instant(due.created_at), data });
  return { url, body, headers: signedHeaders(changeIdOf(watch.id, due.cursor), nowMs, body, secrets) };
}
