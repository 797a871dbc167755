import { DOMAINS } from '../../sandbox/registration/facts.ts';
import { RDAP_HOSTS } from '../../sandbox/registration/rdap.ts';
import { registryOf } from '../../sandbox/registration/registries.ts';
import { recordText } from '../../sandbox/registration/whois-texts.ts';
import { skip, takenRecordings } from './recorded.ts';

/** An answer to be mutated: a record of a taken name. */
export interface Specimen {
  readonly id: string;
  readonly kind: 'whois' | 'rdap';
  readonly domain: string;
  readonly host: string;
  readonly text: string;
}

/** Recorded answers where they are here; those of the simulated platforms in any case. */
export async function specimens(): Promise<readonly Specimen[]> {
  const recorded =
    skip === false
      ? takenRecordings().map(({ name, kind, domain, text }) => ({ id: name, kind, domain, host: 'whois.example', text }))
      : [];
  const simulated: Specimen[] = [];
  for (const facts of DOMAINS.values()) {
    const registry = registryOf(facts.domain);
    if (!registry) continue;
    simulated.push({
      id: `whois ${facts.domain}`,
      kind: 'whois',
      domain: facts.domain,
      host: registry.whois,
      text: recordText(facts, registry),
    });
    if (!registry.rdap) continue;
    const url = new URL(`${registry.rdap}domain/${facts.domain}`);
    const answer = await RDAP_HOSTS.find((h) => h.origins.includes(url.origin))?.answer({
      method: 'GET',
      url,
      headers: {},
      body: '',
      at: 0,
    });
    if (answer?.status === 200)
      simulated.push({ id: `rdap ${facts.domain}`, kind: 'rdap', domain: facts.domain, host: url.host, text: String(answer.body) });
  }
  return [...recorded, ...simulated];
}

/** A change of an answer; `anchors`: whether it touches lines or members that a reader goes by. */
export interface Mutation {
  readonly name: string;
  readonly anchors: boolean;
  /** Whether so much is lost that a line may speak of somebody else than before: then a value must only stand in the answer. */
  readonly heavy?: boolean;
  readonly apply: (text: string, pick: (n: number) => number) => string;
}

