import { type Signal, signal } from '@preact/signals';
import { pricesOf } from '../../bulk/service.ts';
import { Sightline } from '../../client/index.ts';
import type { Lookup } from '../../contract/lists/input.ts';
import { place } from '../app/place.ts';
import { accountHere } from '../app/session.ts';
import { moment } from '../parts/format.ts';
import type { Fact, Job } from './job.ts';
import { type Reading, readFile } from './reading.ts';
import { files } from './store.ts';

/** Until when a run waits, and what for. */
export interface Wait {
  readonly untilMs: number;
  readonly words: string;
}

/** A file of this tab. A run goes on while other pages of the console are shown. */
export interface OpenFile {
  readonly id: string;
  readonly job: Signal<Job>;
  readonly bytes: Uint8Array;
  readonly reading: Signal<Reading | null>;
  /** Changed in place, and `changes` with it: a component that reads it is drawn again. */
  readonly facts: Map<number, Fact>;
  readonly changes: Signal<number>;
  readonly wait: Signal<Wait | null>;
  /** Which tab runs it; null: this one, or none. */
  readonly isElsewhere: Signal<boolean>;
  /** When lines of this stretch of the run were answered, epoch ms, and when it began. */
  pace: { begunMs: number; answered: number };
  /** Ends the run. Null: none runs here. */
  stop: ((as: 'paused' | 'stopped') => void) | null;
}

const opened = new Map<string, OpenFile>();

/** The typed client with the session of the console. */
export function clientHere(): Sightline {
  const { account } = place.value;
  const headers = { 'X-Sightline-Console': '1', ...(account !== null && { 'X-Sightline-Account': account }) };
  return new Sightline({ baseUrl: location.origin, apiKey: null, headers });
}

export function openFileOf(job: Job, bytes: Uint8Array, facts: Map<number, Fact> = new Map()): OpenFile {
  const changes = signal(0);
  return {
    ...{ id: job.id, bytes, pace: { begunMs: 0, answered: 0 }, stop: null },
    ...{ job: signal(job), reading: signal<Reading | null>(null), changes },
    ...{ wait: signal<Wait | null>(null), isElsewhere: signal(false) },
    get facts() {
      void changes.value;
      return facts;
    },
  };
}

/** A file that the browser keeps; null: it keeps none of this id for the account. */
export async function openStored(id: string): Promise<OpenFile | null> {
  const before = opened.get(id);
  if (before) return before;
  const [job, bytes] = await Promise.all([files.job(id), files.input(id)]);
  if (!job || !bytes || job.accountId !== accountHere()) return null;
  const file = openFileOf(job, bytes, await files.facts(id));
  await readAgain(file);
  opened.set(id, file);
  return file;
}
export async function addFile(job: Job, bytes: Uint8Array): Promise<void> {
  await files.add(job, bytes);
  const file = openFileOf(job, bytes);
  await readAgain(file);
  opened.set(job.id, file);
}
export async function removeFile(id: string): Promise<void> {
  opened.get(id)?.stop?.('stopped');
  opened.delete(id);
  await files.remove(id);
}
/** What another tab wrote since. */
export async function refresh(file: OpenFile): Promise<void> {
  const [job, facts] = await Promise.all([files.job(file.id), files.facts(file.id)]);
  if (job) file.job.value = job;
  file.facts.clear();
  for (const [line, fact] of facts) file.facts.set(line, fact);
  file.changes.value++;
}

const turns = new WeakMap<OpenFile, number>();
async function readAgain(file: OpenFile): Promise<void> {
  const turn = (turns.get(file) ?? 0) + 1;
  turns.set(file, turn);
  const reading = await readFile(file.bytes, file.job.peek());
  if (turns.get(file) === turn) file.reading.value = reading;
}

export async function change(file: OpenFile, changes: Partial<Job>): Promise<void> {
  file.job.value = { ...file.job.peek(), ...changes };
  await files.put(file.job.peek());
}
/** Changes how the file is read. */
export async function rearrange(
  file: OpenFile,
  changes: Partial<Pick<Job, 'operation' | 'chosen' | 'repairs' | 'languageOfCountry'>>,
): Promise<void> {
  await Promise.all([change(file, changes), readAgain(file)]);
}

/** Lines that are asked for themselves. */
export const lookupsOf = ({ plan, lacking }: Reading): readonly Lookup[] =>
  lacking.length > 0 ? [] : plan.lookups.filter(({ first }) => !first);
export const remaining = (file: OpenFile, reading: Reading): readonly Lookup[] =>
  lookupsOf(reading).filter(({ line }) => !file.facts.has(line));

export interface Offer {
  readonly lookups: number;
  readonly twice: number;
  /** Credits without what is cached. */
  readonly most: number;
  readonly balance: number;
  readonly cached: { readonly count: number; readonly of: number };
  /** Time that the pace of the account takes at least; null: less than a minute. */
  readonly atPaceMs: number | null;
  readonly notes: readonly string[];
}
/** Lines whose price is asked for one by one, to find the ones that are cached. */
const MOST_ASKED = 200;
const AT_A_TIME = 2;

/** What the lines cost. Above `MOST_ASKED` lines the cached ones are counted in an even sample of that many. */
export async function offerOf(reading: Reading, signal: AbortSignal, say: (offer: Offer) => void): Promise<void> {
  const client = clientHere();
  const todo = lookupsOf(reading);
  const { credits, key, limits } = await client.account.get({ signal });
  const priceOf = await pricesOf(client, reading.plan);
  const seconds = (todo.length - limits.burst) / limits.ratePerSecond;
  const sampled = Math.min(todo.length, MOST_ASKED);
  const offer = {
    lookups: todo.length,
    twice: reading.plan.lookups.length - todo.length,
    balance: credits.balance - credits.held,
    atPaceMs: seconds > 60 ? seconds * 1000 : null,
    notes: key.expiresAt ? [`This key ends on ${moment(key.expiresAt)}.`] : [],
  };
  let [hits, asked, free] = [0, 0, 0];
  const tell = (): void => {
    const all = todo.reduce((sum, lookup) => sum + priceOf(lookup), 0);
    say({ ...offer, most: all - (sampled === todo.length ? free : 0), cached: { count: hits, of: asked } });
  };
  tell();
  const sample = Array.from({ length: sampled }, (_, index) => todo[Math.floor((index * todo.length) / sampled)]);
  const askNext = async (): Promise<void> => {
    for (let lookup = sample.pop(); lookup && !signal.aborted; lookup = sample.pop()) {
      const { input } = reading.plan.read(lookup);
      const { price, charge, cached } = await client.account.price(lookup.operation.id, input, { signal });
      asked++;
      if (cached) hits++;
      if (cached) free += price - charge;
    }
  };
  // without this part the price is the most that it can be
  await Promise.allSettled(Array.from({ length: AT_A_TIME }, askNext));
  if (!signal.aborted) tell();
}
