import { hash } from 'node:crypto';

/** Number of shards of the cache. Each has an equal share of the budget, and its keys are in one slot of a cluster. */
export const PARTS = 16;
export const partKeys = (part: number): readonly [order: string, sizes: string, prefix: string] => {
  const tag = `sightline:cache:{${part}}`;
  return [`${tag}:order`, `${tag}:sizes`, `${tag}:`];
};

/** Where a cached answer and the leadership of its lookup are in Redis: in one slot, so that one command may use both. */
export interface Place {
  readonly keys: ReturnType<typeof partKeys>;
  readonly member: string;
  /** Key of the leadership, and channel of its result. */
  readonly lead: string;
}
export function placeOf(cacheKey: string): Place {
  const digest = hash('sha256', cacheKey, 'buffer');
  const part = (digest[0] ?? 0) % PARTS;
  const name = digest.toString('base64url');
  return {
    keys: partKeys(part),
    member: `${cacheKey.slice(0, cacheKey.indexOf(' '))} ${name}`,
    lead: `sightline:lead:{${part}}:${name}`,
  };
}
