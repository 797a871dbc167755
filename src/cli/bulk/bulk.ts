import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { SightlineError } from '../../client/index.ts';
import type { Operation, OperationId } from '../../contract/operations/index.ts';
import { instant, realClock } from '../../runtime/clock.ts';
import { OperatorError } from '../../runtime/operator-error.ts';
import { readSettings, type Settings } from '../../settings.ts';
import { UsageError } from '../usage-error.ts';
import { type Answerer, localAnswerer, serverAnswerer } from './answerer.ts';
import { openFiles } from './files.ts';
import { type InputFormat, type InputReader, openInput } from './input.ts';
import { exportOf, exportTo, type Journal, openJournal } from './journal.ts';
import { correctCredits, newestEntry } from './ledger-credits.ts';
import type { OutputLine } from './line.ts';
import { type BadLine, makePlan, type Plan } from './plan.ts';
import { plural } from './progress.ts';
import { localQuote, type Offer, offerText, type Quote, quoteOf } from './quote.ts';
import { createReporter, type Reporter } from './report.ts';
import { type RunEnd, run } from './run.ts';
import { readRunState, removeRunState, writeRunState } from './run-state.ts';
import { summaryOf } from './summary.ts';
import { type OutputFormat, type TableOptions, tableOf } from './table.ts';

export interface BulkOptions extends Omit<TableOptions, 'format'> {
  readonly output?: string;
  /** Of the output; default: by its name, else CSV for tables and NDJSON for lookups. */
  readonly format?: OutputFormat;
  readonly inputFormat?: InputFormat;
  readonly url?: string;
  readonly local: boolean;
  readonly yes: boolean;
  readonly dryRun: boolean;
  readonly maxCredits: number | null;
  readonly concurrency: number;
  readonly rate: number | null;
  readonly unordered: boolean;
  readonly retryFailed: boolean;
  readonly json: boolean;
}

/** No answer for so long: the run stops, and goes on when it is started again. */
const GIVE_UP_MS = 300_000;
/** `sightline bulk`: returns the exit code. Without operation each line names its own. */
export async function bulk(operation: Operation | null, inputName: string, options: BulkOptions): Promise<number> {
  const settings = readSettings(process.env);
  const reporter = createReporter(options.json, realClock.now, { out: process.stdout, error: process.stderr });
  const isTable = options.rows !== 'lookups' || options.columns !== null || options.find !== null;
  const byName = /\.(csv|tsv)$/i.test(options.output ?? '') ? 'csv' : /\.(ndjson|jsonl)$/i.test(options.output ?? '') ? 'ndjson' : null;
  const format = options.format ?? byName ?? (isTable ? 'csv' : 'ndjson');
  const isJournal = format === 'ndjson' && !isTable;
  if (!operation && !isJournal) throw new UsageError('Lines of several operations are no table: write them as --format ndjson.');
  const answerer = await openAnswerer(options, settings);
  const files = await openFiles(inputName, options.output, isJournal);
  const { output } = files;
  const { stop, release } = stopOnSignals(reporter);
  let journal: Journal | null = null;
  try {
    const reader = openInput(files.input, inputName, operation, options.inputFormat);
    if (!reader.ok) throw new UsageError(`The input ${reader.why}.`);
    const plan = await checkInput(reader.value, reporter, stop);
    if (!plan) return 2;
    const table = isJournal || !operation ? null : tableOf(operation, reader.value.columns, plan.understood, { ...options, format });
    const begun = output === null ? null : readRunState(output);
    const quote = 'client' in answerer ? await quoteOf(answerer.client, plan) : localQuote(settings);
    const print = output === null && options.unordered;
    const echo = print ? (line: OutputLine) => process.stdout.write(table ? table.encode(line) : `${JSON.stringify(line)}\n`) : null;
    const exportedTo = output === null || isJournal ? null : output;
    const journalOptions = { path: files.journal, plan, dryRun: options.dryRun, begun: begun !== null, exportedTo, echo, stop };
    journal = await openJournal(journalOptions);
    const todo = todoOf(plan, journal, options.retryFailed);
    const offer = offerOf(plan, journal, todo, quote);
    reporter.event('offer', { ...offer }, offerText(offer));
    if (options.dryRun) return 0;
    if (todo.length && !(await isConfirmed(options, inputName))) return 1;
    if (print && table) process.stdout.write(table.head);
    const begunAt = realClock.now();
    const client = 'client' in answerer ? answerer.client : null;
    const since = client && !begun ? await newestEntry(client) : null;
    const { runId } = output === null ? { runId: `bulk-${crypto.randomUUID()}` } : writeRunState(output, begun, since);
    const ended = await askLines({ plan, journal, todo, quote, answerer, runId, options, reporter, stop });
    if (client && (ended.lost || begun))
      await correctCredits({ client, plan, journal, runId, since: begun ? begun.since : since, settings, reporter, stop });
    const ordered = !options.unordered;
    if (output === null && !print) for (const block of exportOf(journal, ordered, table)) await written(block);
    else if (output !== null && (table || !journal.isExported(ordered)))
      await exportTo(output, runId, exportOf(journal, ordered, table), exportedTo === null ? null : journal.noteExport);
    if (!ended.stopped && output !== null) removeRunState(output);
    const summary = summaryOf(plan, journal, { ...ended, elapsedMs: realClock.now() - begunAt, output });
    reporter.event('summary', summary.facts, summary.words);
    return summary.exitCode;
  } catch (error) {
    if (stop.aborted && error === stop.reason) return 130;
    if (error instanceof SightlineError) throw new OperatorError(`${error.code}: ${error.message}`, { cause: error });
    throw error;
  } finally {
    release();
    journal?.close();
    files.close();
    await answerer.close();
  }
}

