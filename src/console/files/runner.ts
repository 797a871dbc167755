import { type LineResult, textOfResult } from '../../bulk/lines.ts';
import { type RunEnd, type RunOptions, run } from '../../bulk/run.ts';
import { askService, labelOf, newestEntry, pricesOf, readLedger } from '../../bulk/service.ts';
import { realTiming, sleep } from '../../client/fetch.ts';
import { type Sightline, SightlineError } from '../../client/index.ts';
import type { Lookup } from '../../contract/lists/input.ts';
import { readCredits, sessionEnded } from '../app/session.ts';
import { briefOf } from './brief.ts';
import { type Fact, newId, type Obstacle, tally } from './job.ts';
import { withLock } from './lock.ts';
import { change, clientHere, lookupsOf, type OpenFile, refresh, remaining } from './open-file.ts';
import { files, unstored } from './store.ts';

/** A browser opens six connections to a service without HTTP/2: one is left for the page. */
export const CONCURRENCY = 5;
const clock: RunOptions<Lookup>['clock'] = {
  now: realTiming.now,
  after: realTiming.after,
  sleep: (ms, signal) => sleep(realTiming, ms, signal),
};
const instant = (ms: number): string => new Date(ms).toISOString();
const GIVE_UP_MS = 300_000;
const SAY_WAITS_FROM_MS = 1_000;
const DAY_MS = 86_400_000;
/** An answer may come so long after the deadline of its operation. */
const GRACE_MS = 15_000;

function factOf({ operation, line }: Lookup, result: LineResult, bytes: number, at: string): Fact {
  const { code = null, message = null, retryable = false } = result.error ?? {};
  const { ok, status, credits, cache, resource } = result;
  return {
    ...{ line, ok, status, code, message, retryable, credits, cache, bytes, at },
    brief: resource === undefined ? null : briefOf(operation, JSON.parse(resource)),
  };
}

/** Draws what came, at most so often: a table of all lines costs as much as there are lines. */
const DRAW_MS = 200;
const drawn = new WeakSet<OpenFile>();
function announce(file: OpenFile): void {
  if (drawn.has(file)) return;
  drawn.add(file);
  setTimeout(() => {
    drawn.delete(file);
    file.changes.value++;
  }, DRAW_MS);
}

/** Runs what is left of a file in this tab, where no other tab runs it. Resolves when it is paused, stopped or done. */
export async function start(file: OpenFile): Promise<void> {
  if (file.stop) return;
  let wanted: 'paused' | 'stopped' | null = null;
  const waiting = new AbortController();
  let stopping = waiting;
  file.stop = (as) => {
    wanted = as;
    waiting.abort();
    stopping.abort();
  };
  if (file.job.peek().obstacle !== null) await change(file, { obstacle: null });
  try {
    await withLock(
      file.id,
      waiting.signal,
      (isElsewhere) => (file.isElsewhere.value = isElsewhere),
      async (hasWaited) => {
        if (hasWaited) await refresh(file);
        // the tab that had it may have paused it, or come to its end
        if (hasWaited && file.job.peek().state !== 'running') return;
        for (let goesOn = true; goesOn && wanted === null; ) {
          stopping = new AbortController();
          goesOn = await stretch(file, stopping.signal, waiting.signal);
        }
      },
    );
  } catch (error) {
    if (!(error instanceof SightlineError)) throw error;
    if (error.code === 'UNAUTHORIZED') sessionEnded();
    const obstacle: Obstacle = { kind: error.status === null ? 'unanswered' : 'refused', words: error.message };
    await change(file, { obstacle, ...(file.job.peek().state === 'running' && { state: 'paused' }) });
  } finally {
    file.stop = null;
    file.wait.value = null;
    const isOwn = !file.isElsewhere.peek();
    if (wanted !== null && isOwn && file.job.peek().state === 'running') await change(file, { state: wanted });
  }
}

/** One run until it ends; returns whether another one makes sense, after the wait that it asked for. */
async function stretch(file: OpenFile, stop: AbortSignal, waiting: AbortSignal): Promise<boolean> {
  const reading = file.reading.peek();
  if (!reading) return false;
  const client = clientHere();
  const todo = remaining(file, reading);
  const priceOf = await pricesOf(client, reading.plan);
  await begin(
    file,
    client,
    reading.lines,
    lookupsOf(reading).reduce((sum, lookup) => sum + priceOf(lookup), 0),
  );
  const { begun, limit } = file.job.peek();
  if (!begun) return false;
  const marks = await files.marks(file.id);
  const spent = tally(file.facts.values()).credits;
  const begunMs = Date.now();
  const before = begun.ranMs;
  const isSaid = unstored.peek() !== null;
  file.pace = { begunMs, answered: 0 };
  const ended = await run({
    ...{ todo, concurrency: CONCURRENCY, clock, random: Math.random, giveUpMs: GIVE_UP_MS, stop, priceOf },
    maxCredits: limit === null ? undefined : Math.max(0, limit - spent),
    pauseFromMs: SAY_WAITS_FROM_MS,
    onPause: (reason, untilMs) => (file.wait.value = { untilMs, words: reason }),
    async ask(lookup, maxStale, maxCredits) {
      const { line } = lookup;
      const since = marks.get(line);
      if (since === undefined) await files.mark(file.id, line, Date.now());
      // of a line whose answer was lost with the page, the answer that came then will do
      const age = since === undefined ? 0 : Math.ceil((Date.now() - since) / 1000);
      const deadlineMs = lookup.operation.deadline.ms + GRACE_MS;
      const options = { requestId: labelOf(begun.run, lookup), maxStale: Math.max(maxStale, age), maxCredits, deadlineMs };
      const answer = await askService(client, reading.plan, lookup, options);
      if (answer.lost) marks.set(line, since ?? Date.now());
      else if (!answer.result.ok) await files.unmark(file.id, line);
      return answer;
    },
    async write(lookup, result, at) {
      const text = textOfResult({ line: lookup.line, input: reading.plan.textsOf(lookup) }, result, at);
      const fact = factOf(lookup, result, text.length, at);
      const isStored = await files.answer(file.id, fact, text);
      marks.delete(lookup.line);
      file.facts.set(lookup.line, fact);
      file.pace.answered++;
      file.wait.value = null;
      announce(file);
      // lines are lost with the page from here on: that is for the person to decide
      if (!isStored && !isSaid) file.stop?.('paused');
    },
  });
  const now = file.job.peek();
  if (now.begun) await change(file, { begun: { ...now.begun, ranMs: before + Date.now() - begunMs } });
  void readCredits();
  if (ended.lost || now.begun?.again.length) await compareLedger(file, client, reading.plan.lookups, stop);
  return decide(file, client, ended, waiting, remaining(file, reading).map(priceOf));
}

