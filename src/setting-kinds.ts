import { isIP } from 'node:net';
import { OPERATIONS, type OperationId, operationOf } from './contract/operations/index.ts';
import type { Prices } from './contract/prices.ts';

const ok = <T>(value: T) => ({ ok: true as const, value });
const no = (why: string) => ({ ok: false as const, why });
/** The parser of a setting. */
export interface Kind<T> {
  readonly words: string;
  /** The value, or the reason why the text is invalid. */
  readonly read: (text: string) => { ok: true; value: T } | { ok: false; why: string };
}

export const string: Kind<string> = { words: 'text', read: (t) => ok(t) };
export const integer = (min: number, max: number): Kind<number> => ({
  words: `whole number, ${min} to ${max}`,
  read: (t) =>
    /^\d{1,15}$/.test(t) && Number(t) >= min && Number(t) <= max ? ok(Number(t)) : no(`must be a whole number from ${min} to ${max}`),
});
export const number = (min: number, max: number): Kind<number> => ({
  words: `number, ${min} to ${max}`,
  read: (t) =>
    /^\d{1,12}(\.\d{1,6})?$/.test(t) && Number(t) >= min && Number(t) <= max ? ok(Number(t)) : no(`must be a number from ${min} to ${max}`),
});
export const onOff: Kind<boolean> = {
  words: '1 or 0',
  read: (t) => (/^(1|true|on|yes)$/i.test(t) ? ok(true) : /^(0|false|off|no)$/i.test(t) ? ok(false) : no('must be 1 or 0')),
};
export const url: Kind<string> = {
  words: 'http(s) URL',
  read: (t) => (URL.canParse(t) && /^https?:$/.test(new URL(t).protocol) ? ok(t.replace(/\/$/, '')) : no('must be an http(s) URL')),
};
export const list: Kind<readonly string[]> = { words: 'list, separated by commas', read: (t) => ok(t.split(/[\s,]+/).filter(Boolean)) };
export const oneOf = <const V extends readonly string[]>(...values: V): Kind<V[number]> => ({
  words: values.join(', '),
  read: (t) => ((values as readonly string[]).includes(t) ? ok(t as V[number]) : no(`must be one of ${values.join(', ')}`)),
});
const entries = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);
const quoted = (text: string): string => JSON.stringify(text.slice(0, 80));

/** A list in which every entry must be valid. */
const listOf = (words: string, isGood: (entry: string) => boolean, must: string): Kind<readonly string[]> => ({
  words,
  read(text) {
    const all = entries(text);
    const wrong = all.find((entry) => !isGood(entry));
    return wrong === undefined ? ok(all) : no(`has ${quoted(wrong)}: ${must}`);
  },
});

function isCidr(entry: string): boolean {
  const [address = '', bits, ...rest] = entry.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32));
}
export const cidrs = listOf(
  'list of IP addresses and CIDRs, separated by commas',
  isCidr,
  'each entry must be an IP address or a CIDR, such as 10.0.0.0/8',
);

const isOrigin = (entry: string): boolean =>
  entry === '*' || (URL.canParse(entry) && /^https?:$/.test(new URL(entry).protocol) && new URL(entry).origin === entry);
export const origins = listOf(
  'list of origins, separated by commas',
  isOrigin,
  'each entry must be an origin as browsers send it (scheme, host in lower case, port where it is not the usual one, no path), such as https://app.example.com, or *',
);

export const namesOf = (...names: readonly string[]): Kind<readonly string[]> =>
  listOf(`list of ${names.join(', ')}`, (entry) => names.includes(entry), `choose from ${names.join(', ')}`);

const schemed = (words: string, schemes: readonly string[], example: string): Kind<string> => ({
  words,
  read: (text) =>
    URL.canParse(text) && schemes.includes(new URL(text).protocol)
      ? ok(text)
      : no(`must be a URL that begins with ${schemes.map((s) => `${s}//`).join(' or ')}, such as ${example}`),
});
export const postgresUrl = schemed('PostgreSQL URL', ['postgresql:', 'postgres:'], 'postgresql://user:password@host:5432/database');
export const redisUrl = schemed('Redis URL', ['redis:', 'rediss:'], 'redis://:password@host:6379/0');

const MAX_PRICE = 1_000_000;
export const prices: Kind<Prices> = {
  words: 'JSON object of operation ids and credits',
  read(text) {
    const wrong = {
      ok: false as const,
      why: `must be a JSON object such as {"serp": 2, "traffic": 5}: operation ids and whole numbers from 1 to ${MAX_PRICE}`,
    };
    let given: unknown;
    try {
      given = JSON.parse(text);
    } catch {
      return wrong; // the message states the expected form
    }
    if (typeof given !== 'object' || given === null || Array.isArray(given)) return wrong;
    const read: Partial<Record<OperationId, number>> = {};
    for (const [name, credits] of Object.entries(given)) {
      const operation = operationOf(name);
      if (!operation)
        return {
          ok: false,
          why: `names ${JSON.stringify(name.slice(0, 60))}, which is no operation: ${Object.keys(OPERATIONS).join(', ')}`,
        };
      if (read[operation.id] !== undefined) return no(`names ${operation.id} twice, in both forms of its id: name it once`);
      if (!Number.isSafeInteger(credits) || credits < 1 || credits > MAX_PRICE) return wrong;
      read[operation.id] = credits;
    }
    return { ok: true, value: read };
  },
};
