import { shortTime } from './format.ts';

/** An instant for a list, as `shortTime`; of today without its seconds. */
export const shortMinute = (at: string): string => shortTime(at).replace(/^(\d\d:\d\d):\d\d$/, '$1');
