import { readFileSync } from 'node:fs';

/** The lines of a table beside the code: cells separated by tabs; empty lines and lines that begin with `#` are comments. */
export const readTable = (file: URL): readonly (readonly string[])[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('\t'));
