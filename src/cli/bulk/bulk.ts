import { createInterface } from 'node:readline/promises';
import { SightlineError } from '../../client/index.ts';
import type { Operation } from '../../contract/operations/index.ts';
import { realClock } from '../../runtime/clock.ts';
import { OperatorError } from '../../runtime/operator-error.ts';
import { deadlineOf, readSettings, type Settings } from '../../settings.ts';
import { UsageError } from '../usage-error.ts';
import { type Answerer, localAnswerer, serverAnswerer } from './answerer.ts';
import { openFiles } from './files.ts';
import { formatOf, type OutputFormat, type OutputLine } from './format.ts';
import { type InputFormat, openInput } from './input.ts';
import { ledgerProblem, newestEntry, readLedgerCredits } from './ledger-credits.ts';
import { type Output, openOutput } from './output.ts';
import { makePlan, type Plan } from './plan.ts';
import { type Offer, offerText, type Quote, quoteOf } from './quote.ts';
import { createReporter, type Reporter } from './report.ts';
import { type RunEnd, run } from './run.ts';
import { type RunState, readRunState, removeRunState, writeRunState } from './run-state.ts';
import { summaryOf } from './summary.ts';

export interface BulkOptions {
  readonly output?: string;
  /** Of the output. */
  readonly format: OutputFormat;
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
/** Holds end at the deadline of their lookup and this much later. */
const HOLD_MARGIN_MS = 45_000;

/** `sightline bulk`: returns the exit code. */
export async function bulk(operation: Operation, inputName: string, options: BulkOptions): Promise<number> {
  const settings = readSettings(process.env);
  const reporter = createReporter(options.json, realClock.now, { out: process.stdout, error: process.stderr });
  const answerer = await openAnswerer(operation, options, settings);
  const files = await openFiles(inputName, options.output);
  const { stop, release } = stopOnSignals(reporter);
  let output: Output | null = null;
  try {
    const plan = checkInput(files.input, inputName, operation, options, reporter);
    if (!plan) return 2;
    const begun = files.toStandardOutput ? null : readRunState(files.output);
    const quote: Quote = 'client' in answerer ? await quoteOf(answerer.client, operation, plan) : { unit: 0, available: null };
    const echo = files.toStandardOutput && options.unordered ? (text: string) => process.stdout.write(text) : null;
    output = openOutput(files.output, plan, formatOf(options.format, operation), echo);
    const todo = todoOf(plan, output, options.retryFailed);
    const offer = offerOf(plan, output, todo, quote);
    reporter.event('offer', { ...offer }, offerText(offer));
    if (options.dryRun) return 0;
    if (todo.length && !(await isConfirmed(options, inputName))) return 1;
    const begunAt = realClock.now();
    const ended = await ask({ plan, output, todo, quote, answerer, begun, files, options, reporter, stop, operation, settings });
    output.finish(!options.unordered);
    if (!ended.stopped && !files.toStandardOutput) removeRunState(files.output);
    if (!echo) await files.deliver();
    const summary = summaryOf(plan, output, { ...ended, elapsedMs: realClock.now() - begunAt, output: options.output ?? null });
    reporter.event('summary', summary.facts, summary.words);
    return summary.exitCode;
  } catch (error) {
    if (error instanceof SightlineError) throw new OperatorError(`${error.code}: ${error.message}`, { cause: error });
    throw error;
  } finally {
    release();
    output?.close();
    files.close();
    await answerer.close();
  }
}

async function openAnswerer(
  operation: Operation,
  { url, local, concurrency }: BulkOptions,
  settings: Settings,
): Promise<Answerer | ReturnType<typeof serverAnswerer>> {
  if (local) return localAnswerer(operation, settings);
  const baseUrl = url ?? settings.SIGHTLINE_URL;
  if (!baseUrl) throw new UsageError('Name a service with --url or SIGHTLINE_URL, or ask the sources of this machine with --local.');
  const apiKey = settings.SIGHTLINE_API_KEY;
  if (!apiKey) throw new UsageError('Set SIGHTLINE_API_KEY to your key of the service.');
  return serverAnswerer({ baseUrl, apiKey, connections: concurrency }, operation, settings);
}

/** Null: there are bad lines, and each was reported. */
function checkInput(file: number, name: string, operation: Operation, options: BulkOptions, reporter: Reporter): Plan | null {
  const reader = openInput(file, name, operation, options.inputFormat);
  if (!reader.ok) throw new UsageError(`The input ${reader.why}.`);
  let bad = 0;
  const plan = makePlan(reader.value, operation, ({ line, why }) => {
    bad++;
    reporter.event('bad-line', { line, reason: why }, `line ${line}: ${why}`);
  });
  if (bad === 0 && plan.size > 0) return plan;
  if (bad === 0) throw new UsageError('The input has no lines.');
  reporter.event(
    'refused',
    { badLines: bad },
    `${bad} bad ${bad === 1 ? 'line' : 'lines'}; nothing was asked. Correct the input and run again.`,
  );
  return null;
}

function todoOf(plan: Plan, output: Output, retryFailed: boolean): number[] {
  const todo: number[] = [];
  for (let index = 0; index < plan.size; index++) {
    const state = output.stateOf(index);
    const isOpen = state === 'missing' || (retryFailed && state === 'retryable');
    if (isOpen && plan.firstOf(index) === index) todo.push(index);
  }
  return todo;
}

function offerOf(plan: Plan, output: Output, todo: readonly number[], { unit, available }: Quote): Offer {
  let answered = 0;
  for (let index = 0; index < plan.size; index++) if (output.stateOf(index) !== 'missing') answered++;
  const units = todo.reduce((sum, index) => sum + plan.unitsOf(index), 0);
  return { lookups: todo.length, duplicates: plan.size - plan.distinct, answered, credits: units * unit, available };
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
  readonly output: Output;
  readonly todo: readonly number[];
  readonly quote: Quote;
  readonly answerer: Answerer | ReturnType<typeof serverAnswerer>;
  readonly begun: RunState | null;
  readonly files: { readonly output: string; readonly toStandardOutput: boolean };
  readonly options: BulkOptions;
  readonly reporter: Reporter;
  readonly stop: AbortSignal;
  readonly operation: Operation;
  readonly settings: Settings;
}

/** Asks the lines, then reads the credits of the run from the ledger where an answer may have been lost. */
async function ask({ plan, output, todo, quote, answerer, begun, ...rest }: Asking): Promise<RunEnd> {
  const { files, options, reporter, stop, operation, settings } = rest;
  const client = 'client' in answerer ? answerer.client : null;
  const since = client && !begun ? await newestEntry(client) : null;
  const { runId } = files.toStandardOutput ? { runId: `bulk-${crypto.randomUUID()}` } : writeRunState(files.output, begun, since);
  const startedAt = realClock.now();
  let [answered, done, failed] = [0, 0, 0];
  for (let index = 0; index < plan.size; index++) {
    const state = output.stateOf(index);
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
    priceOf: (index) => plan.unitsOf(index) * quote.unit,
    requestIdOf: (index) => `${runId}.${plan.lineOf(index)}`,
    write(index: number, line: OutputLine) {
      for (let same: number | undefined = index; same !== undefined; same = plan.nextSame(same)) {
        const before = output.stateOf(same);
        answered++;
        if (before === 'missing') done++;
        failed += Number(!line.ok) - Number(before === 'failed' || before === 'retryable');
      }
      output.write(index, line);
      reporter.progress(() => ({
        lines: plan.size,
        done,
        failed,
        credits: output.credits,
        answered,
        elapsedMs: realClock.now() - startedAt,
      }));
    },
  });
  reporter.clear();
  if (!client || !(ended.lost || begun)) return ended;
  try {
    const { captured, open } = await readLedgerCredits(client, `${runId}.`, begun ? begun.since : since, {
      clock: realClock,
      waitMs: deadlineOf(operation, settings) + HOLD_MARGIN_MS,
      stop,
      notice: (text) => reporter.event('notice', { text }, text),
    });
    for (let index = 0; index < plan.size; index++) {
      const requestId = `${runId}.${plan.lineOf(index)}`;
      if (plan.firstOf(index) === index && !open.has(requestId)) output.correct(index, captured.get(requestId) ?? 0);
    }
  } catch (error) {
    const text = ledgerProblem(error);
    if (text === null) throw error;
    reporter.event('notice', { text }, text);
  }
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
