import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CapturedOutcome, StoredCapture } from '../captures/capture.ts';
import { type CaseInput, failuresOf, type Judge, type MadeCase, makeCase } from '../captures/case/make-case.ts';
import { type FoundCapture, readCapture } from '../captures/read-captures.ts';
import type { Input } from '../contract/operations/index.ts';
import { filledFolder } from '../runtime/make-folder.ts';
import { unwritten } from '../runtime/unread-file.ts';
import { OperatorError, readSettings } from '../settings.ts';
import { loadSources } from '../sources/relay/connector.ts';
import type { Source } from '../sources/source.ts';
import type { Answer } from '../upstream/answer.ts';
import { capturesFolder } from './open-captures.ts';
import { captureById } from './select-captures.ts';
import { forTerminal, grouped, isConfirmed, plural, printResult } from './terminal.ts';

interface CaseOptions {
  readonly to?: string;
  readonly field?: string;
  readonly yes?: boolean;
  readonly json?: boolean;
}
/** An answer of a capture that fails by one reader. */
interface Failing {
  readonly reader: string;
  readonly answer: Answer;
  readonly judge: Judge;
  readonly input: object;
}

const judgeWith =
  (read: (answer: Answer, input: Input) => CapturedOutcome, answer: Answer, headers: Answer['headers']): Judge =>
  async ({ body, url, input }) => {
    try {
      return read({ ...answer, headers, body, url }, input as Input);
    } catch (error) {
      return { tag: 'defect', what: 'The reader throws.', detail: (error as Error).message };
    }
  };

/** The answers and readers of a capture that show a failure, those with the recorded outcome first. */
async function failingOf(capture: StoredCapture, sources: readonly Source[], field: string | undefined): Promise<readonly Failing[]> {
  const { source: name, operation, input, outcome } = capture.facts;
  const readers = Object.entries(sources.find(({ id }) => id === name)?.readers ?? {}).filter(([, entry]) => entry.operation === operation);
  const recorded = new Set(outcome ? failuresOf(outcome, field) : []);
  const failing: (Failing & { readonly isRecorded: boolean })[] = [];
  for (const answer of capture.exchanges.flatMap(({ sent }) => sent.at(-1)?.answer ?? []))
    for (const [reader, entry] of readers) {
      const judge = judgeWith(await entry.load(), answer, answer.headers);
      const given = { body: answer.body, url: answer.url, input: input ?? {} };
      const failures = failuresOf(await judge(given), field);
      if (failures.length > 0)
        failing.push({ reader, answer, judge, input: given.input, isRecorded: failures.some((one) => recorded.has(one)) });
    }
  return failing.sort((a, b) => Number(b.isRecorded) - Number(a.isRecorded));
}

/** Headers that the reader needs for the same failure: the content type alone, where that suffices. */
async function headersFor(
  { answer, judge }: Failing,
  made: CaseInput,
  field: string | undefined,
  read: (headers: Answer['headers']) => Judge,
): Promise<Answer['headers']> {
  const type = answer.headers['content-type'];
  const least: Answer['headers'] = type === undefined ? {} : { 'content-type': type };
  const failures = failuresOf(await judge(made), field);
  return failures[0] === failuresOf(await read(least)(made), field)[0] ? least : answer.headers;
}

/** The row of a case: what is right is not known, so that it says what must not come. */
function rowOf(id: string, file: string, failing: Failing, made: MadeCase, headers: Answer['headers'], outcome: CapturedOutcome) {
  const isFound = outcome.tag === 'found';
  const expected = isFound ? { outcome: 'found', notUnread: outcome.unread ?? [] } : { not: { outcome: outcome.tag } };
  const kind = isFound ? `unread: ${(outcome.unread ?? []).join(', ')}` : `${outcome.tag}: ${outcome.what ?? ''}`;
  const { reader, answer } = failing;
  const parse = { how: 'parse', reader, file, status: answer.status, headers, url: made.url, input: made.input };
  return { id, kind, ...parse, expected, why: 'state here what is right, and why', source: `a capture of ${answerDay(answer)}, reduced` };
}
type CaseRow = ReturnType<typeof rowOf>;
const answerDay = ({ atMs }: Answer): string => new Date(atMs).toISOString().slice(0, 10);

/** A case that was made of a capture, with its row; or why none was. */
export type PreparedCase =
  | {
      readonly ok: true;
      readonly made: MadeCase;
      readonly given: CaseInput;
      readonly row: CaseRow;
      readonly name: string;
      readonly file: string;
    }
  | { readonly ok: false; readonly why: string };

