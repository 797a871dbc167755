import { rmSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { captureFilesIn } from '../captures/capture-files.ts';
import type { Fault, FoundCapture } from '../captures/read-captures.ts';
import { capturesIn, exportCase, exportWarc, readCapture, verifyCapture } from '../captures/read-captures.ts';
import { unwritten } from '../runtime/unread-file.ts';
import { OperatorError, readSettings } from '../settings.ts';
import { loadSources } from '../sources/relay/connector.ts';
import { capturesFolder } from './open-captures.ts';
import { operationNamed, pairsOf, UsageError } from './option-values.ts';
import { type CaptureFilter, captureById, selectCaptures, warnOfFault } from './select-captures.ts';
import { forTerminal, plural, printResult, table, tableWith } from './terminal.ts';

const print = (text: string): void => void process.stdout.write(`${forTerminal(text)}\n`);
const folder = (): string => capturesFolder(readSettings(process.env));

export async function listCaptures(filter: CaptureFilter & { limit?: string; json?: boolean }): Promise<void> {
  const limit = filter.limit === undefined ? Number.POSITIVE_INFINITY : Number(filter.limit);
  if (!(limit >= 1)) throw new UsageError(`--limit is ${JSON.stringify(filter.limit)}: give a whole number of at least 1.`);
  const found: FoundCapture[] = [];
  for (const one of selectCaptures(folder(), [], filter)) {
    found.push(one);
    if (found.length > limit) found.shift();
  }
  const listed = found.map(({ facts: { exchanges: _exchanges, version: _version, outcome, ...facts }, length, file }) => {
    return { ...facts, outcome: outcome?.tag ?? null, unread: outcome?.unread ?? [], bytes: length, file };
  });
  const tableOf = tableWith<(typeof listed)[number]>({
    CAPTURE: 'capture',
    AT: 'at',
    SOURCE: 'source',
    OPERATION: 'operation',
    OUTCOME: 'outcome',
    UNREAD: ({ unread }) => unread.join(' '),
    INPUT: ({ input }) => JSON.stringify(input),
  });
  printResult(filter.json, listed, () => tableOf(listed));
}

export async function showCapture(id: string, options: { json?: boolean; body?: string | true }): Promise<void> {
  const found = captureById(folder(), id);
  if (!found) throw new OperatorError(`There is no capture ${JSON.stringify(id)}: 'sightline captures list' shows those that there are.`);
  const { facts, exchanges } = readCapture(found);
  const answers = exchanges.flatMap(({ sent }) => sent.flatMap(({ answer }) => answer ?? []));
  if (options.body !== undefined) {
    const number = options.body === true ? answers.length : Number(options.body);
    const answer = answers[number - 1];
    if (!answer) throw new UsageError(`--body is ${JSON.stringify(options.body)}: the capture has the answers 1 to ${answers.length}.`);
    process.stdout.write(process.stdout.isTTY ? forTerminal(answer.body.toString()) : answer.body);
    return;
  }
  const { outcome } = facts;
  const rows = [
    ['capture', facts.capture],
    ['file', found.file],
    ['at', facts.at],
    ['source', facts.source],
    ['operation', facts.operation ?? ''],
    ['input', JSON.stringify(facts.input)],
    ['request', facts.requestId ?? ''],
    ['outcome', [outcome?.tag, outcome?.what].filter(Boolean).join(': ')],
    ['detail', outcome?.detail ?? ''],
    ['unread', (outcome?.unread ?? []).join(', ')],
    ['version', facts.version],
  ].filter(([, value]) => value !== '');
  let number = 0;
  const asked = exchanges.flatMap(({ facts: { failure }, sent }) => [
    ...sent.map(({ method, url, body, answer }) => {
      const request = `${method} ${url}${method === 'WHOIS' ? ` ${body}` : ''}`;
      return answer ? `${++number}. ${request}: ${answer.status}, ${plural(answer.body.length, 'byte')}` : `-  ${request}: no answer`;
    }),
    ...(failure ? [`   ${failure.tag}: ${failure.detail ?? failure.what}`] : []),
  ]);
  printResult(options.json, { ...facts, file: found.file }, () => [table(['FACT', 'VALUE'], rows), ...asked].join('\n'));
}

export async function exportCaptures(ids: readonly string[], options: CaptureFilter & { warc?: string; case?: string }): Promise<void> {
  const target = options.warc ?? options.case;
  if (target === undefined || (options.warc !== undefined && options.case !== undefined))
    throw new UsageError('Give one of --warc <file> and --case <folder>.');
  const found: FoundCapture[] = [];
  for (const one of selectCaptures(folder(), [], options)) if (ids.length === 0 || ids.includes(one.facts.capture)) found.push(one);
  const lacking = ids.find((id) => !found.some(({ facts }) => facts.capture === id));
  if (lacking !== undefined) throw new OperatorError(`There is no capture ${JSON.stringify(lacking)} that the options allow.`);
  if (found.length === 0) throw new OperatorError('No capture matches: nothing was written.');
  try {
    if (options.warc !== undefined) {
      exportWarc(found, target, warnOfFault);
      print(`${target}: ${plural(found.length, 'capture')}`);
      return;
    }
    const sources = await loadSources(readSettings(process.env), process.env);
    const lines = exportCase(found, target, (name, operation) => {
      const readers = sources.flatMap((source) => (source.id === name ? Object.entries(source.readers ?? {}) : []));
      return readers.flatMap(([reader, entry]) => (entry.operation === operation ? [reader] : []));
    });
    print(
      `${target}: ${plural(found.length, 'capture')}, ${plural(lines, 'line')} in expected.ndjson (cd ${target} && sightline parse --ndjson <expected.ndjson)`,
    );
  } catch (error) {
    throw new OperatorError(`${unwritten(target, error)}: name another one.`, { cause: error });
  }
}

export async function purgeCaptures(options: { operation: string; input?: readonly string[] }): Promise<void> {
  const operation = operationNamed(options.operation);
  const read = options.input && operation.readInput(pairsOf(options.input, '--input', 'domain=example.com'));
  if (read?.ok === false) throw new UsageError(read.why);
  const input = read ? JSON.parse(JSON.stringify(read.value)) : null;
  let erased = 0;
  const onFault = (fault: Fault): void => {
    warnOfFault(fault);
    process.exitCode = 1;
  };
  for (const { facts, file } of capturesIn(folder(), onFault)) {
    if (facts.operation !== operation.id || (input && !isDeepStrictEqual(facts.input, input))) continue;
    rmSync(file, { force: true });
    erased++;
  }
  print(`${erased} ${erased === 1 ? 'capture' : 'captures'} of ${operation.id} erased`);
}

/** `sightline captures verify`: exit code 1 where a byte is damaged. */
export async function verifyCaptures(options: { json?: boolean }): Promise<void> {
  const files = captureFilesIn(folder());
  const faults = files.flatMap((file) => verifyCapture(file) ?? []);
  if (faults.length) process.exitCode = 1;
  const damaged = new Set(faults.map(({ file }) => file));
  const captures = files.filter(({ file, isShared }) => !isShared && !damaged.has(file)).length;
  const placeOf = ({ file, offset }: Fault): string => `${file}${offset === null ? '' : `, byte ${offset}`}`;
  const lines = faults.map((fault) => `${placeOf(fault)}, capture ${fault.capture}: ${fault.why}`);
  const total = `${plural(captures, 'capture')} in ${plural(files.length, 'file')}: ${faults.length ? `${faults.length} damaged` : 'all sound'}`;
  printResult(options.json, { files: files.length, captures, faults }, () => [...lines, total].join('\n'));
}
