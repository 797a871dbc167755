import { hash } from 'node:crypto';
import type { Transaction } from 'kysely';
import { writeAudit } from '../accounts/admin/audit.ts';
import { actorOf, CONSOLE_KEY_ID, OPERATOR_KEY_ID } from '../accounts/sessions/sessions.ts';
import type { Caller } from '../accounts/types.ts';
import type { Tables } from '../store/tables.ts';
import type { StoredWatch } from './records.ts';

const actorOfCaller = ({ accountId, keyId }: Caller): string =>
  keyId === OPERATOR_KEY_ID ? keyId : actorOf(accountId, keyId === CONSOLE_KEY_ID ? null : keyId);

/** What a watch looks up, spends and tells, for the audit log. Its webhook is a secret: host, and SHA-256 of URL and signing secret. */
export const watchFacts = (row: StoredWatch) => ({
  accountId: row.account_id,
  keyId: row.key_id,
  operation: row.operation,
  parameters: row.parameters,
  every_ms: row.every_ms,
  fields: row.fields,
  credits_per_month: row.credits_per_month,
  paused: row.paused,
  webhookHost: row.webhook_url === null ? null : new URL(row.webhook_url).host,
  webhookHash: row.webhook_url === null ? null : hash('sha256', `${row.webhook_url}\n${row.webhook_secret ?? ''}`, 'hex'),
});

/** Writes what a caller did to a watch into the audit log, in the transaction of the act. */
export const auditWatch = (
  trx: Transaction<Tables>,
  at: number,
  caller: Caller,
  act: 'create' | 'edit' | 'run' | 'delete' | 'repeat',
  watchId: string,
  facts: Record<string, unknown>,
): Promise<void> => writeAudit(trx, at, { actor: actorOfCaller(caller), action: `watch.${act}`, subject: watchId, facts });
