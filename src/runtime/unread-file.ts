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
