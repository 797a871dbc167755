import { signal } from '@preact/signals';
import type { Fact, Job } from './job.ts';

/**
 * What the browser keeps of files, in IndexedDB: jobs, the bytes of each file, facts and text of each answer, and a mark for each line whose answer
 * may have been given but is not stored yet. What it refuses to keep is held by the page alone.
 */
type StoreName = 'jobs' | 'inputs' | 'facts' | 'texts' | 'marks';
const STORES: readonly StoreName[] = ['jobs', 'inputs', 'facts', 'texts', 'marks'];
type Key = string | readonly [job: string, line: number];

/** Answers that the page holds alone, and why; null: the browser keeps everything. */
export const unstored = signal<{ readonly count: number; readonly why: string } | null>(null);

// the browser asks before it closes or reloads a page that holds answers alone
addEventListener('beforeunload', (event) => {
  if ((unstored.peek()?.count ?? 0) > 0) event.preventDefault();
});

let opening: Promise<IDBDatabase | null> | null = null;
function openDatabase(): Promise<IDBDatabase | null> {
  opening ??= new Promise((resolve) => {
    const none = (why: string): void => {
      unstored.value ??= { count: 0, why };
      resolve(null);
    };
    try {
      const request = indexedDB.open('sightline-files', 1);
      request.onupgradeneeded = () => {
        for (const name of STORES) request.result.createObjectStore(name);
      };
      request.onsuccess = () => {
        // a newer version of the console in another tab
        request.result.onversionchange = () => request.result.close();
        resolve(request.result);
      };
      request.onerror = () => none(request.error?.name ?? 'UnknownError');
    } catch (error) {
      none(error instanceof Error ? error.name : 'UnknownError');
    }
  });
  return opening;
}

const ended = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new DOMException('The transaction was ended.', 'AbortError'));
  });
const resultOf = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** What could not be stored: by store and key as text. */
const held = new Map<StoreName, Map<string, unknown>>(STORES.map((name) => [name, new Map()]));
const textOf = (key: Key): string => JSON.stringify(key);
const rangeOf = (job: string, from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY): IDBKeyRange =>
  IDBKeyRange.bound([job, from], [job, to]);

type Write = readonly [store: StoreName, key: Key, value: unknown];
/** One transaction. A value of undefined removes. Throws where the browser refuses. */
async function commit(writes: readonly Write[], durability: IDBTransactionDurability): Promise<void> {
  const database = await openDatabase();
  if (!database) throw new DOMException('The browser keeps nothing here.', 'NotAllowedError');
  const transaction = database.transaction([...new Set(writes.map(([name]) => name))], 'readwrite', { durability });
  const done = ended(transaction);
  // an exception of a request is one of the transaction
  done.catch(() => undefined);
  for (const [name, key, value] of writes) {
    const store = transaction.objectStore(name);
    value === undefined ? store.delete(key as IDBValidKey) : store.put(value, key as IDBValidKey);
  }
  await done;
}
async function write(writes: readonly Write[], durability: IDBTransactionDurability = 'strict'): Promise<boolean> {
  try {
    await commit(writes, durability);
    for (const [name, key] of writes) held.get(name)?.delete(textOf(key));
    return true;
  } catch (error) {
    for (const [name, key, value] of writes)
      value === undefined ? held.get(name)?.delete(textOf(key)) : held.get(name)?.set(textOf(key), value);
    const count = held.get('facts')?.size ?? 0;
    unstored.value = { count, why: error instanceof Error ? error.name : 'UnknownError' };
    return false;
  }
}

async function readValue<T>(name: StoreName, key: Key): Promise<T | undefined> {
  const own = held.get(name)?.get(textOf(key));
  if (own !== undefined) return own as T;
  const database = await openDatabase();
  // a store holds one type
  return database
    ? ((await resultOf(
        database
          .transaction(name)
          .objectStore(name)
          .get(key as IDBValidKey),
      )) as T)
    : undefined;
}
/** The values of a job's lines by line; what the page holds alone counts. */
async function readLines<T>(name: StoreName, job: string, from?: number, to?: number): Promise<Map<number, T>> {
  const found = new Map<number, T>();
  const database = await openDatabase();
  if (database) {
    const store = database.transaction(name).objectStore(name);
    const range = rangeOf(job, from, to);
    const [keys, values] = await Promise.all([resultOf(store.getAllKeys(range)), resultOf(store.getAll(range))]);
    // keys of these stores are pairs
    for (const [index, key] of keys.entries()) found.set((key as [string, number])[1], values[index] as T);
  }
  for (const [key, value] of held.get(name) ?? []) {
    const [own, line] = JSON.parse(key) as [string, number];
    if (own === job && line >= (from ?? line) && line <= (to ?? line)) found.set(line, value as T);
  }
  return found;
}

