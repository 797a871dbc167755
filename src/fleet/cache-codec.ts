import { type ErrorName, ServiceError } from '../contract/errors.ts';
import type { Run } from '../orchestrator/coalescing.ts';
import type { CachedAnswer } from '../orchestrator/types.ts';

/** A kept answer as bytes: a line of JSON, then the body as it is served. Times go by the clock that all share: `aheadMs` before ours. */
export function packCached(cached: CachedAnswer, aheadMs: number): Buffer {
  const { bytes, at, freshUntil, keepUntil, ...rest } = cached;
  const head = JSON.stringify({ ...rest, at: at + aheadMs, freshUntil: freshUntil + aheadMs, keepUntil: keepUntil + aheadMs });
  return Buffer.concat([Buffer.from(`${head}\n`), bytes]);
}
export function unpackCached(packed: Buffer, aheadMs: number): CachedAnswer {
  const end = packed.indexOf(10);
  const head = JSON.parse(packed.toString('utf8', 0, end)) as Omit<CachedAnswer, 'bytes'>;
  const [at, freshUntil, keepUntil] = [head.at - aheadMs, head.freshUntil - aheadMs, head.keepUntil - aheadMs];
  return { ...head, at, freshUntil, keepUntil, bytes: packed.subarray(end + 1) };
}

/** How a lookup came out, for those who wait for it elsewhere: `+` and what was found, `-` and the error. Attempts stay with who made them. */
export function packRun(run: Run, aheadMs: number): Buffer {
  if (run.cached) return Buffer.concat([Buffer.from('+'), packCached(run.cached, aheadMs)]);
  const { failure, message, headers } = run.error;
  return Buffer.from(`-${JSON.stringify({ failure, message, headers })}`);
}
export function unpackRun(packed: Buffer, aheadMs: number): Run {
  const rest = packed.subarray(1);
  const nothing = { attempts: [], upstreamMs: 0 };
  if (packed[0] === 43) return { ...nothing, stored: true, cached: unpackCached(rest, aheadMs), error: null };
  const { failure, message, headers } = JSON.parse(rest.toString()) as {
    failure: ErrorName;
    message: string;
    headers: Record<string, string>;
  };
  return { ...nothing, stored: false, cached: null, error: new ServiceError(failure, message, headers) };
}
