import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../runtime/make-folder.ts';
import type { StoreLog } from '../store.ts';

/** Created before SQLite opens them, so that they never have another mode: SQLite gives -wal and -shm the mode of their database. */
const MADE = ['lock.db', 'sightline.db'];
const OWN = [...MADE, 'sightline.db-wal', 'sightline.db-shm', 'sightline.db-journal', 'lock.db-journal', 'holder'];

const OTHERS = 0o077;
const OTHERS_WRITE = 0o002;
const octal = (mode: number): string => (mode & 0o777).toString(8).padStart(4, '0');

/**
 * Creates the data folder and sets its modes at every start: 0700, files of the store 0600. Otherwise other users could read key hashes,
 * and their read lock on lock.db would block every start. A folder of another owner (a mounted volume) is accepted unless world-writable.
 */
export function makePrivate(folder: string, log: StoreLog): void {
  makeFolder(folder, 0o700);
  const { mode } = statSync(folder);
  const restricted: string[] = [];
  if (mode & OTHERS) {
    if (setMode(folder, 0o700)) restricted.push(`${folder} ${octal(mode)}`);
    else if (mode & OTHERS_WRITE) throw new Error(`every user may write to it (mode ${octal(mode)}), and it belongs to another user`);
  }
  for (const name of MADE) {
    const file = join(folder, name);
    // an existing file is never opened: closing it would release this process's SQLite locks on it
    if (!existsSync(file)) closeSync(openSync(file, 'wx', 0o600));
  }
  for (const name of OWN) {
    const file = join(folder, name);
    if (!existsSync(file)) continue;
    const { mode: found } = statSync(file);
    if (!(found & OTHERS)) continue;
    if (!setMode(file, 0o600)) throw new Error(`${file} is open to other users (mode ${octal(found)}) and belongs to another user`);
    restricted.push(`${name} ${octal(found)}`);
  }
  if (restricted.length) log('warn', 'store: the data folder was open to other users, its modes are set to 0700 and 0600', { restricted });
}

/** False if it belongs to another user. */
function setMode(path: string, mode: number): boolean {
  try {
    chmodSync(path, mode);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EPERM') return false;
    throw error;
  }
}
