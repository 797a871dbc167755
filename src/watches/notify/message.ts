import { STOPPED_BECAUSE } from '../../contract/account/constants.ts';
import type { WatchChange } from '../../contract/account/watch-schemas.ts';
import { PRESENCE } from '../../contract/counted-fields.ts';
import { wasOver } from '../../contract/due-date.ts';
import { fieldInWords, VALUES } from '../../contract/in-words.ts';
import { operationOf } from '../../contract/operations/index.ts';
import { PRESENTATIONS } from '../../contract/operations/presentations.ts';
import { instant } from '../../runtime/clock.ts';
import { NOTICES } from '../compare.ts';
import { withReadableNames } from '../readable-names.ts';

/** A piece of a sentence: our own words, or a text of somebody else, which each form escapes and quotes. */
export type Piece = string | { readonly theirs: string };
export interface Message {
  /** The whole news in one line. */
  readonly title: readonly Piece[];
  readonly lines: readonly (readonly Piece[])[];
  /** The page of the watch in the console; null where the address of the service is not known. */
  readonly link: string | null;
}
/** What a message tells of one watch. */
export interface Told {
  readonly watch: { readonly id: string; readonly name: string | null; readonly operation: string; readonly parameters: string };
  readonly changes: readonly (Pick<WatchChange, 'kind' | 'field' | 'key' | 'before' | 'after' | 'daysLeft'> & {
    /** Of `due`: when the date was read; else null. */
    readonly readAt: number | null;
  })[];
  readonly atMs: number;
  /** Kinds of the entries of its check that are beyond `changes`. */
  readonly more?: readonly WatchChange['kind'][];
}

/** Characters of a text of somebody else, and lines of a message. */
const MOST_TEXT = 200;
const MOST_LINES = 12;
/** Of the texts of instants: the day. */
const DAY = 10;

/** Where a line may break or must not: nothing that is seen. */
const BREAKS = /[\u00ad\u200b\u2060\ufeff]/g;
/** What makes a blank. The two joiners stay: they are part of words and of emoji. */
const BLANKS = /(?:[\s\p{Cc}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf})+/gu;
/** One line, without control and format characters, which could turn the words around it. */
export function lineOf(text: string): string {
  const line = text.replace(BREAKS, '').replace(BLANKS, ' ').toWellFormed().trim();
  const characters = [...line];
  return characters.length > MOST_TEXT ? `${characters.slice(0, MOST_TEXT - 1).join('')}…` : line;
}
function spelt(value: unknown): string {
  if (typeof value === 'string') return value;
  const isOfTexts = Array.isArray(value) && value.every((one) => typeof one === 'string');
  return isOfTexts ? value.join(', ') || 'none' : (JSON.stringify(value) ?? '');
}
const theirs = (value: unknown): Piece => ({ theirs: withReadableNames(lineOf(spelt(value))) });
const pieceOf = (value: unknown): Piece => (lineOf(spelt(value ?? '')) === '' ? 'nothing' : theirs(value));
const fromTo = (before: unknown, after: unknown): readonly Piece[] => [pieceOf(before), ' → ', pieceOf(after)];
const daysOf = (days: number): string => (days === 1 ? 'one day' : `${days} days`);

function failurePieces(reason: unknown): readonly Piece[] {
  const why = Object.entries(STOPPED_BECAUSE).find(([stopped]) => stopped === reason)?.[1];
  return why ? [`It is not checked any more: ${why}.`] : ['It has no answer any more: ', theirs(reason)];
}
const minuteOf = (ms: number): string => `${instant(ms).slice(0, 16).replace('T', ' ')} UTC`;
/** When it was read; of a notice, when it was found. */
const whenOf = ({ kind, readAt }: Told['changes'][number], atMs: number): string =>
  kind === 'failing' || kind === 'recovered' ? minuteOf(atMs) : `read ${minuteOf(readAt ?? atMs)}`;

/** What changed, as a sentence. */
function sentenceOf({ kind, field, key, before, after, daysLeft }: Told['changes'][number], atMs: number): readonly Piece[] {
  const where: readonly Piece[] = key === null ? [] : [' of ', theirs(key)];
  const name = theirs(fieldInWords(field));
  switch (kind) {
    case 'changed':
    case 'moved':
      if (field.endsWith(PRESENCE)) return [name, after ? ' appeared' : ' disappeared'];
      return [name, ...where, ': ', ...fromTo(before, after)];
    case 'added':
      return key === null ? ['It is there again.'] : ['New in ', name, ': ', theirs(key)];
    case 'removed':
      return ['No longer in ', name, ': ', theirs(key ?? before)];
    case 'gone':
      return ['It is not there any more.'];
    case 'free':
      return ['The name is not registered any more.'];
    case 'due':
      return [
        name,
        ' ',
        theirs(String(after).slice(0, DAY)),
        daysLeft ? `, in ${daysOf(daysLeft)}` : wasOver(after, atMs) ? ', which is over: the name is still registered' : ', today',
      ];
    case 'failing':
      return field === ''
        ? failurePieces(after)
        : [field === 'webhook' ? 'The webhook ' : 'The target ', theirs(key ?? ''), ' is switched off: ', theirs(after)];
    case 'recovered':
      return ['It has answers again.'];
  }
}

