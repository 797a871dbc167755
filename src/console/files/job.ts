import type { Encoding } from '../../bulk/encoding.ts';
import type { Run } from '../../bulk/service.ts';
import type { Separator } from '../../contract/csv-records.ts';
import type { OperationId } from '../../contract/operations/index.ts';

/** Why a run is paused beside a wish: what would be needed to go on. */
export interface Obstacle {
  readonly kind: 'credits' | 'limit' | 'refused' | 'unanswered';
  readonly words: string;
}

/** A file that somebody gave, and what became of it. Stored by the browser. */
export interface Job {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly bytes: number;
  readonly addedAt: string;
  readonly operation: OperationId;
  /** What was chosen in place of what was guessed. */
  readonly chosen: Chosen;
  /** Lines as they are read in place of what the file has. */
  readonly repairs: readonly (readonly [line: number, text: string])[];
  readonly languageOfCountry: boolean;
  /** Columns that are no parameters stay in the result. */
  readonly keepsColumns: boolean;
  /** Credits that the whole file may cost; null: its price. */
  readonly limit: number | null;
  readonly state: 'draft' | 'running' | 'paused' | 'stopped' | 'done';
  readonly obstacle: Obstacle | null;
  /** Of a file that was begun. */
  readonly begun: Begun | null;
}
export interface Chosen {
  readonly encoding?: Encoding;
  readonly separator?: Separator;
  readonly hasHeader?: boolean;
  readonly decimal?: '.' | ',';
  readonly holds?: readonly (string | null)[];
}
export interface Begun {
  readonly run: Run;
  readonly at: string;
  readonly endedAt: string | null;
  /** Time that it ran, without the times when it was paused or closed. */
  readonly ranMs: number;
  /** Lines that are asked for themselves. */
  readonly lookups: number;
  readonly most: number;
  readonly balance: number | null;
  /** Lines that were asked again, because the page ended before their answer was stored. */
  readonly again: readonly number[];
  /** Of these the ones that were charged a second time, with the credits of that; null: the ledger was not read. */
  readonly twice: readonly (readonly [line: number, credits: number])[] | null;
}

/** What is known of an answer without its text. */
export interface Fact {
  readonly line: number;
  readonly ok: boolean;
  readonly status: number | null;
  readonly code: string | null;
  readonly message: string | null;
  readonly retryable: boolean;
  readonly credits: number;
  readonly cache: string | null;
  readonly bytes: number;
  readonly at: string;
  /** The answer in two words, as `10 results` or `free`; null: it has no such words. */
  readonly brief: string | null;
}

const hex = (bytes: number): string =>
  [...crypto.getRandomValues(new Uint8Array(bytes))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
/** Not by `randomUUID`, which plain http off loopback lacks. */
export const newId = (): string => hex(8);

export const newJob = (accountId: string, name: string, bytes: number, operation: OperationId, addedAt: string): Job => ({
  ...{ id: newId(), accountId, name, bytes, addedAt, operation },
  ...{ chosen: {}, repairs: [], languageOfCountry: true, keepsColumns: true, limit: null, state: 'draft', obstacle: null, begun: null },
});

/** The same file with the same columns, to be run once more: what is cached of its answers is free. */
export const againOf = (job: Job, addedAt: string): Job => ({ ...job, id: newId(), addedAt, state: 'draft', obstacle: null, begun: null });

/** What became of the lines so far. A duplicate is answered with its first line, and costs nothing. */
export function tally(facts: Iterable<Fact>) {
  const sum = { answered: 0, notFound: 0, failed: 0, retryable: 0, credits: 0, cached: 0, bytes: 0 };
  for (const { ok, code, retryable, credits, cache, bytes } of facts) {
    if (ok) sum.answered++;
    else if (code === 'NOT_FOUND') sum.notFound++;
    else sum.failed++;
    if (retryable) sum.retryable++;
    if (ok && cache === 'hit') sum.cached++;
    sum.credits += credits;
    sum.bytes += bytes;
  }
  return sum;
}
