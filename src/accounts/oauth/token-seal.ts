import { createHmac } from 'node:crypto';
import type { GrantTokenRow } from '../../store/tables.ts';

type Unsealed = Omit<GrantTokenRow, 'seal'>;

/** HMAC-SHA-256 over a row: every refresh changes it, so that an entry of the audit log for each would fill the store. */
export const tokenSeal = (key: Buffer, { hash, key_id, kind, expires_at, used_at, current }: Unsealed): string =>
  createHmac('sha256', key)
    .update(`sightline-grant-token-1\n${JSON.stringify([hash, key_id, kind, expires_at, used_at, current])}`)
    .digest('base64url');