/** As people call it: of rankings, the engine that is asked. */
function nameOf({ name, operation: id, parameters }: Told['watch']): readonly Piece[] {
  if (name !== null) return [theirs(name)];
  const operation = operationOf(id);
  const { engine = operation?.parameters.find((one) => one.name === 'engine')?.default, ...others } = JSON.parse(parameters);
  const platform = VALUES.get(engine) ?? (operation ? PRESENTATIONS[operation.id].name : id);
  return [theirs(platform), ' ', theirs(Object.values(others).join(', '))];
}

const COUNTED: readonly (readonly [one: string, more: string, has: (kind: WatchChange['kind']) => boolean])[] = [
  ['change', 'changes', (kind) => !NOTICES.includes(kind)],
  ['date due', 'dates due', (kind) => kind === 'due'],
  ['notice', 'notices', (kind) => kind !== 'due' && NOTICES.includes(kind)],
];
/** `3 changes, 2 dates due`: notices are no changes. */
const countsOf = (kinds: readonly WatchChange['kind'][]): string =>
  COUNTED.flatMap(([one, more, has]) => {
    const count = kinds.filter(has).length;
    return count === 0 ? [] : [`${count} ${count === 1 ? one : more}`];
  }).join(', ');

/** One message of what was found: of one check, or of a day (several). */
export function messageOf(told: readonly Told[], baseUrl: string | null): Message {
  const [first] = told;
  const ids = new Set(told.map(({ watch }) => watch.id));
  const isOfOne = first !== undefined && ids.size === 1;
  const kinds = told.flatMap(({ changes, more = [] }) => [...changes.map(({ kind }) => kind), ...more]);
  const [only] = first?.changes ?? [];
  const names = isOfOne ? nameOf(first.watch) : [`${ids.size} watches`];
  const title: readonly Piece[] =
    kinds.length === 1 && first && only ? [...names, ': ', ...sentenceOf(only, first.atMs)] : [...names, `: ${countsOf(kinds)}`];
  const all = told.flatMap(({ watch, changes, atMs }) =>
    changes.map((change): readonly Piece[] => [
      ...(isOfOne ? [] : [...nameOf(watch), ': ']),
      ...sentenceOf(change, atMs),
      ` (${whenOf(change, atMs)})`,
    ]),
  );
  const more = kinds.length - MOST_LINES;
  const lines = more > 0 ? [...all.slice(0, MOST_LINES), [`and ${more} more`]] : all;
  const page = isOfOne ? `/console/watches/${first.watch.id}` : '/console/changes';
  return { title, lines, link: baseUrl === null ? null : new URL(page, baseUrl).href };
}

/** A message of nobody's watch: it says that the target works. */
export const testMessage = (baseUrl: string | null): Message => ({
  title: ['Sightline: a test message'],
  lines: [['Messages of your watches arrive here.']],
  link: baseUrl === null ? null : new URL('/console/watches', baseUrl).href,
});

export type Escape = (text: string) => string;
/**
 * Programs make links of what looks like one. A word joiner, which nobody sees, on both sides of each dot, colon and at sign prevents it:
 * with one side alone `www.` or the name before an at sign would be left to begin a link.
 */
export const unlinked: Escape = (text) => text.replace(/[.:@]/g, '\u2060$&\u2060');
/** The pieces as one text; `escaped` is for texts of others. */
export const joined = (pieces: readonly Piece[], escaped: Escape): string =>
  pieces.map((piece) => (typeof piece === 'string' ? piece : escaped(piece.theirs))).join('');

/** The beginning of a text that is cut. A colon of ours at its end would stand before a character, as that of an address does. */
export const cutAfter = (beginning: string): string => `${beginning.replace(/[\s:]+$/, '')}…`;
/** The text cut to a number of UTF-16 units, as providers count; no character is cut. */
export function cutTo(text: string, most: number): string {
  if (text.length <= most) return text;
  let cut = '';
  for (const character of text) {
    if (cut.length + character.length > most - 1) break;
    cut += character;
  }
  return cutAfter(cut);
}