const lines = (text: string) => text.split('\n');
const PROSE = [
  '% The data in this record is provided for information purposes only.',
  '# Queries are limited; a record not found is no promise that a name is available.',
  '>>> For more information on status codes, please visit https://icann.org/epp <<<',
];
export const WHOIS_MUTATIONS: readonly Mutation[] = [
  { name: 'carriage returns', anchors: false, apply: (t) => t.replace(/\r?\n/g, '\r\n') },
  {
    name: 'trailing spaces',
    anchors: false,
    apply: (t, pick) =>
      lines(t)
        .map((l) => l + ' '.repeat(pick(3)))
        .join('\n'),
  },
  { name: 'a comment before', anchors: false, apply: (t, pick) => `${PROSE[pick(PROSE.length)]}\n\n${t}` },
  { name: 'a comment behind', anchors: false, apply: (t, pick) => `${t}\n\n${PROSE[pick(PROSE.length)]}\n` },
  { name: 'a byte order mark', anchors: false, apply: (t) => `\n${t}` },
  {
    name: 'other comments',
    anchors: false,
    apply: (t) =>
      lines(t)
        .map((l) => (/^[%#] ?[A-Za-z]{4}/.test(l) && !/english/i.test(l) ? `${l[0]} nothing to say` : l))
        .join('\n'),
  },
  { name: 'a line lost', anchors: true, apply: (t, pick) => without(lines(t), pick).join('\n') },
  {
    name: 'ten lines lost',
    anchors: true,
    heavy: true,
    apply: (t, pick) =>
      Array.from({ length: 10 })
        .reduce<string[]>((ls) => without(ls, pick), lines(t))
        .join('\n'),
  },
  { name: 'a line twice', anchors: true, apply: (t, pick) => twice(lines(t), pick).join('\n') },
  { name: 'cut after a line', anchors: true, apply: (t, pick) => cut(lines(t), pick).join('\n') },
  { name: 'a label misspelt', anchors: true, apply: (t, pick) => misspell(lines(t), pick).join('\n') },
  {
    name: 'values emptied',
    anchors: true,
    heavy: true,
    apply: (t, pick) =>
      lines(t)
        .map((l) => (pick(6) === 0 ? l.replace(/:(?:\s).*$/, ':') : l))
        .join('\n'),
  },
];
const without = (ls: readonly string[], pick: (n: number) => number): string[] => ls.toSpliced(pick(ls.length), 1);
const twice = (ls: readonly string[], pick: (n: number) => number): string[] => {
  const i = pick(ls.length);
  return ls.toSpliced(i, 0, ls[i] ?? '');
};
const cut = (ls: readonly string[], pick: (n: number) => number): string[] => ls.slice(0, 1 + pick(ls.length));
const misspell = (ls: readonly string[], pick: (n: number) => number): string[] => {
  const i = pick(ls.length);
  return ls.with(i, (ls[i] ?? '').replace(/^(\s*)(\w[\w /-]*:)/, '$1x$2'));
};

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
const JUNK: readonly Json[] = [null, 0, '', [], {}, 'x'];
/** Every place in a JSON value, as a function that replaces it. */
function change(value: Json, pick: (n: number) => number, how: (holder: Json[] | { [key: string]: Json }, key: string) => void): string {
  const copy = structuredClone(value);
  const places: [Json[] | { [key: string]: Json }, string][] = [];
  const traverse = (v: Json): void => {
    if (typeof v !== 'object' || v === null) return;
    for (const key of Object.keys(v)) {
      places.push([v, key]);
      traverse((v as { [key: string]: Json })[key] as Json);
    }
  };
  traverse(copy);
  const place = places[pick(places.length)];
  if (place) how(place[0], place[1]);
  return JSON.stringify(copy);
}
const json = (apply: (value: Json, pick: (n: number) => number) => string) => (text: string, pick: (n: number) => number) =>
  apply(JSON.parse(text) as Json, pick);
const set = (holder: Json[] | { [key: string]: Json }, key: string, value: Json): void => {
  (holder as { [key: string]: Json })[key] = value;
};
const NOT_READ = ['notices', 'rdapConformance', 'lang', 'port43'];
export const RDAP_MUTATIONS: readonly Mutation[] = [
  { name: 'other spacing', anchors: false, apply: json((v) => JSON.stringify(v, null, 3)) },
  {
    name: 'unknown members',
    anchors: false,
    apply: json((v) => JSON.stringify({ ...(v as object), x_unknown: { a: [1, 'b'] }, geofeed: 'none' })),
  },
  { name: 'other order', anchors: false, apply: json((v) => JSON.stringify(Object.fromEntries(Object.entries(v as object).reverse()))) },
  {
    name: 'unread members lost',
    anchors: false,
    apply: json((v) => JSON.stringify(Object.fromEntries(Object.entries(v as object).filter(([k]) => !NOT_READ.includes(k))))),
  },
  {
    name: 'a member lost',
    anchors: true,
    apply: json((v, pick) =>
      change(v, pick, (holder, key) => (Array.isArray(holder) ? holder.splice(Number(key), 1) : delete holder[key])),
    ),
  },
  {
    name: 'a member of another kind',
    anchors: true,
    apply: json((v, pick) => change(v, pick, (holder, key) => set(holder, key, JUNK[pick(JUNK.length)] ?? null))),
  },
  {
    name: 'a member twice deep',
    anchors: true,
    apply: json((v, pick) => change(v, pick, (holder, key) => set(holder, key, [(holder as { [key: string]: Json })[key] ?? null]))),
  },
  { name: 'cut', anchors: true, apply: (t, pick) => t.slice(0, pick(t.length)) },
];