/** Makes a case of the answer of a capture that fails, or leaves a field unread, by today's readers. Nothing is written. */
export async function prepareCase(found: FoundCapture, sources: readonly Source[], field?: string): Promise<PreparedCase> {
  const capture = readCapture(found);
  const { capture: id, source } = capture.facts;
  const [failing] = await failingOf(capture, sources, field);
  if (!failing) {
    const what = field === undefined ? 'fails or leaves a field unread' : `leaves ${field} unread`;
    return {
      ok: false,
      why: `no single answer ${what} by today's readers; 'sightline captures export ${id} --warc FILE' hands the whole on`,
    };
  }
  const given = { body: failing.answer.body, url: failing.answer.url, input: failing.input };
  const result = await makeCase(given, failing.judge, Math.random, field);
  if (!result.ok) return result;
  const { made } = result;
  const read = await sources.find((one) => one.id === source && one.readers?.[failing.reader])?.readers?.[failing.reader]?.load();
  const headers = read ? await headersFor(failing, made, field, (least) => judgeWith(read, failing.answer, least)) : failing.answer.headers;
  const name = `${failing.reader.replace('/', '-')}-${id.slice(0, 8)}`;
  const file = `${name}.${/json|html/.exec(headers['content-type'] ?? '')?.[0] ?? 'txt'}`;
  const outcome = await failing.judge(made);
  const counted = field === undefined || outcome.tag !== 'found' ? outcome : { ...outcome, unread: [field] };
  return { ok: true, made, given, row: rowOf(name, file, failing, made, headers, counted), name, file };
}

/** `sightline captures case`: prints what would be written, and writes it after a yes. Exit code 1 where nothing was written. */
export async function makeCaptureCase(id: string, options: CaseOptions): Promise<void> {
  const settings = readSettings(process.env);
  const found = captureById(capturesFolder(settings), id);
  if (!found) throw new OperatorError(`There is no capture ${JSON.stringify(id)}: 'sightline captures list' shows those that there are.`);
  const prepared = await prepareCase(found, await loadSources(settings, process.env), options.field);
  if (!prepared.ok) throw new OperatorError(`No case can be made of capture ${id}: ${prepared.why}.`);
  const { made, given, row, name, file } = prepared;
  const folder = options.to ?? name;
  if (!options.json) process.stdout.write(`${forTerminal(described(made, given, row))}\n\n`);
  const ask = `Does it hold nothing that must not be shown, and shall it be written to ${folder}? [y/N] `;
  const writes = options.yes === true || (!options.json && process.stdin.isTTY === true && (await isConfirmed(ask)));
  if (writes) writeCase(folder, prepared);
  else process.exitCode = 1;
  const { texts, replaced, reduced, body } = made;
  const report = { ...row, body: body.toString(), bytes: { before: given.body.length, after: body.length }, texts, replaced, reduced };
  printResult(options.json, { ...report, folder: writes ? folder : null }, () =>
    writes
      ? `${folder}: ${file} and cases.ndjson. Write into the row what is right, and send both with your report.`
      : 'Nothing was written. Read what is printed above; --yes writes it.',
  );
}

function described(made: MadeCase, given: CaseInput, row: object): string {
  const size = made.reduced
    ? `${plural(given.body.length, 'byte')} became ${grouped(made.body.length)}`
    : `${plural(given.body.length, 'byte')}: an empty answer fails in the same way, so that nothing was left out`;
  return [
    `${size}; ${plural(made.replaced, 'personal value')} replaced. The answer as it would be written:`,
    '',
    made.body.toString(),
    '',
    'Its row:',
    '',
    JSON.stringify(row),
    '',
    made.texts.length > 0
      ? `Texts of the original, beside labels, keys and markup:\n${made.texts.map((text) => `  ${text}`).join('\n')}`
      : 'No text of the original is left, beside labels, keys and markup.',
  ].join('\n');
}

/** Throws an OperatorError where the folder exists, or cannot be written. */
export function writeCase(folder: string, { file, made, row }: Extract<PreparedCase, { ok: true }>): void {
  try {
    filledFolder(folder, () => {
      writeFileSync(join(folder, file), made.body, { mode: 0o600 });
      writeFileSync(join(folder, 'cases.ndjson'), `${JSON.stringify(row)}\n`, { mode: 0o600 });
    });
  } catch (error) {
    throw new OperatorError(`${unwritten(folder, error)}: name another folder by --to.`, { cause: error });
  }
}
