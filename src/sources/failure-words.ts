import { readTable } from '../runtime/table.ts';

const rows = readTable(new URL('./failure-words.tsv', import.meta.url)).map(([kinds = '', pattern = '']) => ({
  kinds: kinds.split(' '),
  pattern,
}));
const patternOf = (kind: string): RegExp =>
  new RegExp(rows.flatMap(({ kinds, pattern }) => (kinds.includes(kind) ? pattern : [])).join('|'), 'i');
const WORDS = { page: patternOf('page'), main: patternOf('main'), list: patternOf('list'), message: patternOf('message') };

/** Whether a platform says that it fails for now. The more other text may stand around the words, the fewer of them are taken. */
export const failsForNow = (text: string, kind: keyof typeof WORDS): boolean => WORDS[kind].test(text);
