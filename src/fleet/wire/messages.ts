import { hash } from 'node:crypto';
import type { AttemptOutcome, SerialisedResource, Work } from '../orchestrator/engine.ts';
import type { Found, NotFound } from '../sources/outcome.ts';

/** Workers that serve the same sources share one BullMQ queue, whose jobs are named by source. Each gateway has one Redis stream of replies. */
export const PREFIX = 'sightline';

/** The queue of the workers that serve exactly these sources. BullMQ refuses ":" in names. */
export const queueOf = (sources: readonly string[]): string => `attempts-${hash('sha256', sources.toSorted().join(), 'hex').slice(0, 16)}`;
export const repliesKey = (gatewayId: string): string => `${PREFIX}-replies:${gatewayId}`;

/** Version of every message that this release writes, and the only one that it reads. */
export const VERSION = 5;
/** Why a message is refused: its format has another version than that of this release. Null: the same. */
export const versionFault = (kind: string, { v }: { readonly v?: unknown }): string | null =>
  v === VERSION ? null : `${kind} has version ${JSON.stringify(v) ?? 'none'}, this release reads version ${VERSION}`;

/** Data of a job: one attempt at one source for one gateway. */
export interface JobData extends Pick<Work, 'operation' | 'input' | 'account' | 'requestId'> {
  readonly v: typeof VERSION;
  /** Where the reply goes. These two fields are the same in every version, so that a refusal reaches its gateway. */
  readonly gatewayId: string;
  readonly attempt: number;
  /** Deadline, epoch ms by Redis' clock. */
  readonly untilMs: number;
  /** The leadership of the lookup, which the worker renews, so that no other gateway asks the same question meanwhile. Null: not shared. */
  readonly lead: readonly [key: string, token: string] | null;
}

/** A message with a body: a line of JSON, then the bytes of the body. */
export const encodeMessage = (head: object, body: Buffer = NO_BYTES): Buffer =>
  Buffer.concat([Buffer.from(`${JSON.stringify({ v: VERSION, ...head })}\n`), body]);
/** The line of JSON, why it is refused, and the body: a copy, so that a cached one does not keep the whole packet in memory. */
function readMessage<T extends object>(kind: string, encoded: Buffer) {
  const end = encoded.indexOf(NEWLINE);
  const head = JSON.parse(encoded.toString('utf8', 0, end < 0 ? encoded.length : end)) as T;
  return { head, fault: versionFault(kind, head), body: end < 0 ? NO_BYTES : Buffer.from(encoded.subarray(end + 1)) };
}
/** Throws for an unreadable message and for one of another version. */
export function decodeMessage<T extends object>(kind: string, encoded: Buffer): { readonly head: T; readonly body: Buffer } {
  const { head, fault, body } = readMessage<T>(kind, encoded);
  if (fault !== null) throw new Error(fault);
  return { head, body };
}
const NEWLINE = 10;
const NO_BYTES = Buffer.alloc(0);

/** Result of an attempt. `refused`: the worker could not read the job. */
export type Reply = { readonly outcome: AttemptOutcome } | { readonly defect: string } | { readonly refused: string };
type SentOutcome = NotFound | (Omit<Found, 'resource'> & { readonly resource: Omit<SerialisedResource, 'bytes'> });
type SentReply = Exclude<Reply, { outcome: AttemptOutcome }> | { readonly outcome: SentOutcome };

/** A reply to an attempt. The body is the resource, as it is cached and sent. */
export function encodeReply(attempt: number, reply: Reply): Buffer {
  if (!('outcome' in reply) || reply.outcome.tag !== 'found') return encodeMessage({ attempt, reply });
  const { bytes, ...resource } = reply.outcome.resource;
  return encodeMessage({ attempt, reply: { outcome: { ...reply.outcome, resource } } }, bytes);
}
export function decodeReply(encoded: Buffer): { readonly attempt: number; readonly reply: Reply } {
  const { head, fault, body } = readMessage<{ attempt: number; reply: SentReply }>('a reply', encoded);
  const { attempt, reply } = head;
  if (fault !== null) return { attempt, reply: { refused: fault } };
  if (!('outcome' in reply)) return { attempt, reply };
  const { outcome } = reply;
  if (outcome.tag !== 'found') return { attempt, reply: { outcome } };
  return { attempt, reply: { outcome: { ...outcome, resource: { ...outcome.resource, bytes: body } } } };
}
