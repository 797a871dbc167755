import { createHash } from 'node:crypto';
import type { Input, OperationId } from '../contract/operations/index.ts';

/** Frozen inputs are reused by the gateway: their keys are remembered. */
const known = new WeakMap<object, string>();

/** Cache key of an operation with an input, independent of the order of its fields. */
export function cacheKeyOf(operation: OperationId, input: Input): string {
  const cached = Object.isFrozen(input) ? known.get(input) : undefined;
  if (cached?.startsWith(`${operation} `)) return cached;
  const fields = Object.entries(input).filter(([, value]) => value !== undefined);
  fields.sort(([a], [b]) => (a < b ? -1 : 1));
  const cacheKey = `${operation} ${JSON.stringify(fields)}`;
  if (Object.isFrozen(input)) known.set(input, cacheKey);
  return cacheKey;
}

/** Weak entity tag over the resource without the times at which it was read. */
export function etagOf(resource: object, bytes: Buffer): string {
  const timed = 'scrapedAt' in resource || 'checkedAt' in resource;
  const hashed = timed ? JSON.stringify({ ...resource, scrapedAt: undefined, checkedAt: undefined }) : bytes;
  return `W/"${createHash('sha256').update(hashed).digest('base64url').slice(0, 22)}"`;
}
