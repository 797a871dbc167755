import { isIP } from 'node:net';
import { OPERATIONS, type OperationId, operationOf } from './contract/operations.ts';
import type { Prices } from './contract/prices.ts';
import type { Kind } from './settings.ts';

const ok = <T>(value: T) => ({ ok: true as const, value });
const no = (why: string) => ({ ok: false as const, why });
const entries = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);
const quoted = (text: string): string => JSON.stringify(text.slice(0, 80));

/** A list of which every entry must be good. */
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
      return wrong; // the reason names the form that is wanted
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
      if (!Number.isSafeInteger(credits) || credits < 1 || credits > MAX_PRICE) return wrong;
      read[operation.id] = credits;
    }
    return { ok: true, value: read };
  },
};
