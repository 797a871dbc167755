import { createHash } from 'node:crypto';
import type { Inputs, OperationId } from '../contract/operations/index.ts';
import type { Outcome } from '../sources/outcome.ts';
import { script } from './redis.ts';

/**
 * How gateways and workers of a fleet speak through Redis. Per source a queue of jobs; beside each job the set of its callers, who are gone
 * once they are not in it; per gateway a stream of replies, which is there for as long as the gateway is. Each key has one hash tag, so that
 * every command touches one slot of a cluster.
 */
export const PREFIX = 'sightline';

/** BullMQ refuses ":" in names and ids. */
export const queueOf = (source: string): string => `{${source.replaceAll(':', '_')}}`;
export const callersKey = (source: string, jobId: string): string => `${PREFIX}-callers:{${source}}:${jobId}`;
export const repliesKey = (gatewayId: string): string => `${PREFIX}-replies:{${gatewayId}}`;

export interface JobData {
  readonly operation: OperationId;
  readonly input: Inputs[OperationId];
  /** Who asked first, for fair turns. */
  readonly account?: string;
}

/** The id of the question at a source: whoever asks the same while it runs joins that attempt. */
export const jobIdOf = (operation: OperationId, input: Inputs[OperationId]): string => {
  const fields = Object.entries(input).filter(([, value]) => value !== undefined);
  fields.sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([operation, fields]))
    .digest('base64url');
};

/** One who waits for a job: gateway, number of its attempt, and until when, by Redis' clock. */
export interface CallerOf {
  readonly gatewayId: string;
  readonly attempt: number;
  readonly untilMs: number;
}
export const callerText = ({ gatewayId, attempt, untilMs }: CallerOf): string => `${gatewayId} ${attempt} ${Math.ceil(untilMs)}`;
export function callerOf(text: string): CallerOf {
  const [gatewayId = '', attempt, untilMs] = text.split(' ');
  return { gatewayId, attempt: Number(attempt), untilMs: Number(untilMs) };
}

/** What came of an attempt. */
export type Reply = { readonly outcome: Outcome } | { readonly defect: string };

/** Takes the callers of a job, all at once: each is answered by one alone. */
export const takeCallers = script(`local all = redis.call('SMEMBERS', KEYS[1]) redis.call('DEL', KEYS[1]) return all`);
