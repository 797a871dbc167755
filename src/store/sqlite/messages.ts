import type { Op } from '../batch.ts';
import type { Statement } from '../store.ts';

export interface WorkerStart {
  readonly folder: string;
  /** How long to wait for another process to release the lock of the folder. */
  readonly lockWaitMs: number;
  /** Delays every commit: a slow disk. */
  readonly commitDelayMs: number;
}
export type Started = { start: true } | { start: false; held: string | null; message: string };

export type StoreRequest =
  /** `within`: in the open transaction. */
  | { kind: 'settle'; ops: readonly Op[]; now: number; within: boolean }
  | { kind: 'expire'; now: number; limit: number }
  | { kind: 'query'; sql: string; parameters: readonly unknown[] }
  | { kind: 'atomically'; statements: readonly Statement[]; lax: boolean }
  | { kind: 'close' };
export type Ask = StoreRequest & { id: number };

/** `errcode`: SQLite's extended result code. */
export type Answer =
  | { id: number; ok: true; result: unknown }
  | { id: number; ok: false; message: string; code: string | null; errcode: number | null };
