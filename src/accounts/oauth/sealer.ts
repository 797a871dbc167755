import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeFolder } from '../../runtime/make-folder.ts';
import type { RandomBytes } from '../../runtime/uuid.ts';
import { SettingError, type Settings } from '../../settings.ts';

/** Encrypts private keys for the store: AES-256-GCM with a key derived from the service's secret (HKDF, SHA-256). */
export interface Sealer {
  /** `name` is authenticated (AAD): decryption under another name fails. */
  seal(name: string, text: string): string;
  /** Null if it was encrypted with another secret or was modified. */
  open(name: string, sealed: string): string | null;
}

const MIN_SECRET = 16;
const IV = 12;
const TAG = 16;

export function createSealer(secret: string, randomBytes: RandomBytes): Sealer {
  const key = Buffer.from(hkdfSync('sha256', secret, 'sightline', 'signing-keys', 32));
  return {
    seal(name, text) {
      const iv = randomBytes(IV);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(name));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return `1.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`;
    },
    open(name, sealed) {
      const bytes = Buffer.from(sealed.slice(2), 'base64url');
      if (!sealed.startsWith('1.') || bytes.length < IV + TAG) return null;
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

/**
 * The secret of this service: SIGHTLINE_SECRET, else (embedded store) a file in the data folder with mode 0600, created on first use.
 * Null with DATABASE_URL and no secret: a fleet must share one. Throws SettingError if the secret is too short or others can read the file.
 */
export function serviceSecret(
  settings: Pick<Settings, 'SIGHTLINE_SECRET' | 'DATABASE_URL' | 'SIGHTLINE_DATA_DIR'>,
  randomBytes: RandomBytes,
): string | null {
  const given = settings.SIGHTLINE_SECRET;
  if (given !== null && given.length < MIN_SECRET)
    throw new SettingError(`SIGHTLINE_SECRET must have ${MIN_SECRET} characters or more: make one with openssl rand -base64 32.`);
  if (given !== null || settings.DATABASE_URL) return given;
  const folder = resolve(settings.SIGHTLINE_DATA_DIR);
  const file = join(folder, 'secret');
  makeFolder(folder, 0o700);
  try {
    writeFileSync(file, `${Buffer.from(randomBytes(32)).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  if (statSync(file).mode & 0o077)
    throw new SettingError(`${file} can be read by others: chmod 600 it, and sightline clients rotate --drop if they may have read it.`);
  return readFileSync(file, 'utf8').trim();
}
