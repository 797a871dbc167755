import { randomBytes } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeFolder } from '../../runtime/make-folder.ts';
import { SettingError } from '../../settings.ts';

/** Token of the admin listener: a file in the data folder with mode 0600, created at the first start. Throws if others can read it. */
export function adminToken(folder: string): string {
  const file = join(resolve(folder), 'admin-token');
  makeFolder(resolve(folder), 0o700);
  try {
    writeFileSync(file, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  if (statSync(file).mode & 0o077)
    throw new SettingError(`${file} (SIGHTLINE_DATA_DIR) can be read by others: delete it, a new one is made at the next start.`);
  return readFileSync(file, 'utf8').trim();
}
