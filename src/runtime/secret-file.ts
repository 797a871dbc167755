import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeFolder } from './make-folder.ts';

/** The secret in a file of a folder, made with mode 0600 where there is none. `refuse`: what to throw where others can read the file. */
export function secretFile(folder: string, name: string, makeSecret: () => Uint8Array, refuse: (file: string) => Error): string {
  const file = join(resolve(folder), name);
  makeFolder(resolve(folder), 0o700);
  try {
    writeFileSync(file, `${Buffer.from(makeSecret()).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  if (statSync(file).mode & 0o077) throw refuse(file);
  const secret = readFileSync(file, 'utf8').trim();
  if (secret !== '') return secret;
  // the disk was full when it was made: an empty secret would be everybody's
  rmSync(file);
  return secretFile(folder, name, makeSecret, refuse);
}
