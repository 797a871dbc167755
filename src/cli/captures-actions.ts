import { rmSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { captureFilesIn } from '../captures/capture-files.ts';
import { exportCase, exportWarc } from '../captures/export.ts';
import { capturesIn, type Fault, type FoundCapture, readCapture, verifyCapture } from '../captures/read-captures.ts';
import { type Input, operationList, operationOf } from '../contract/operations/index.ts';
import { OperatorError } from '../runtime/operator-error.ts';
import { readSettings } from '../settings.ts';
import { loadSources } from '../sources/relay/connector.ts';
import { capturesFolder } from './open-captures.ts';
import { type CaptureFilter, selectCaptures, warnOfFault } from './select-captures.ts';
import { forTerminal, table, terminalJson } from './terminal.ts';
import { UsageError } from './usage-error.ts';

const print = (text: string): void => void process.stdout.write(`${forTerminal(text)}\n`);
const folder = (): string => capturesFolder(readSettings(process.env));

/** `sightline captures list`. */
export async function listCaptures(filter: CaptureFilter & { limit?: string; json?: boolean }): Promise<void> {
  const limit = filter.limit === undefined ? Number.POSITIVE_INFINITY : Number(filter.limit);
  if (!(limit >= 1)) throw new UsageError(`--limit is ${JSON.stringify(filter.limit)}: give a whole number of at least 1.`);
  const found: FoundCapture[] = [];
  for (const one of selectCaptures(folder(), [], filter)) {
    found.push(one);
    if (found.length > limit) found.shift();
  }
  if (filter.json) {
    const listed = found.map(({ facts: { exchanges: _exchanges, version: _version, outcome, ...facts }, length, file }) => {
      return { ...facts, outcome: outcome?.tag ?? null, unread: outcome?.unread ?? [], bytes: length, file };
    });
    print(terminalJson(listed));
    return;
  }
  const rows = found.map(({ facts: { capture, at, source, operation, outcome, input } }) => [
    capture,
    at,
    source,
    operation ?? '',
    outcome?.tag ?? '',
    (outcome?.unread ?? []).join(' '),
    JSON.stringify(input),
  ]);
  print(table(['CAPTURE', 'AT', 'SOURCE', 'OPERATION', 'OUTCOME', 'UNREAD', 'INPUT'], rows));
}

function findById(id: string): FoundCapture {
  const [found] = capturesIn(folder(), warnOfFault, (file) => file.id === id);
  if (found) return found;
  throw new OperatorError(`There is no capture ${JSON.stringify(id)}: 'sightline captures list' shows those that there are.`);
}

/** `sightline captures show <id>`. */
export async function showCapture(id: string, options: { json?: boolean; body?: string | true }): Promise<void> {
  const found = findById(id);
  const { facts, exchanges } = readCapture(found);
  const answers = exchanges.flatMap(({ sent }) => sent.flatMap(({ answer }) => answer ?? []));
  if (options.body !== undefined) {
    const number = options.body === true ? answers.length : Number(options.body);
    const answer = answers[number - 1];
    if (!answer) throw new UsageError(`--body is ${JSON.stringify(options.body)}: the capture has the answers 1 to ${answers.length}.`);
    process.stdout.write(process.stdout.isTTY ? forTerminal(answer.body.toString()) : answer.body);
    return;
  }
  if (options.json) {
    print(terminalJson({ ...facts, file: found.file }));
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
  print(table(['FACT', 'VALUE'], rows));
  let number = 0;
  for (const { facts: exchange, sent } of exchanges) {
    for (const { method, url, body, answer } of sent) {
      const asked = `${method} ${url}${method === 'WHOIS' ? ` ${body}` : ''}`;
      print(answer ? `${++number}. ${asked}: ${answer.status}, ${answer.body.length} bytes` : `-  ${asked}: no answer`);
    }
    if (exchange.failure) print(`   ${exchange.failure.tag}: ${exchange.failure.detail ?? exchange.failure.what}`);
  }
}

export interface ExportOptions extends CaptureFilter {
  readonly warc?: string;
  readonly case?: string;
}
/** `sightline captures export [ids…]`. */
export async function exportCaptures(ids: readonly string[], options: ExportOptions): Promise<void> {
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
      print(`${target}: ${found.length} captures`);
      return;
    }
    const sources = await loadSources(readSettings(process.env), process.env);
    const lines = exportCase(found, target, (name, operation) => {
      const readers = sources.find((s) => s.id === name)?.readers ?? {};
      return Object.entries(readers).flatMap(([reader, entry]) => (entry.operation === operation ? [reader] : []));
    });
    print(
      `${target}: ${found.length} captures, ${lines} lines in expected.ndjson (cd ${target} && sightline parse --ndjson <expected.ndjson)`,
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new OperatorError(`${target} exists already: name another one.`);
  }
}

/** `sightline captures purge --operation … --input name=value …`. */
export async function purgeCaptures(options: { operation: string; input?: readonly string[] }): Promise<void> {
  const operation = operationOf(options.operation);
  if (!operation)
    throw new UsageError(
      `There is no operation ${JSON.stringify(options.operation)}: choose one of ${operationList.map((o) => o.id).join(', ')}.`,
    );
  let input: Input | null = null;
  if (options.input) {
    const pairs = options.input.map((text): [string, string] => {
      const at = text.indexOf('=');
      if (at < 1) throw new UsageError(`--input is ${JSON.stringify(text)}: write name=value, such as domain=example.com.`);
      return [text.slice(0, at), text.slice(at + 1)];
    });
    const read = operation.readInput(pairs);
    if (!read.ok) throw new UsageError(read.why);
    input = read.value;
  }
  let erased = 0;
  const onFault = (fault: Fault): void => {
    warnOfFault(fault);
    process.exitCode = 1;
  };
  for (const { facts, file } of capturesIn(folder(), onFault)) {
    if (facts.operation !== operation.id || (input && !isDeepStrictEqual(facts.input, JSON.parse(JSON.stringify(input))))) continue;
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
  if (options.json) {
    print(terminalJson({ files: files.length, captures, faults }));
    return;
  }
  for (const { file, offset, capture, why } of faults)
    print(`${file}${offset === null ? '' : `, byte ${offset}`}, capture ${capture}: ${why}`);
  print(`${captures} captures in ${files.length} files: ${faults.length ? `${faults.length} damaged` : 'all sound'}`);
}