export const files = {
  async jobs(accountId: string): Promise<readonly Job[]> {
    const database = await openDatabase();
    const stored = database ? ((await resultOf(database.transaction('jobs').objectStore('jobs').getAll())) as Job[]) : [];
    const own = [...(held.get('jobs')?.values() ?? [])] as Job[];
    const all = [...own, ...stored.filter(({ id }) => !own.some((each) => each.id === id))].filter((job) => job.accountId === accountId);
    return all.sort((a, b) => (a.addedAt < b.addedAt ? 1 : -1));
  },
  job: (id: string) => readValue<Job>('jobs', id),
  /** How many lines of a file have an answer. */
  async count(id: string): Promise<number> {
    const database = await openDatabase();
    if (!database) return [...(held.get('facts')?.keys() ?? [])].filter((key) => JSON.parse(key)[0] === id).length;
    return resultOf(database.transaction('facts').objectStore('facts').count(rangeOf(id)));
  },
  input: (id: string) => readValue<Uint8Array>('inputs', id),
  add: (job: Job, bytes: Uint8Array) =>
    write([
      ['jobs', job.id, job],
      ['inputs', job.id, bytes],
    ]),
  put: (job: Job) => write([['jobs', job.id, job]]),
  /** A line is about to be asked, or asked again; `atMs`: epoch ms of the first time. */
  mark: (id: string, line: number, atMs: number) => write([['marks', [id, line], atMs]], 'relaxed'),
  /** The line was refused: there is no answer to it. */
  unmark: (id: string, line: number) => write([['marks', [id, line], undefined]], 'relaxed'),
  marks: (id: string) => readLines<number>('marks', id),
  facts: (id: string) => readLines<Fact>('facts', id),
  texts: (id: string, from: number, to: number) => readLines<string>('texts', id, from, to),
  answer: (id: string, fact: Fact, text: string) =>
    write([
      ['facts', [id, fact.line], fact],
      ['texts', [id, fact.line], text],
      ['marks', [id, fact.line], undefined],
    ]),
  /** The lines are open again. */
  forget: (id: string, lines: readonly number[]) =>
    write(
      lines.flatMap((line): Write[] => [
        ['facts', [id, line], undefined],
        ['texts', [id, line], undefined],
      ]),
    ),
  correct: (id: string, fact: Fact) => write([['facts', [id, fact.line], fact]]),
  /** Tries to keep what the page holds alone. */
  async storeHeld(): Promise<boolean> {
    const writes = [...held].flatMap(([name, values]) => [...values].map(([key, value]): Write => [name, JSON.parse(key) as Key, value]));
    const isStored = writes.length === 0 || (await write(writes));
    if (isStored) unstored.value = null;
    return isStored;
  },
  async remove(id: string): Promise<void> {
    for (const [name, values] of held)
      for (const key of values.keys())
        if (name === 'jobs' || name === 'inputs' ? JSON.parse(key) === id : JSON.parse(key)[0] === id) values.delete(key);
    const database = await openDatabase();
    if (!database) return;
    const transaction = database.transaction([...STORES], 'readwrite');
    for (const name of ['jobs', 'inputs'] as const) transaction.objectStore(name).delete(id);
    for (const name of ['facts', 'texts', 'marks'] as const) transaction.objectStore(name).delete(rangeOf(id));
    await ended(transaction);
  },
};

/** Bytes that the browser has left for this site; null: it does not say. Asks it not to clear them by itself. */
export async function roomLeft(): Promise<number | null> {
  // plain http off loopback has no storage manager
  const storage = navigator.storage as StorageManager | undefined;
  await storage?.persist?.().catch(() => false);
  const { quota, usage } = (await storage?.estimate?.().catch(() => ({ quota: undefined, usage: undefined }))) ?? {};
  return quota === undefined ? null : quota - (usage ?? 0);
}