/** Writes to standard output, and waits while its reader is slower. */
async function written(block: string): Promise<void> {
  if (!process.stdout.write(block)) await once(process.stdout, 'drain');
}

async function openAnswerer(
  { url, local, concurrency }: BulkOptions,
  settings: Settings,
): Promise<Answerer | ReturnType<typeof serverAnswerer>> {
  if (local) return localAnswerer(settings);
  const baseUrl = url ?? settings.SIGHTLINE_URL;
  if (!baseUrl) throw new UsageError('Name a service with --url or SIGHTLINE_URL, or ask the sources of this machine with --local.');
  const apiKey = settings.SIGHTLINE_API_KEY;
  if (!apiKey) throw new UsageError('Set SIGHTLINE_API_KEY to your key of the service.');
  return serverAnswerer({ baseUrl, apiKey, connections: concurrency }, settings);
}

/** Null: there are bad lines, and each was reported. */
async function checkInput(reader: InputReader, reporter: Reporter, stop: AbortSignal): Promise<Plan | null> {
  let bad = 0;
  const report = ({ line, why }: BadLine) => {
    bad++;
    reporter.event('bad-line', { line, reason: why }, `line ${line}: ${why}`);
  };
  const plan = await makePlan(reader, report, stop);
  if (bad > 0) {
    const words = `${plural(bad, 'bad line')}; nothing was asked. Correct the input and run again.`;
    reporter.event('refused', { badLines: bad }, words);
    return null;
  }
  if (plan.size === 0) throw new UsageError('The input has no lines.');
  if (reader.carried.length)
    reporter.event(
      'notice',
      { carried: reader.carried },
      `Columns that are no parameters are carried to the output: ${reader.carried.join(', ')}.`,
    );
  for (const [name, { count, first }] of plan.understood) {
    const words = `${plural(count, 'value')} of ${name} ${count === 1 ? 'is an address' : 'are addresses'}: ${first.given} is read as ${first.value}.`;
    reporter.event('notice', { parameter: name, addresses: count, given: first.given, value: first.value }, words);
  }
  return plan;
}

