import { toUnicode } from 'punycode/punycode.es6.js';
import { readableBy } from '../../contract/readable-domain.ts';

export const readableDomain = readableBy(toUnicode);
/** The same of each domain in a text. */
export const readableIn = (text: string): string => text.replace(/[^\s/@:]*xn--[^\s/:?#]*/gi, readableDomain);
