import type { Input, OperationId } from '../contract/operations/index.ts';
import type { Outcome } from '../sources/outcome.ts';

/**
 * Messages between gateways and workers. Each source has one BullMQ queue. Each gateway has one Redis stream of replies, which exists while
 * the gateway does. Each key has one hash tag, so that every command touches one slot of a cluster.
 */
export const PREFIX = 'sightline';

/** BullMQ refuses ":" in queue names. */
export const queueOf = (source: string): string => `{${source.replaceAll(':', '_')}}`;
export const repliesKey = (gatewayId: string): string => `${PREFIX}-replies:{${gatewayId}}`;

/** Version of every message that this release writes, and the only one that it reads. */
export const VERSION = 2;
/** A message of another version. It is refused and not interpreted. */
export class UnknownVersionError extends Error {
  constructor(kind: string, version: unknown) {
    super(`${kind} has version ${JSON.stringify(version) ?? 'none'}, this release reads version ${VERSION}`);
    this.name = 'UnknownVersionError';
  }
}
/** Throws an UnknownVersionError unless the message is of this release's version. */
export function checkVersion(kind: string, message: { readonly v?: unknown }): void {
  if (message.v !== VERSION) throw new UnknownVersionError(kind, message.v);
}
export function parseMessage<T extends object>(kind: string, text: string): T {
  const message = JSON.parse(text) as T & { v?: unknown };
  checkVersion(kind, message);
  return message;
}
export const messageText = (body: object): string => JSON.stringify({ v: VERSION, ...body });

/** Where the reply to an attempt goes. These fields are the same in every version, so that a refusal reaches its gateway. */
export interface ReplyAddress {
  readonly gatewayId: string;
  /** Number of the attempt at that gateway. */
  readonly attempt: number;
}
/** Data of a job: one attempt at one source for one gateway. */
export interface JobData extends ReplyAddress {
  readonly v: typeof VERSION;
  readonly operation: OperationId;
  readonly input: Input;
  /** Deadline, epoch ms by Redis' clock. */
  readonly untilMs: number;
  /** The account of the request, for fair queueing. */
  readonly account?: string;
  /** The request that caused the attempt. */
  readonly requestId?: string;
}

/** Result of an attempt. `refused`: the worker could not read the job. */
export type Reply = { readonly outcome: Outcome } | { readonly defect: string } | { readonly refused: string };
export const replyText = (attempt: number, reply: Reply): string => messageText({ attempt, reply });
/** `refused` for a reply of another version: its attempt fails at once. */
export function replyOf(text: string): { readonly attempt: number; readonly reply: Reply } {
  const message = JSON.parse(text) as { v?: unknown; attempt: number; reply: Reply };
  if (message.v === VERSION) return message;
  return { attempt: message.attempt, reply: { refused: new UnknownVersionError('a reply', message.v).message } };
}
