import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Redis } from 'ioredis';

/** `text`: text or bytes. A number that is not finite is sent as the largest that Lua counts exactly. */
type ArgumentKind = 'number' | 'text';
interface Declaration {
  readonly keys: readonly string[];
  readonly args: Readonly<Record<string, ArgumentKind>>;
  /** What there are many of: a list of tables, `rows`, with these members. */
  readonly rows?: Readonly<Record<string, ArgumentKind | 'key'>>;
}

const LEAD = { token: 'text', leadMs: 'number' } as const;
const LEAD_END = { token: 'text', channel: 'text', message: 'text', endedMs: 'number' } as const;
const KNOWN_COUNT = { knownDay: 'number', knownTurn: 'number', knownRequests: 'number', knownNano: 'number' } as const;

/** The scripts of `lua/`: each finds its keys and arguments as local variables of these names, numbers as numbers. */
export const SCRIPTS = {
  'cache-claim': {
    keys: ['entry', 'lead'],
    args: { ...LEAD, readSince: 'number', freshMs: 'number', staleMs: 'number', skewMs: 'number' },
  },
  'cache-delete': { keys: ['order', 'sizes', 'prefix'], args: { member: 'text' } },
  'cache-purge': { keys: ['order', 'sizes', 'prefix'], args: { membersOf: 'text' } },
  'cache-put': {
    keys: ['order', 'sizes', 'prefix', 'lead'],
    args: { member: 'text', encoded: 'text', keepMs: 'number', budget: 'number', ...LEAD_END },
  },
  'lead-claim': { keys: ['lead'], args: LEAD },
  'lead-end': { keys: ['lead'], args: LEAD_END },
  'lead-renew': { keys: ['lead'], args: LEAD },
  'lease-claim': { keys: ['queue', 'seen'], args: { claimant: 'text', silentMs: 'number' } },
  'lease-release': { keys: ['queue', 'seen'], args: { claimant: 'text' } },
  'membership-heartbeat': { keys: ['members'], args: { entry: 'text', removedMs: 'number', previous: 'text' } },
  'pace-leave': { keys: ['lane', 'queue', 'calls', 'tags'], args: { ticket: 'text' } },
  'pace-rest': { keys: ['lane'], args: { restMs: 'number' } },
  'pace-resting': { keys: ['lane'], args: {} },
  'pace-take': {
    keys: ['lane', 'queue', 'calls', 'tags'],
    args: {
      everyMs: 'number',
      burst: 'number',
      patienceMs: 'number',
      joinedMs: 'number',
      ticket: 'text',
      account: 'text',
      lateMs: 'number',
      silentMs: 'number',
    },
  },
  'purge-merge': { keys: ['epochs'], args: {}, rows: { operation: 'text', epoch: 'number' } },
  'purge-publish': { keys: ['epochs'], args: { operation: 'text', channel: 'text', version: 'number', cacheKey: 'text' } },
  'rate-limit-take': {
    keys: [],
    args: {},
    rows: { key: 'key', rate: 'number', burst: 'number', overrun: 'number', read: 'number' },
  },
  'spending-correct': {
    keys: ['count'],
    args: { ...KNOWN_COUNT, onDay: 'number', moreRequests: 'number', moreNano: 'number', statedNano: 'number' },
  },
  'spending-take': {
    keys: ['count'],
    args: { ...KNOWN_COUNT, maxRequests: 'number', maxNano: 'number', cost: 'number', owedNano: 'number', reserveParts: 'number' },
  },
} as const satisfies Readonly<Record<string, Declaration>>;
export type ScriptName = keyof typeof SCRIPTS;

type Value<K> = K extends 'number' ? number : K extends 'key' ? string : string | Buffer;
type ArgumentValues<D> = { readonly [N in keyof D]: Value<D[N]> };
type Keys<N extends ScriptName> = Readonly<Record<(typeof SCRIPTS)[N]['keys'][number], string>>;
type Args<N extends ScriptName> = ArgumentValues<(typeof SCRIPTS)[N]['args']>;
type Rows<N extends ScriptName> = (typeof SCRIPTS)[N] extends { readonly rows: infer R }
  ? readonly [rows: readonly ArgumentValues<R>[]]
  : readonly [];

const LUA_FOLDER = new URL('./lua/', import.meta.url);
const fileOf = (path: string): string => readFileSync(new URL(`${path}.lua`, LUA_FOLDER), 'utf8');
const withIncludes = (text: string): string =>
  text.replace(/^-- @include (\S+)$/gm, (_, included) => withIncludes(fileOf(`include/${included}`)));

/** The local variables of the names that are declared. */
function preludeOf({ keys, args, rows }: Declaration): string {
  const read = (kind: ArgumentKind, index: string): string => (kind === 'number' ? `tonumber(ARGV[${index}])` : `ARGV[${index}]`);
  const names = Object.entries(args);
  const lines = [
    ...keys.map((name, i) => `local ${name} = KEYS[${i + 1}]`),
    ...names.map(([name, kind], i) => `local ${name} = ${read(kind, String(i + 1))}`),
  ];
  if (!rows) return lines.join('\n');
  const [own, shared] = [Object.entries(rows).filter(([, kind]) => kind !== 'key'), Object.keys(rows).length];
  const members = own.map(([name, kind], i) => `${name} = ${read(kind as ArgumentKind, `at + ${i + 1}`)}`);
  const key = own.length < shared ? [`key = KEYS[${keys.length} + #rows + 1]`] : [];
  lines.push(
    'local rows = {}',
    `for at = ${names.length}, #ARGV - 1, ${own.length} do rows[#rows + 1] = {${[...key, ...members].join(', ')}} end`,
  );
  return lines.join('\n');
}

/** The text of a script as Redis runs it. */
export const luaOf = (name: ScriptName): string => `${preludeOf(SCRIPTS[name])}\n${withIncludes(fileOf(name))}`;

const sent = (value: string | number | Buffer | undefined): string | number | Buffer =>
  typeof value === 'number' ? Math.max(-Number.MAX_SAFE_INTEGER, Math.min(value, Number.MAX_SAFE_INTEGER)) : (value ?? '');

/** A script, called with its keys and arguments by name. Sent as text only to a server that does not have it (EVALSHA). */
export function script<N extends ScriptName>(name: N, result: 'strings' | 'buffers' = 'strings') {
  const lua = luaOf(name);
  const sha = createHash('sha1').update(lua).digest('hex');
  const call = result === 'buffers' ? 'callBuffer' : 'call';
  const { keys, args, rows = {} }: Declaration = SCRIPTS[name];
  const argNames = Object.keys(args);
  const rowNames = Object.keys(rows).filter((member) => rows[member] !== 'key');
  const isKeyed = rowNames.length < Object.keys(rows).length;
  return async (redis: Redis, byKey: Keys<N>, byArg: Args<N>, ...[list = []]: Rows<N>): Promise<unknown> => {
    const all = list as readonly Readonly<Record<string, string | number | Buffer>>[];
    const [named, given] = [byKey as Readonly<Record<string, string>>, byArg as Readonly<Record<string, string | number | Buffer>>];
    const places = [...keys.map((key) => named[key] ?? ''), ...(isKeyed ? all.map(({ key = '' }) => key) : [])];
    const values = [...argNames.map((arg) => sent(given[arg])), ...all.flatMap((row) => rowNames.map((member) => sent(row[member])))];
    const rest = [places.length, ...places, ...values];
    try {
      return await redis[call]('evalsha', sha, ...rest);
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
      return redis[call]('eval', lua, ...rest);
    }
  };
}
