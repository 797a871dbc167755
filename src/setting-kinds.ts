import { isIP } from 'node:net';
import { isObject } from './contract/json-object.ts';
import { OPERATIONS, type OperationId, operationOf, type Prices } from './contract/operations/index.ts';
import { didYouMean, mustBeOneOf } from './contract/parameters/misspelt.ts';
import { bad, good, type Reader } from './contract/parameters/parameter.ts';

export interface Kind<T> {
  readonly words: string;
  /** The value, or the reason why the text is invalid. */
  readonly read: Reader<T>;
}

export const string: Kind<string> = { words: 'text', read: (t) => good(t) };
/** A key or password of a provider: what a copy or a file puts around it is left out. */
export const credential: Kind<string> = {
  words: 'text',
  read: (t) => (/\p{Cc}/u.test(t.trim()) ? bad('must be one line: it has a line break or a control character inside') : good(t.trim())),
};
export const atLeast = (characters: number): Kind<string> => ({
  words: `text of ${characters} characters or more`,
  read: (t) =>
    t.trim().length >= characters ? good(t.trim()) : bad(`must have ${characters} characters or more: make one with openssl rand -hex 16`),
});
const numeric =
  (what: string, form: RegExp) =>
  (min: number, max: number): Kind<number> => ({
    words: `${what}, ${min} to ${max}`,
    read: (t) => (form.test(t) && Number(t) >= min && Number(t) <= max ? good(Number(t)) : bad(`must be a ${what} from ${min} to ${max}`)),
  });
export const integer = numeric('whole number', /^\d{1,15}$/);
export const number = numeric('number', /^\d{1,12}(\.\d{1,6})?$/);
export const onOff: Kind<boolean> = {
  words: '1 or 0',
  read: (t) => (/^(1|true|on|yes)$/i.test(t) ? good(true) : /^(0|false|off|no)$/i.test(t) ? good(false) : bad('must be 1 or 0')),
};
export const url: Kind<string> = {
  words: 'http(s) URL',
  read: (t) => (URL.canParse(t) && /^https?:$/.test(new URL(t).protocol) ? good(t.replace(/\/$/, '')) : bad('must be an http(s) URL')),
};
const entries = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);
export const list: Kind<readonly string[]> = { words: 'list, separated by commas', read: (t) => good(entries(t)) };
export const oneOf = <const V extends readonly string[]>(...values: V): Kind<V[number]> => ({
  words: values.join(', '),
  read: (t) => ((values as readonly string[]).includes(t) ? good(t as V[number]) : bad(mustBeOneOf(values, t))),
});
const quoted = (text: string): string => JSON.stringify(text.slice(0, 80));
const chosen = (shown: string, name: string, names: readonly string[]): string =>
  `${quoted(shown)}${didYouMean(name, names)}: choose from ${names.join(', ')}`;

const listKind = (
  words: string,
  isGood: (entry: string) => boolean,
  must: string,
  names: readonly string[] = [],
): Kind<readonly string[]> => ({
  words,
  read(text) {
    const all = entries(text);
    const wrong = all.find((entry) => !isGood(entry));
    return wrong === undefined ? good(all) : bad(`has ${quoted(wrong)}${didYouMean(wrong, names)}: ${must}`);
  },
});

export function isCidr(entry: string): boolean {
  const [address = '', bits, ...rest] = entry.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32));
}
export const cidrs = listKind(
  'list of IP addresses and CIDRs, separated by commas',
  isCidr,
  'each entry must be an IP address or a CIDR, such as 10.0.0.0/8',
);