/** Notes the beginning, or that it goes on, with the lines that were in flight when the page ended. */
async function begin(file: OpenFile, client: Sightline, lookups: number, most: number): Promise<void> {
  const { begun } = file.job.peek();
  const marks = [...(await files.marks(file.id)).keys()].filter((line) => !file.facts.has(line));
  if (begun) {
    const again = [...new Set([...begun.again, ...marks])];
    await change(file, { state: 'running', begun: { ...begun, endedAt: null, again } });
    return;
  }
  const { credits } = await client.account.get();
  const run = { id: `file-${newId()}`, since: await newestEntry(client) };
  const begunAt = instant(Date.now());
  const balance = credits.balance - credits.held;
  await change(file, {
    state: 'running',
    begun: { run, at: begunAt, endedAt: null, ranMs: 0, lookups, most, balance, again: [], twice: null },
  });
}

/** What a run ended with: the file is done, goes on after a wait, or somebody has to decide. */
async function decide(
  file: OpenFile,
  client: Sightline,
  { stopped, cause }: RunEnd,
  waiting: AbortSignal,
  prices: readonly number[],
): Promise<boolean> {
  if (cause === null) {
    const { begun } = file.job.peek();
    await change(file, { state: 'done', begun: begun && { ...begun, endedAt: instant(Date.now()) } });
    return false;
  }
  const words = stopped ?? '';
  if (cause.kind === 'asked') return false;
  if (cause.kind === 'source' && cause.untilMs !== null) return waitUntil(file, cause.untilMs, words, waiting);
  if (cause.code === 'INSUFFICIENT_CREDITS') {
    const { credits } = await client.account.get();
    const available = credits.balance - credits.held;
    // the account could pay: it is the cap of the key, which opens with a day in UTC
    if (available >= Math.min(...prices)) return waitUntil(file, (Math.floor(Date.now() / DAY_MS) + 1) * DAY_MS, words, waiting);
    await change(file, { state: 'paused', obstacle: { kind: 'credits', words } });
  } else {
    if (cause.code === 'UNAUTHORIZED') sessionEnded();
    const kind = cause.kind === 'limit' ? 'limit' : cause.kind === 'refused' ? 'refused' : 'unanswered';
    await change(file, { state: 'paused', obstacle: { kind, words } });
  }
  return false;
}

async function waitUntil(file: OpenFile, untilMs: number, words: string, waiting: AbortSignal): Promise<boolean> {
  file.wait.value = { untilMs, words };
  await clock.sleep(untilMs - Date.now(), waiting);
  file.wait.value = null;
  return !waiting.aborted;
}

const LEDGER_POLLS = 8;
/** Corrects the credits of lines whose answers were lost by the ledger, and names the ones that were charged twice. */
async function compareLedger(file: OpenFile, client: Sightline, lookups: readonly Lookup[], stop: AbortSignal): Promise<void> {
  const { begun } = file.job.peek();
  if (!begun) return;
  try {
    let ledger = await readLedger(client, begun.run);
    for (let polls = 1; ledger.open.size > 0 && polls <= LEDGER_POLLS && !stop.aborted; polls++) {
      await clock.sleep(polls * 500, stop);
      ledger = await readLedger(client, begun.run);
    }
    const twice: (readonly [number, number])[] = [];
    for (const { line } of lookups) {
      const [fact, captured] = [file.facts.get(line), ledger.captured.get(labelOf(begun.run, { line }))];
      if (!fact || captured === undefined || captured === fact.credits) continue;
      if (fact.credits > 0 && captured > fact.credits) twice.push([line, captured - fact.credits]);
      const corrected = { ...fact, credits: captured };
      file.facts.set(line, corrected);
      await files.correct(file.id, corrected);
    }
    const known = (begun.twice ?? []).filter(([line]) => !twice.some(([other]) => other === line));
    await change(file, { begun: { ...begun, twice: [...known, ...twice] } });
    file.changes.value++;
  } catch {
    // said in the result: `twice` stays null
  }
}

/** Opens failed lines again, so that they are asked with the next run. */
export async function askAgain(file: OpenFile, lines: readonly number[]): Promise<void> {
  for (const line of lines) file.facts.delete(line);
  await files.forget(file.id, lines);
  file.changes.value++;
  await start(file);
}
