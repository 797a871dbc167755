import { dirname } from 'node:path';

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist: a part of its path is a file',
  EISDIR: 'cannot be read: it is a folder',
  EACCES: 'cannot be read: its permissions do not allow it',
};

/** Why a file was not read, in words: `answers.json does not exist`. */
export function unreadFile(file: string, error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return `${file} ${WORDS[code] ?? `cannot be read: ${code || message}`}`;
}

/** Why nothing was written to a file or folder that a command was given, in words; any other error is thrown again. */
export function unwritten(path: string, error: unknown): string {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (!/^E[A-Z]+$/.test(code)) throw error;
  if (code === 'EEXIST') return `${path} exists already`;
  return `${path} cannot be written: ${code === 'ENOENT' || code === 'ENOTDIR' ? `there is no folder ${dirname(path)}` : code}`;
}
