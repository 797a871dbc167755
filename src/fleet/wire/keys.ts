import { hash } from 'node:crypto';
import type { Limit } from '../../gateway/admission/rate-limits.ts';

/** Every name in Redis. Names of BullMQ begin with `PREFIX` and ":", which it refuses within a name. */
export const PREFIX = 'sightline';

/** Members of the fleet: entry by the time of its last heartbeat (sorted set). */
export const MEMBERS_KEY = 'sightline:fleet';
/** Epoch of each operation: the time of its last purge (hash). A gateway drops its local answers of an older epoch. */
export const EPOCHS_KEY = 'sightline:epochs';
export const PURGES_CHANNEL = 'sightline:purges';

/** The shared cache: member by expiry (sorted set), bytes of each member and in all (hash), and the prefix of the entries themselves. */
export const CACHE_KEYS = { order: 'sightline:cache:order', sizes: 'sightline:cache:sizes', prefix: 'sightline:cache:entry:' } as const;

/** Where a cached answer and the leadership of its lookup are. */
export interface Place {
  readonly member: string;
  readonly entry: string;
  /** Token of the leader, or `ended` for a while; also the name of the channel of the result. */
  readonly lead: string;
}
export function placeOf(cacheKey: string): Place {
  const name = hash('sha256', cacheKey, 'base64url');
  const member = `${memberPrefixOf(cacheKey.slice(0, cacheKey.indexOf(' ')))}${name}`;
  return { member, entry: `${CACHE_KEYS.prefix}${member}`, lead: `sightline:lead:${name}` };
}
/** What the members of an operation begin with. */
export const memberPrefixOf = (operation: string): string => `${operation} `;

/** The queue of the workers that serve exactly these sources. BullMQ refuses ":" in names. */
export const queueOf = (sources: readonly string[]): string => `attempts-${hash('sha256', sources.toSorted().join(), 'hex').slice(0, 16)}`;
/** The stream of replies to a gateway. */
export const repliesKey = (gatewayId: string): string => `${PREFIX}-replies:${gatewayId}`;

export const limitKey = ({ limiter, key }: Pick<Limit, 'limiter' | 'key'>): string => `sightline:limits:${limiter}:${key}`;
/** Count of the day of a paid source (hash). */
export const spendingKey = (key: string): string => `sightline:paid:${key}`;
/** Claimants of a lease by arrival, and by their last call (sorted sets). */
export const leaseKeys = (key: string) => ({ queue: `sightline:lease:${key}:queue`, seen: `sightline:lease:${key}:seen` });
/** The lane of a pace, and the tickets that wait for it; what each holds says pace-take.lua. */
export const laneKey = (key: string): string => `sightline:pace:${key}`;
export const paceKeys = (key: string) => ({
  lane: laneKey(key),
  queue: `${laneKey(key)}:queue`,
  calls: `${laneKey(key)}:calls`,
  tags: `${laneKey(key)}:tags`,
});
