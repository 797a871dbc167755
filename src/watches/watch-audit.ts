import type { Transaction } from 'kysely';
import { writeAudit } from '../accounts/admin/audit.ts';
import { actorOf, CONSOLE_KEY_ID, OPERATOR_KEY_ID } from '../accounts/sessions/sessions.ts';
import type { Caller } from '../accounts/types.ts';
import type { Tables } from '../store/tables.ts';

/** Who acts, in the audit log. */
export const actorOfCaller = ({ accountId, keyId }: Caller): string =>
  keyId === OPERATOR_KEY_ID ? keyId : actorOf(accountId, keyId === CONSOLE_KEY_ID ? null : keyId);

/** Writes into the audit log that a caller ran a watch of another key, or repeated its messages. */
export const auditWatch = (
  trx: Transaction<Tables>,
  atMs: number,
  caller: Caller,
  act: 'run' | 'repeat',
  watchId: string,
  facts: Record<string, unknown>,
): Promise<void> => writeAudit(trx, atMs, { actor: actorOfCaller(caller), action: `watch.${act}`, subject: watchId, facts });
