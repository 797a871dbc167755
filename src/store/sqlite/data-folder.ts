import { accessSync, constants, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeFolder } from '../../runtime/make-folder.ts';
import { SettingError, type Settings } from '../../settings.ts';

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
  const is = `SIGHTLINE_DATA_DIR is ${JSON.stringify(folder)}`;
  switch (error.code) {
    case 'EEXIST':
    case 'ENOTDIR':
      return new SettingError(`${is}, but that is a file, or lies below one: set it to a folder.`, { cause: error });
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new SettingError(
        `${is}, which this user (${process.getuid?.() ?? 'unknown'}) may not read and write: run as the user of the service, change the owner of the folder, or set another folder.`,
        { cause: error },
      );
    default:
      return new SettingError(
        `${is}, which cannot be used (${error.code ?? error.message}): set it to a folder on a disk that can be written to.`,
        {
          cause: error,
        },
      );
  }
}