const isHostWithPort = (entry: string): boolean => {
  const [, host = '', port = '1'] = /^([a-z0-9._-]{1,253}|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/i.exec(entry) ?? [];
  return host !== '' && Number(port) >= 1 && Number(port) <= 65_535;
};
export const privateTargets = listKind(
  'list of hosts, host:port, and CIDRs, separated by commas',
  (entry) => isCidr(entry) || isHostWithPort(entry),
  'each entry must be a host, host:port, an IP address or a CIDR, such as n8n.lan:5678 or 192.168.1.0/24',
);

const isOrigin = (entry: string): boolean =>
  entry === '*' || (URL.canParse(entry) && /^https?:$/.test(new URL(entry).protocol) && new URL(entry).origin === entry);
export const origins = listKind(
  'list of origins, separated by commas',
  isOrigin,
  'each entry must be an origin as browsers send it (scheme, host in lower case, port where it is not the usual one, no path), such as https://app.example.com, or *',
);

export const namesOf = (...names: readonly string[]): Kind<readonly string[]> =>
  listKind(`list of ${names.join(', ')}`, (entry) => names.includes(entry), `choose from ${names.join(', ')}`, names);

const schemed = (words: string, schemes: readonly string[], example: string): Kind<string> => ({
  words,
  read: (text) =>
    URL.canParse(text) && schemes.includes(new URL(text).protocol)
      ? good(text)
      : bad(`must be a URL that begins with ${schemes.map((s) => `${s}//`).join(' or ')}, such as ${example}`),
});
export const postgresUrl = schemed('PostgreSQL URL', ['postgresql:', 'postgres:'], 'postgresql://user:password@host:5432/database');
export const smtpUrl = schemed('SMTP URL', ['smtp:', 'smtps:'], 'smtps://user:password@mail.example.com');
export const redisUrl = schemed('Redis URL', ['redis:', 'rediss:'], 'redis://:password@host:6379/0');

/** The JSON object of a text; null: it is none. */
function objectIn(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const given: unknown = JSON.parse(text);
    return isObject(given) ? given : null;
  } catch {
    return null; // the caller refuses it with an example
  }
}

const MAX_PRICE = 1_000_000;
export const prices: Kind<Prices> = {
  words: 'JSON object of operation ids and credits',
  read(text) {
    const wrong = bad(`must be a JSON object such as {"serp": 2, "traffic": 5}: operation ids and whole numbers from 1 to ${MAX_PRICE}`);
    const given = objectIn(text);
    if (!given) return wrong;
    const ids = Object.keys(OPERATIONS);
    const read: Partial<Record<OperationId, number>> = {};
    for (const [name, credits] of Object.entries(given)) {
      const operation = operationOf(name);
      if (!operation) return bad(`names ${quoted(name)}, which is no operation${didYouMean(name, ids)}: ${ids.join(', ')}`);
      if (read[operation.id] !== undefined) return bad(`names ${operation.id} twice, in both forms of its id: name it once`);
      if (typeof credits !== 'number' || !Number.isSafeInteger(credits) || credits < 1 || credits > MAX_PRICE) return wrong;
      read[operation.id] = credits;
    }
    return good(read);
  },
};

/** Smallest and largest value of a number in a JSON setting, and its default. */
type NumberRule = readonly [min: number, max: number, value: number];
type NumberGroups = Readonly<Record<string, Readonly<Record<string, NumberRule>>>>;
type NumbersOf<G extends NumberGroups> = { readonly [K in keyof G]: { readonly [F in keyof G[K]]: number } };

export const defaultsOf = <const G extends NumberGroups>(groups: G): NumbersOf<G> =>
  Object.fromEntries(
    Object.entries(groups).map(([name, rules]) => [
      name,
      Object.fromEntries(Object.entries(rules).map(([field, [, , value]]) => [field, value])),
    ]),
  ) as NumbersOf<G>;

/** A JSON object of named groups of numbers. A group or number that is not given keeps its default. */
export function numbersIn<const G extends NumberGroups>(groups: G): Kind<NumbersOf<G>> {
  const example = JSON.stringify(Object.fromEntries(Object.entries(defaultsOf(groups)).slice(0, 1)));
  return {
    words: `JSON object of ${Object.keys(groups).join(', ')}`,
    read(text) {
      const given = objectIn(text);
      if (!given) return bad(`must be a JSON object such as ${example}`);
      const read: Record<string, Record<string, number>> = structuredClone(defaultsOf(groups));
      for (const [name, fields] of Object.entries(given)) {
        const rules = Object.hasOwn(groups, name) ? groups[name] : undefined;
        if (!rules) return bad(`names ${chosen(name, name, Object.keys(groups))}`);
        if (!isObject(fields)) return bad(`needs an object for ${name}, such as ${example}`);
        for (const [field, value] of Object.entries(fields)) {
          const rule = Object.hasOwn(rules, field) ? rules[field] : undefined;
          if (!rule) return bad(`names ${chosen(`${name}.${field}`, field, Object.keys(rules))}`);
          const isWhole = rule[0] >= 1;
          if (typeof value !== 'number' || !(value >= rule[0] && value <= rule[1]) || (isWhole && !Number.isInteger(value)))
            return bad(`needs a ${isWhole ? 'whole ' : ''}number from ${rule[0]} to ${rule[1]} for ${name}.${field}`);
          read[name] = { ...read[name], [field]: value };
        }
      }
      return good(read as NumbersOf<G>);
    },
  };
}
