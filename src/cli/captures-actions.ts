import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { eraseCapture } from '../captures/erase.ts';
import { exportCase, exportWarc } from '../captures/export.ts';
import { capturesIn, type FoundCapture, readCapture } from '../captures/read-segments.ts';
import { segmentsIn } from '../captures/segments.ts';
import { type Verified, verifySegment } from '../captures/verify.ts';
import { type Input, operationList, operationOf } from '../contract/operations/index.ts';
import { realClock } from '../runtime/clock.ts';
import { OperatorError } from '../runtime/operator-error.ts';
import { createUuid7 } from '../runtime/uuid.ts';
import { readSettings } from '../settings.ts';
import { loadSources } from '../sources/relay/connector.ts';

import { VERSION } from '../upstream/http/user-agent.ts';
import { capturesFolder } from './open-captures.ts';
import { type CaptureFilter, selectCaptures } from './select-captures.ts';
import { forTerminal, table, terminalJson } from './terminal.ts';
import { UsageError } from './usage-error.ts';

const print = (text: string): void => void process.stdout.write(`${forTerminal(text)}\n`);
const folder = (): string => capturesFolder(readSettings(process.env));
const newId = createUuid7(realClock.now, randomBytes);

/** `sightline captures list`. */
export async function listCaptures(filter: CaptureFilter & { limit?: string; json?: boolean }): Promise<void> {
  const limit = filter.limit === undefined ? Number.POSITIVE_INFINITY : Number(filter.limit);
  if (!(limit >= 1)) throw new UsageError(`--limit is ${JSON.stringify(filter.limit)}: give a whole number of at least 1.`);
  const found: FoundCapture[] = [];
  for await (const one of selectCaptures(folder(), [], filter)) {
    found.push(one);
    if (found.length > limit) found.shift();
  }
  if (filter.json) {
    print(
      terminalJson(
        found.map(({ entry: { offset: _offset, length, sha256: _digest, ...entry }, file }) => ({ ...entry, bytes: length, file })),
      ),
    );
    return;
  }
  const rows = found.map(({ entry: e }) => [
    e.capture,
    e.at,
    e.source,
    e.operation ?? '',
    e.outcome ?? '',
    e.unread.join(' '),
    JSON.stringify(e.input),
  ]);
  print(table(['CAPTURE', 'AT', 'SOURCE', 'OPERATION', 'OUTCOME', 'UNREAD', 'INPUT'], rows));
}

async function findById(id: string): Promise<FoundCapture> {
  for await (const found of capturesIn(folder())) if (found.entry.capture === id) return found;
  throw new OperatorError(`There is no capture ${JSON.stringify(id)}: 'sightline captures list' shows those that there are.`);
}

/** `sightline captures show <id>`. */
export async function showCapture(id: string, options: { json?: boolean; body?: string | true }): Promise<void> {
  const found = await findById(id);
  const { facts, exchanges } = await readCapture(found);
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
  for await (const one of selectCaptures(folder(), [], options)) if (ids.length === 0 || ids.includes(one.entry.capture)) found.push(one);
  const lacking = ids.find((id) => !found.some(({ entry }) => entry.capture === id));
  if (lacking !== undefined) throw new OperatorError(`There is no capture ${JSON.stringify(lacking)} that the options allow.`);
  if (found.length === 0) throw new OperatorError('No capture matches: nothing was written.');
  try {
    if (options.warc !== undefined) {
      await exportWarc(found, target, { newId, nowMs: realClock.now(), version: VERSION });
      print(`${target}: ${found.length} captures`);
      return;
    }
    const sources = await loadSources(readSettings(process.env), process.env);
    const lines = await exportCase(found, target, (name, operation) => {
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
  for await (const found of capturesIn(folder())) {
    if (found.entry.operation !== operation.id || (input && !isDeepStrictEqual(found.entry.input, JSON.parse(JSON.stringify(input)))))
      continue;
    await eraseCapture(found, newId, realClock.now());
    erased++;
  }
  print(`${erased} ${erased === 1 ? 'capture' : 'captures'} of ${operation.id} erased`);
}

/** `sightline captures verify`: exit code 1 where a byte is damaged. */
export async function verifyCaptures(options: { json?: boolean }): Promise<void> {
  const all: (Verified & { file: string })[] = [];
  for (const { file } of segmentsIn(folder())) all.push({ file, ...(await verifySegment(file)) });
  const faults = all.flatMap((v) => v.faults);
  if (faults.length) process.exitCode = 1;
  const captures = all.reduce((sum, v) => sum + v.captures, 0);
  if (options.json) {
    print(
      terminalJson({
        segments: all.length,
        captures,
        faults,
        torn: all.flatMap(({ file, tornBytes }) => (tornBytes ? [{ file, tornBytes }] : [])),
      }),
    );
    return;
  }
  for (const { file, offset, capture, why } of faults)
    print(`${file}${offset === null ? '' : `, byte ${offset}`}${capture ? `, capture ${capture}` : ''}: ${why}`);
  for (const { file, tornBytes } of all)
    if (tornBytes) print(`${file}: the last ${tornBytes} bytes are a capture that was being written when its process ended; it is ignored`);
  print(`${captures} captures in ${all.length} segments: ${faults.length ? `${faults.length} damaged` : 'all sound'}`);
}
