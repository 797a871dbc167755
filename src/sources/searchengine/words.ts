import { patternsIn } from '../tables.ts';

const anyOf = patternsIn(new URL('./words.tsv', import.meta.url));
const LABEL = anyOf('label', '^', '$');
const NOTICE = anyOf('notice', '^', '[.!?…:]*$');
const DISCLAIMER = anyOf('disclaimer', '^');
const UNAVAILABLE = anyOf('unavailable');
const HINT = anyOf('hint', '^');
const isShort = (line: string): boolean => line.length < 260;
/** Whether a line of a generated answer is the engine's (label, button, disclaimer) and not part of the answer. */
export const isNoticeLine = (line: string): boolean =>
  LABEL.test(line) || NOTICE.test(line) || (isShort(line) && (DISCLAIMER.test(line) || UNAVAILABLE.test(line)));
/** The same on a page, which has keyboard hints beside the answer; providers bring the answer alone. */
export const isEngineLine = (line: string): boolean => isNoticeLine(line) || (isShort(line) && HINT.test(line));

const PENDING = anyOf('pending', '^', '[.…?]*$');
/** Whether a line stands in place of an answer that has not come. */
export const isPendingLine = (line: string): boolean => PENDING.test(line);

/** A button behind a sentence: the name of a cited page, and how many more there are. */
const MORE_SOURCES = /^(.*\S)\s\+\d{1,2}$/s;
const SENTENCE_END = /[.!?…。！？][)"”’]*$/;
/**
 * A line without the button of its sources at its end ("… is green. Tea House +2"); `names`: of the cited pages. Without a number the name is a
 * button only behind a sentence. Null where a button has a name that no cited page has.
 */
export function withoutSources(line: string, names: readonly string[]): string | null {
  const counted = MORE_SOURCES.exec(line)?.[1];
  const words = counted ?? line;
  const name = names.filter((one) => words.endsWith(` ${one}`)).reduce((longest, one) => (one.length > longest.length ? one : longest), '');
  const rest = words.slice(0, words.length - name.length).trim();
  if (counted !== undefined && (name !== '' || names.includes(words))) return name === '' ? '' : rest;
  if (counted !== undefined) return /[.!?…。！？:][)"”’]*\s+[^.!?]{1,60}$/.test(words) ? null : line;
  return name !== '' && SENTENCE_END.test(rest) ? rest : line;
}

const NEWS = anyOf('news', '^', '$');
const VIDEO = anyOf('video', '^', '$');
export const isNewsHeading = (text: string): boolean => NEWS.test(text.trim());
export const isVideoHeading = (text: string): boolean => VIDEO.test(text.trim());

const NOTHING = anyOf('nothing');
/** Read only on pages without entries. */
export const saysNothingFound = (text: string): boolean => NOTHING.test(text);
