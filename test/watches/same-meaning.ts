import type { ListRule } from '../../src/contract/operations/define.ts';
import type { Operation } from '../../src/contract/operations/index.ts';
import { fieldsUnder, isNullable } from '../../src/contract/resource-fields.ts';
import type { Random } from '../simulation/random.ts';
import type { Recorded } from '../sources/recorded-answers.ts';

/** A change of notation: of a text, a JSON value or an answer. */
interface Change<T> {
  readonly name: string;
  readonly of: (given: T, random: Random) => T;
}
type Json = Record<string, unknown>;
export interface Answer {
  readonly resource: Json;
  readonly unread: readonly string[];
}

const word = (random: Random): string => Buffer.from(random.bytes(4)).toString('hex');
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
function shuffled<T>(list: readonly T[], random: Random): T[] {
  const rest = [...list];
  return list.map(() => rest.splice(random.below(rest.length), 1)[0] as T);
}
/** Some matches of a pattern become another text. */
const some =
  (pattern: RegExp, share: number, to: (match: RegExpExecArray, random: Random) => string) =>
  (text: string, random: Random): string =>
    text.replace(pattern, (...match) => (random.chance(share) ? to(match as unknown as RegExpExecArray, random) : String(match[0])));

const tracked = (url: string, random: Random): string => {
  const name = random.pick(['utm_source', 'utm_campaign', 'gclid', 'fbclid', 'msclkid', 'srsltid']);
  const [address = '', fragment] = url.split('#', 2);
  return `${address}${address.includes('?') ? '&' : '?'}${name}=${word(random)}${fragment === undefined ? '' : `#${fragment}`}`;
};
const SIGNATURE = /([?&;](?:x-expires|x-signature|expires|signature|sig|token|s|oh|oe)=)[^&"#]+/g;
/** What people wrote, an address alone too. */
const WRITTEN = /text|body/;
const isUrl = (value: unknown): value is string => typeof value === 'string' && /^https?:\/\/[^\s/]+\/\S*$/.test(value);

const entriesOf = (json: unknown, change: (entries: [string, unknown][]) => [string, unknown][]): unknown => {
  if (Array.isArray(json)) return json.map((one) => entriesOf(one, change));
  if (!isObject(json)) return json;
  return Object.fromEntries(change(Object.entries(json)).map(([key, value]) => [key, entriesOf(value, change)]));
};
const JSON_CHANGES: readonly Change<unknown>[] = [
  { name: 'order of keys', of: (json, random) => entriesOf(json, (entries) => shuffled(entries, random)) },
  {
    name: 'unknown keys',
    of: (json, random) =>
      entriesOf(json, (entries) => {
        if (!random.chance(0.3)) return entries;
        const value = random.pick<unknown>([word(random), random.below(1e6), null, [], { build: word(random) }, [word(random)]]);
        return [...entries, [`x${word(random)}`, value]];
      }),
  },
  {
    name: 'signed addresses',
    of: (json, random) =>
      entriesOf(json, (entries) =>
        entries.map(([key, value]) => [
          key,
          isUrl(value) && !WRITTEN.test(key) ? value.replace(SIGNATURE, (_, name) => name + word(random)) : value,
        ]),
      ),
  },
];
/** JSON in another notation of its texts and blanks. */
const JSON_TEXTS: readonly ((json: unknown, random: Random) => string)[] = [
  (json) => JSON.stringify(json),
  (json, random) => JSON.stringify(json, null, random.pick<string | number>([1, 2, 3, 4, '\t'])),
  (json) => JSON.stringify(json).replace(/[\u0080-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`),
  (json) => JSON.stringify(json).replaceAll('/', '\\/'),
];

const TAG = /<([a-z][a-z0-9-]*)((?:\s+[\w:.-]+(?:=(?:"[^"<>]*"|'[^'<>]*'))?)+)(\s*\/?)>/g;
const ATTRIBUTE = /([\w:.-]+)(?:=("[^"]*"|'[^']*'))?/g;
const withAttributes = (share: number, change: (attributes: string[], random: Random, tag: string) => string[]) =>
  some(TAG, share, ([, tag = '', attributes = '', end = ''], random) => {
    const each = [...attributes.matchAll(ATTRIBUTE)].map((match) => match[0]);
    return `<${tag} ${change(each, random, tag).join(' ')}${end}>`;
  });
const HTML_CHANGES: readonly Change<string>[] = [
  { name: 'order of attributes', of: withAttributes(0.5, (attributes, random) => shuffled(attributes, random)) },
  {
    name: 'unknown attributes',
    of: withAttributes(0.3, (attributes, random) => [...attributes, `data-x-${word(random)}="${word(random)}"`]),
  },
  {
    name: 'more classes',
    of: withAttributes(0.3, (attributes, random) =>
      attributes.map((one) => (/^class="[^"]+"$/.test(one) ? `${one.slice(0, -1)} x${word(random)}"` : one)),
    ),
  },
  {
    name: 'blanks between elements',
    of: some(/>(\s+)</g, 0.5, ([, blanks], random) => `>${blanks}${random.pick([' ', '\n', '\t\n', '\n\n'])}<`),
  },
  { name: 'lines after blocks', of: some(/<\/(div|section|article|li|ul|table)>/g, 0.4, ([all]) => `${all}\n`) },
  { name: 'comments', of: some(/<\/(div|section|article|ul)>/g, 0.1, ([all], random) => `${all}<!-- node ${word(random)} -->`) },
  { name: 'unknown elements', of: some(/<\/body>/g, 1, ([all], random) => `<div id="x${word(random)}" hidden></div>${all}`) },
  {
    name: 'numeric references',
    of: some(/&amp;|&quot;|&#39;/g, 0.5, ([all]) => ({ '&amp;': '&#38;', '&quot;': '&#x22;' })[all ?? ''] ?? '&#x27;'),
  },
  { name: 'build of the page', of: some(/<head([^>]*)>/g, 1, ([all], random) => `${all}<meta name="build" content="${word(random)}">`) },
];

const WHOIS_CHANGES: readonly Change<string>[] = [
  { name: 'ends of lines', of: (text, random) => text.replace(/\r?\n/g, random.pick(['\n', '\r\n'])) },
  { name: 'blanks at ends of lines', of: some(/(?<=\S)(?=\r?\n)/g, 0.3, (_, random) => ' '.repeat(1 + random.below(3))) },
  { name: 'empty lines', of: some(/(\r?\n)[ \t]*(?=\r?\n)/g, 0.5, ([all, end]) => `${all}${end}`) },
  { name: 'empty lines around', of: (text, random) => '\n'.repeat(random.below(4)) + text + '\n'.repeat(1 + random.below(6)) },
  {
    name: 'comments',
    of: (text, random) =>
      /^%/m.test(text) ? `% node ${word(random)}\n${text}` : /^#/m.test(text) ? `# node ${word(random)}\n${text}` : text,
  },
  {
    name: 'time of the data base',
    of: (text, random) =>
      text.replace(/^(>>> .*?)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/gm, (_, before) => `${before}2026-11-23T12:00:${10 + random.below(50)}`),
  },
];

const SCRIPT =
  /(<script[^>]*\bid="?(?:__UNIVERSAL_DATA_FOR_REHYDRATION__|__NEXT_DATA__|SIGI_STATE|__FRONTITY_CONNECT_STATE__)"?[^>]*>)([\s\S]*?)(<\/script>)/;

function changed<T>(given: T, changes: readonly Change<T>[], random: Random, names: string[]): T {
  const chosen = shuffled(changes, random).slice(0, 1 + random.below(3));
  names.push(...chosen.map(({ name }) => name));
  return chosen.reduce((value, { of }) => of(value, random), given);
}
function changedJson(json: unknown, random: Random, names: string[]): string {
  return random.pick(JSON_TEXTS)(changed(json, JSON_CHANGES, random, names), random);
}

/** The same document in another notation: one to three changes of order, blanks, names and values that nobody reads. */
export function sameMeaning({ reader, body }: Pick<Recorded, 'reader' | 'body'>, random: Random): { what: string; body: Buffer } {
  const names: string[] = [];
  const written = ((): Buffer => {
    if (reader === 'registration/whois') return Buffer.from(changed(body.toString('latin1'), WHOIS_CHANGES, random, names), 'latin1');
    const text = body.toString('utf8');
    if (/^\s*[{[]/.test(text.slice(0, 100))) return Buffer.from(changedJson(JSON.parse(text), random, names));
    const script = SCRIPT.exec(text);
    if (!script) return Buffer.from(changed(text, HTML_CHANGES, random, names));
    const [whole, before = '', inner = '', after = ''] = script;
    const json = changedJson(JSON.parse(inner), random, names).replace(/</g, '\\u003c');
    return Buffer.from(text.replace(whole, () => before + json + after));
  })();
  return { what: names.join(', '), body: written };
}

/** Addresses in an answer of a search engine with tracking parameters, as a page writes them. */
export const withTracking = ({ body }: Pick<Recorded, 'body'>, random: Random): Buffer =>
  Buffer.from(
    some(
      /(<a\b[^<>]*\bhref=")(https?:\/\/[^"<>\s]+)(")/g,
      0.5,
      ([, before = '', url = '', after = ''], r) => before + tracked(url.replaceAll('&amp;', '&'), r).replaceAll('&', '&amp;') + after,
    )(body.toString('utf8'), random),
  );

const valueIn = (resource: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((at, name) => (isObject(at) ? at[name] : null), resource);
/** Writes a field, of a list in every entry. */
function write(target: unknown, [name = '', ...rest]: readonly string[], to: (value: unknown) => unknown): void {
  if (Array.isArray(target)) for (const one of target) write(one, [name, ...rest], to);
  else if (isObject(target) && name in target) {
    if (rest.length > 0) write(target[name], rest, to);
    else target[name] = to(target[name]);
  }
}

/** An answer of which less could be read, whose counters went on, or whose lists are cut where they have a next page or are feeds. */
export function lessRead({ watch, resource: schema }: Operation, answer: Answer, random: Random): { what: string; answer: Answer } {
  const resource = structuredClone(answer.resource);
  const unread = [...answer.unread];
  const fields = fieldsUnder(schema, '');
  const counts = (path: string): boolean => watch.fields.some((one) => path === one || path.startsWith(`${one}.`));
  const names: string[] = [];
  const rules = Object.entries(watch.lists) as [string, ListRule][];
  const changes: readonly (() => void)[] = [
    () => {
      const path = random.pick(fields.filter((one) => isNullable(schema, one) || Array.isArray(valueIn(resource, one))));
      write(resource, path.split('.'), (value) => (Array.isArray(value) ? [] : null));
      unread.push(path);
      names.push(`${path} unread`);
    },
    () => {
      const by = 1 + random.below(1000);
      const names_ = fields.filter((one) => !counts(one) && watch.series.some((series) => one === series || one.startsWith(`${series}.`)));
      // a rank that counts is no counter
      for (const path of names_) write(resource, path.split('.'), (value) => (typeof value === 'number' ? value + by : value));
      names.push(`counters + ${by}`);
    },
    () => {
      for (const [list, { feed }] of rules) {
        const entries = valueIn(resource, list);
        if (!Array.isArray(entries) || entries.length === 0 || (feed === undefined && watch.more === undefined)) continue;
        const left = random.below(entries.length + 1);
        write(resource, list.split('.'), () => entries.slice(0, left));
        names.push(`${list} cut to ${left}`);
      }
      if (watch.more !== undefined) write(resource, watch.more.split('.'), () => true);
    },
  ];
  for (const change of shuffled(changes, random).slice(0, 1 + random.below(2))) change();
  return { what: names.join(', '), answer: { resource, unread } };
}
