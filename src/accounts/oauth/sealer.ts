import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import { secretFile } from '../../runtime/secret-file.ts';
import type { RandomBytes } from '../../runtime/uuid.ts';
import { SettingError, type Settings } from '../../settings.ts';

export type Sealer = ReturnType<typeof createSealer>;

const MIN_SECRET = 16;
const IV = 12;
const TAG = 16;
const SEALED = '1.';
/** Whether a text is one that `seal` made: no address and no secret of a webhook begins like that. */
export const isSealed = (text: string): boolean => text.startsWith(SEALED);

/** Encrypts secrets for the store: AES-256-GCM with a key derived from the service's secret (HKDF, SHA-256). */
export function createSealer(secret: string, randomBytes: RandomBytes) {
  const key = Buffer.from(hkdfSync('sha256', secret, 'sightline', 'signing-keys', 32));
  return {
    /** `name` is authenticated (AAD): decryption under another name fails. */
    seal(name: string, text: string): string {
      const iv = randomBytes(IV);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(name));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return `${SEALED}${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`;
    },
    /** Null if it was encrypted with another secret or was modified. */
    open(name: string, sealed: string): string | null {
      const bytes = Buffer.from(sealed.slice(SEALED.length), 'base64url');
      if (!isSealed(sealed) || bytes.length < IV + TAG) return null;
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV), { authTagLength: TAG });
      decipher.setAAD(Buffer.from(name)).setAuthTag(bytes.subarray(IV, IV + TAG));
      try {
        return Buffer.concat([decipher.update(bytes.subarray(IV + TAG)), decipher.final()]).toString('utf8');
      } catch {
        return null; // authentication tag mismatch: another secret
      }
    },
  };
}

/** SIGHTLINE_SECRET, else (embedded store) a file of mode 0600 in the data folder; null with DATABASE_URL alone. Throws SettingError if it is short or open. */
export function serviceSecret(
  settings: Pick<Settings, 'SIGHTLINE_SECRET' | 'DATABASE_URL' | 'SIGHTLINE_DATA_DIR'>,
  randomBytes: RandomBytes,
): string | null {
  const given = settings.SIGHTLINE_SECRET;
  if (given !== null && given.length < MIN_SECRET)
    throw new SettingError(`SIGHTLINE_SECRET must have ${MIN_SECRET} characters or more: make one with openssl rand -base64 32.`);
  if (given !== null || settings.DATABASE_URL) return given;
  return secretFile(
    settings.SIGHTLINE_DATA_DIR,
    'secret',
    () => randomBytes(32),
    (file) =>
      new SettingError(`${file} can be read by others: chmod 600 it, and sightline clients rotate --drop if they may have read it.`),
  );
}
