import { accessSync, chmodSync, closeSync, constants, existsSync, openSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeFolder } from '../../runtime/make-folder.ts';
import { SettingError, type Settings } from '../../settings.ts';
import type { StoreLog } from '../store.ts';

type Folder = Pick<Settings, 'SIGHTLINE_DATA_DIR'>;
const { R_OK, W_OK, X_OK } = constants;

/** Creates the data folder if it is missing. Throws a SettingError if it is not a folder or not writable. */
export function demandDataFolder(settings: Folder): void {
  const folder = resolve(settings.SIGHTLINE_DATA_DIR);
  try {
    makeFolder(folder, 0o700);
    accessSync(folder, R_OK | W_OK | X_OK);
  } catch (error) {
    throw refused(folder, error as NodeJS.ErrnoException);
  }
}

/** For commands, which never create a store, so that a mistyped path is an error. Throws a SettingError if there is no readable store. */
export function demandStore(settings: Folder): void {
  const folder = resolve(settings.SIGHTLINE_DATA_DIR);
  try {
    statSync(join(folder, 'sightline.db'));
    accessSync(folder, R_OK | W_OK | X_OK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new SettingError(
        `SIGHTLINE_DATA_DIR is ${JSON.stringify(folder)}, where there is no store: set it to the folder of the service, or start sightline serve, which makes one.`,
        { cause: error },
      );
    throw refused(folder, error as NodeJS.ErrnoException);
  }
}

function refused(folder: string, error: NodeJS.ErrnoException): SettingError {
  const { code = error.message } = error;
  const why = /^(?:EEXIST|ENOTDIR)$/.test(code)
    ? 'but that is a file, or lies below one: set it to a folder.'
    : /^(?:EACCES|EPERM|EROFS)$/.test(code)
      ? `which this user (${process.getuid?.() ?? 'unknown'}) may not read and write: run as the user of the service, change the owner of the folder, or set another folder.`
      : `which cannot be used (${code}): set it to a folder on a disk that can be written to.`;
  return new SettingError(`SIGHTLINE_DATA_DIR is ${JSON.stringify(folder)}, ${why}`, { cause: error });
}

/** Created before SQLite opens them, so that they never have another mode: SQLite gives -wal and -shm the mode of their database. */
const MADE = ['lock.db', 'sightline.db'];
const OWN = [...MADE, 'sightline.db-wal', 'sightline.db-shm', 'sightline.db-journal', 'lock.db-journal', 'holder'];

const OTHERS = 0o077;
const OTHERS_WRITE = 0o002;
const octal = (mode: number): string => (mode & 0o777).toString(8).padStart(4, '0');

/** Creates the data folder, mode 0700, its files 0600: a read lock of another user on lock.db would block every start. A mounted volume may have another owner. */
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
