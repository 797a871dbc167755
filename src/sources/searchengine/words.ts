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

const NEWS = anyOf('news', '^', '$');
const VIDEO = anyOf('video', '^', '$');
export const isNewsHeading = (text: string): boolean => NEWS.test(text.trim());
export const isVideoHeading = (text: string): boolean => VIDEO.test(text.trim());

const NOTHING = anyOf('nothing');
/** Read only on pages without entries. */
export const saysNothingFound = (text: string): boolean => NOTHING.test(text);
