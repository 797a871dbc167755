import { hash, randomUUID } from 'node:crypto';
import { accessSync, constants, fstatSync, lstatSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { unreadable } from '../../bulk/lines.ts';
import { run } from '../../bulk/run.ts';
import { labelOf, newestEntry, readLedger } from '../../bulk/service.ts';
import { type Export, type TableOptions, tableOf } from '../../bulk/table.ts';
import { type Sightline, SightlineError } from '../../client/index.ts';
import { type InputFormat, type Lookup, type Plan, readInput } from '../../contract/lists/input.ts';
import { type Operation, operationList } from '../../contract/operations/index.ts';
import { instant, realClock } from '../../runtime/clock.ts';
import { OperatorError, readSettings, type Settings } from '../../settings.ts';
import { bytesOfFile, fail } from '../option-values.ts';
import { isConfirmed, plural } from '../terminal.ts';
import { type Answerer, openAnswerer } from './answerer.ts';
import { type Journal, openJournal, type Run } from './journal.ts';
import { createReporter, offerOf, offerText, progressOf, type Reporter, reportEnd } from './report.ts';

export interface BulkOptions extends TableOptions {
  readonly output?: string;
  /** Of the output; default: by its name, else CSV for tables and NDJSON for lookups. */
  readonly format?: 'ndjson' | 'csv';
  readonly inputFormat?: InputFormat;
  readonly url?: string;
  readonly local?: true;
  readonly yes?: true;
  readonly dryRun?: true;
  readonly concurrency: number;
  readonly rate?: number;
  readonly maxCredits?: number;
  readonly unordered?: true;
  readonly retryFailed?: true;
  readonly skipInvalid?: true;
  readonly json?: true;
}

/** After this time without an answer the run stops; the next run continues. */
const GIVE_UP_MS = 300_000;

/** `sightline bulk`: returns the exit code. Without operation each line names its own. */
export async function bulk(operation: Operation | null, inputName: string, options: BulkOptions): Promise<number> {
  const settings = readSettings(process.env);
  const { output = null, unordered, concurrency, rate } = options;
  const isTable = options.rows !== 'lookups' || options.columns !== undefined || options.find !== undefined;
  const byName = /\.(csv|tsv)$/i.test(output ?? '') ? 'csv' : /\.(ndjson|jsonl)$/i.test(output ?? '') ? 'ndjson' : null;
  const format = options.format ?? byName ?? (isTable ? 'csv' : 'ndjson');
  const isJournal = format === 'ndjson' && !isTable;
  if (!operation && !isJournal) fail('Lines of several operations are no table: write them as --format ndjson.');
  const reporter = createReporter(options.json === true, realClock.now);
  let isWorking = false;
  const stopping = new AbortController();
  const stop = stopping.signal;
  // the first signal lets the lines that run end; before them, and after it, a signal ends the process
  const onSignal = () => {
    if (!isWorking || stop.aborted) process.exit(130);
    reporter.event('notice', { text: 'stopping' }, 'Stopping: waiting for the lookups that run. A second signal ends at once.');
    stopping.abort();
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  const folder = output === null ? mkdtempSync(join(tmpdir(), 'sightline-bulk-')) : null;
  if (folder) process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const path = folder ? join(folder, 'journal') : isJournal ? (output ?? '') : `${output}.ndjson`;
  let journal: Journal | null = null;
  let answerer: Answerer | null = null;
  try {
    if (output !== null) for (const file of new Set([output, path])) demandOwnFile(file, inputName);
    const plan = await planOf(inputName, operation, options, reporter);
    if (!plan) return 2;
    const form: Pick<Export, 'head' | 'encode'> =
      isJournal || !operation ? { head: '', encode: (text) => text } : tableOf(operation, plan, { ...options, format });
    answerer = await openAnswerer(options, plan, settings);
    const { client, ask, priceOf } = answerer;
    journal = await openJournal(path, plan, isJournal ? null : output);
    const { rowOf, texts, write, run: begun } = journal;
    if (begun && isAlive(begun.pid))
      fail(
        `Process ${begun.pid} is writing ${output}: wait for its end. If it is another program, delete the last line of ${path} that begins with {"run".`,
      );
    const isOpen = (lookup: Lookup) => !rowOf(lookup) || (options.retryFailed && rowOf(lookup)?.retryable);
    const todo = plan.lookups.filter((lookup) => !lookup.first && isOpen(lookup));
    const offer = offerOf(plan, journal, todo, answerer);
    reporter.event('offer', offer, offerText(offer));
    if (options.dryRun) return 0;
    if (todo.length && !options.yes) {
      if (!process.stdin.isTTY || inputName === '-') fail('Add --yes: there is no terminal to confirm the price on.');
      if (!(await isConfirmed('Go on? [y/N] '))) return 1;
    }

    const since = begun ? begun.since : client && (await newestEntry(client));
    const current: Run = { id: begun?.id ?? `bulk-${randomUUID()}`, since, pid: process.pid };
    isWorking = true;
    journal.begin(current);
    const prints = output === null && unordered;
    if (prints) process.stdout.write(form.head);
    for (const line of plan.unreadable) {
      if (rowOf(line)) continue;
      const text = write(line, unreadable(line.why), instant(realClock.now()));
      if (prints) process.stdout.write(form.encode(text));
    }
    const beganAt = realClock.now();
    let answered = 0;
    const progress = () => progressOf(plan, journal as Journal, answered, todo.length, realClock.now() - beganAt);
    const ended = await run({
      todo,
      concurrency,
      rate,
      maxCredits: options.maxCredits,
      stop,
      clock: realClock,
      random: Math.random,
      giveUpMs: GIVE_UP_MS,
      priceOf,
      ask: (lookup, maxStale, maxCredits) => ask(lookup, { requestId: labelOf(current, lookup), maxStale, maxCredits }),
      onPause(reason, untilMs) {
        const until = instant(untilMs);
        reporter.event('paused', { reason, until }, `Pausing until ${until}: ${reason}`);
      },
      write(lookup, result, at) {
        const text = write(lookup, result, at);
        if (prints) process.stdout.write(form.encode(text));
        answered++;
        reporter.progress(progress);
      },
    });
    reporter.clear();
    const elapsedMs = realClock.now() - beganAt;
    if (client && (ended.lost || begun))
      await correctCredits({ client, settings, stop, notice: reporter.notice }, { plan, journal, run: current });
    const exported = function* () {
      if (!prints) yield form.head;
      // what was printed as it came lacks the duplicates
      for (const text of texts(!unordered, prints)) yield form.encode(text);
    };
    if (output === null) await pipeline(Readable.from(exported()), process.stdout, { end: false });
    else if (!isJournal || !ended.stopped) journal.exportTo(output, exported(), !ended.stopped);
    const exitCode = reportEnd(reporter, plan, journal, { stopped: ended.stopped, elapsedMs, output });
    return stop.aborted ? 130 : exitCode;
  } catch (error) {
    if (error instanceof SightlineError) throw new OperatorError(`${error.code}: ${error.message}`, { cause: error });
    throw error;
  } finally {
    journal?.close();
    await answerer?.close();
  }
}

/** A file that a run may write: a regular one, and not the input under another name. */
function demandOwnFile(path: string, inputName: string): void {
  const folder = dirname(path);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    fail(`${path} cannot be written: there is no folder ${folder}. Make it, or name another output.`);
  const [found, input] = [path, inputName].map((file) => statSync(file, { throwIfNoEntry: false }));
  if (!found && lstatSync(path, { throwIfNoEntry: false })) fail(`${path} is a link to a file that does not exist: name another output.`);
  if (found && found.dev === input?.dev && found.ino === input.ino) fail(`${path} is the input itself: name another output.`);
  if (found?.isFile() === false) fail(`${path} is not a regular file: name another output, or leave it out to write to standard output.`);
  try {
    accessSync(found ? path : folder, constants.W_OK);
  } catch (error) {
    fail(`${path} cannot be written: ${(error as NodeJS.ErrnoException).code}. Name another output.`);
  }
}

const inputOf = (name: string, operation: Operation | null, format: InputFormat | undefined) =>
  ({ name, operation, format, keyOf: (text: string) => hash('sha1', text, 'base64url'), rest: setImmediate }) as const;

async function planOf(
  name: string,
  operation: Operation | null,
  { inputFormat, skipInvalid }: BulkOptions,
  reporter: Reporter,
): Promise<Plan | null> {
  if (name === '-' && !process.stdin.isTTY && fstatSync(0).isCharacterDevice())
    fail('Standard input cannot be read: it is a device, which may have no end. Give it a file or a pipe.');
  const bytes = name === '-' ? await buffer(process.stdin) : bytesOfFile(name);
  const plan = await readInput(bytes, inputOf(name, operation, inputFormat), (line, reason) => {
    reporter.event('bad-line', { line, reason }, `line ${line}: ${reason}`);
  });
  const { carried, understood } = plan;
  const badLines = plan.unreadable.length;
  if (badLines > 0 && !skipInvalid) {
    const words = `${plural(badLines, 'bad line')}; nothing was asked. Correct the input and run again, or go on without them: --skip-invalid.`;
    reporter.event('refused', { badLines }, words);
    return null;
  }
  if (plan.lines.length === 0) fail('The input has no lines.');
  if (carried.length)
    reporter.event('notice', { carried }, `Columns that are no parameters are carried to the output: ${carried.join(', ')}.`);
  for (const [parameter, { count, first }] of understood) {
    const words = `${plural(count, 'value')} of ${parameter} ${count === 1 ? 'is an address' : 'are addresses'}: ${first.given} is read as ${first.value}.`;
    reporter.event('notice', { parameter, addresses: count, given: first.given, value: first.value }, words);
  }
  return plan;
}

function isAlive(pid: number): boolean {
  try {
    return pid !== process.pid && process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Holds end at the deadline of their lookup and this much later. */
const HOLD_MARGIN_MS = 45_000;

/** Corrects the credits of lines whose answers may have been lost by the ledger; awaits holds that are still open until they must have ended. */
async function correctCredits(
  { client, settings, stop, notice }: { client: Sightline; settings: Settings; stop: AbortSignal; notice: (text: string) => void },
  { plan, journal, run }: { plan: Plan; journal: Journal; run: Run },
): Promise<void> {
  const untilMs = realClock.now() + Math.max(...operationList.map((operation) => settings[operation.deadline.setting])) + HOLD_MARGIN_MS;
  let ledger: Awaited<ReturnType<typeof readLedger>> | null = null;
  let unread: SightlineError | null = null;
  for (let polls = 0; ; polls++) {
    try {
      [ledger, unread] = [await readLedger(client, run), null];
    } catch (error) {
      if (!(error instanceof SightlineError)) throw error;
      unread = error;
    }
    if (ledger?.open.size === 0 || unread?.retryable === false || stop.aborted || realClock.now() >= untilMs) break;
    const what = ledger ? `settle ${ledger.open.size} charges of answers that were cut off` : 'state its ledger';
    if (polls === 2) notice(`waiting for the service to ${what}`);
    await realClock.sleep(Math.min(polls + 1, 10) * 1000, stop);
  }
  if (!ledger) return notice(`the ledger could not be read (${unread?.message}): credits are as the answers said`);
  for (const lookup of plan.lookups) {
    const label = labelOf(run, lookup);
    if (journal.rowOf(lookup)?.run === run.id && !ledger.open.has(label)) journal.correct(lookup, ledger.captured.get(label) ?? 0);
  }
}
