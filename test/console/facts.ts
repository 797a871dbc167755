import { domainToUnicode } from 'node:url';
import { country, day, duration, moment, month, nameOfCode, number, share, short, words } from '../../src/console/parts/format.ts';
import { readableBy } from '../../src/contract/readable-domain.ts';

export interface Fact {
  /** JSON Pointer of the value. */
  readonly pointer: string;
  /** Texts of which the drawn answer shows one. */
  readonly anyOf: readonly string[];
}

const flat = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** How a number may be drawn. */
const numbers = (value: number): readonly string[] => [
  String(value),
  number(value),
  short(value),
  share(value),
  duration(value),
  duration(value * 1000),
  value.toFixed(2),
];
const readableDomain = readableBy(domainToUnicode);
/** Domains as people write them. */
const readableIn = (text: string): string => text.replace(/[^\s/@:]*xn--[^\s/:?#]*/gi, readableDomain);
/** The console names the platforms. */
const ENGINES: Readonly<Record<string, string>> = { engine_a: 'Google', engine_b: 'Bing' };
const texts = (value: string): readonly string[] =>
  [
    ...[value, readableIn(value), words(value), ENGINES[value] ?? value, moment(value), day(value), month(value), `@${value}`],
    ...(value.length === 2 ? [country(value), nameOfCode(value, 'language')] : []),
  ].map(flat);
const flags = (value: boolean): readonly string[] =>
  value
    ? [
        'yes',
        'Yes',
        'Ads on this page',
        'Verified',
        'Pinned',
        'Partly withheld',
        'signed',
        'more follow',
        'Featured snippet',
        'No registration',
      ]
    : [];

/** What is said in words that are not the value: checked by the tests of its view. */
const IN_WORDS =
  /\/(?:method|rankSource|source|builtForPlatform|role|hasResults|isFeaturedSnippet|available|redacted|isWhole|depth|parentId|parentHandle|commentId|postId|hasNextPage|after)$/;
/** Pictures are buttons until they are asked for. */
const PICTURES = /\/(?:avatarUrl|coverUrl|logo|iconUrl|thumbnail|thumbnailUrl)$/;
/** Addresses behind a link whose text is the name. */
const LINKS = /\/(?:apps|breadcrumbs|categories|references|reviews|comments)\/\d+\/(?:url|appUrl|permalink)$/;

const DRAWN_OTHERWISE = [IN_WORDS, PICTURES, LINKS];

export interface Facts {
  readonly stated: readonly Fact[];
  /** Pointers of the values that are null. */
  readonly nulls: readonly string[];
}

/** The facts of an answer that its drawn form must show: every value of the JSON but those that are drawn as a picture, a link or a place. */
export function factsOf(resource: unknown): Facts {
  const stated: Fact[] = [];
  const nulls: string[] = [];
  const add = (value: unknown, pointer: string): void => {
    if (Array.isArray(value)) for (const [at, item] of value.entries()) add(item, `${pointer}/${at}`);
    else if (typeof value === 'object' && value !== null) for (const [name, item] of Object.entries(value)) add(item, `${pointer}/${name}`);
    else if (DRAWN_OTHERWISE.some((pattern) => pattern.test(pointer))) return;
    else if (value === null) nulls.push(pointer);
    else if (typeof value === 'number') stated.push({ pointer, anyOf: numbers(value) });
    else if (typeof value === 'string' && value !== '') stated.push({ pointer, anyOf: texts(value) });
    else if (value === true) stated.push({ pointer, anyOf: flags(value) });
  };
  add(resource, '');
  return { stated, nulls };
}