function todoOf(plan: Plan, output: Journal, retryFailed: boolean): number[] {
  const todo: number[] = [];
  for (let index = 0; index < plan.size; index++) {
    const state = output.stateOf(index);
    const isOpen = state === 'missing' || (retryFailed && state === 'retryable');
    if (isOpen && plan.firstOf(index) === index) todo.push(index);
  }
  return todo;
}

function offerOf(plan: Plan, journal: Journal, todo: readonly number[], { units, available, limitsFor }: Quote): Offer {
  let answered = 0;
  for (let index = 0; index < plan.size; index++) if (journal.stateOf(index) !== 'missing') answered++;
  const lookups = new Map<OperationId, number>();
  let credits = 0;
  const [only] = todo;
  const all = plan.isUniform && only !== undefined ? plan.read(only).operation.id : null;
  for (const index of todo) {
    const id = all ?? plan.read(index).operation.id;
    lookups.set(id, (lookups.get(id) ?? 0) + 1);
    credits += plan.unitsOf(index) * (units.get(id) ?? 0);
  }
  return { lookups: todo.length, duplicates: plan.size - plan.distinct, answered, credits, available, limits: limitsFor(lookups) };
}

async function isConfirmed({ yes }: BulkOptions, inputName: string): Promise<boolean> {
  if (yes) return true;
  if (!process.stdin.isTTY || inputName === '-') throw new UsageError('Add --yes: there is no terminal to confirm the price on.');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const reply = await terminal.question('Go on? [y/N] ');
  terminal.close();
  return /^y(es)?$/i.test(reply.trim());
}

interface Asking {
  readonly plan: Plan;
  readonly journal: Journal;
  readonly todo: readonly number[];
  readonly quote: Quote;
  readonly answerer: Answerer;
  readonly runId: string;
  readonly options: BulkOptions;
  readonly reporter: Reporter;
  readonly stop: AbortSignal;
}

/** Asks the lines, with a report of how far it is. */
async function askLines({ plan, journal, todo, quote, answerer, runId, options, reporter, stop }: Asking): Promise<RunEnd> {
  const startedAt = realClock.now();
  let [answered, done, failed] = [0, 0, 0];
  for (let index = 0; index < plan.size; index++) {
    const state = journal.stateOf(index);
    if (state !== 'missing') done++;
    if (state === 'failed' || state === 'retryable') failed++;
  }
  const ended = await run({
    ...options,
    plan,
    answerer,
    todo,
    stop,
    clock: realClock,
    random: Math.random,
    giveUpMs: GIVE_UP_MS,
    priceOf: (index, { id }) => plan.unitsOf(index) * (quote.units.get(id) ?? 0),
    requestIdOf: (index) => `${runId}.${plan.lineOf(index)}`,
    onPause(reason, untilMs) {
      const until = instant(untilMs);
      reporter.event('paused', { reason, until }, `Pausing until ${until}: ${reason}`);
    },
    write(index: number, line: OutputLine) {
      for (let same: number | undefined = index; same !== undefined; same = plan.nextSame(same)) {
        const before = journal.stateOf(same);
        answered++;
        if (before === 'missing') done++;
        failed += Number(!line.ok) - Number(before === 'failed' || before === 'retryable');
      }
      journal.write(index, line);
      const { credits } = journal;
      reporter.progress(() => ({ lines: plan.size, done, failed, credits, answered, elapsedMs: realClock.now() - startedAt }));
    },
  });
  reporter.clear();
  return ended;
}

/** The first signal lets the lines that run end; the second one ends the process. */
function stopOnSignals(reporter: Reporter): { stop: AbortSignal; release(): void } {
  const stopping = new AbortController();
  const onSignal = () => {
    if (stopping.signal.aborted) process.exit(130);
    reporter.event('notice', { text: 'stopping' }, 'Stopping: waiting for the lookups that run. A second signal ends at once.');
    stopping.abort();
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  return { stop: stopping.signal, release: () => process.off('SIGINT', onSignal).off('SIGTERM', onSignal) };
}
