import { readFile } from 'node:fs/promises';
import { type Input, OPERATIONS, type Operation, type OperationId, operationList } from '../../contract/operations/index.ts';
import { SettingError, type Settings } from '../../settings.ts';
import type { Answer } from '../../upstream/answer.ts';
import { screenPorts } from '../challenge.ts';
import { SOURCES } from '../index.ts';
import { absent, changed, limited, type NotFound, type Outcome, refused, retryAfterMs, unreachable } from '../outcome.ts';
import { parse, parsersIn } from '../parsers.ts';
import { readerOf } from '../readers.ts';
import type { Asks, Attempt, Source } from '../source.ts';
import { createSourceBudget } from '../source-budget.ts';
import { INPUTS, mapTexts, NEXT, parseRelays, type Reading, type Relay } from './config.ts';

const payload = parsersIn<typeof import('./payload.ts')>(new URL('./payload.ts', import.meta.url));
const mapper = parsersIn<typeof import('./map.ts')>(new URL('./map.ts', import.meta.url));

/** The input as strings, and the identifiers parsed from its URL. */
function textsOf(operation: OperationId, input: Input): Readonly<Record<string, string>> {
  const texts = Object.fromEntries(Object.entries(input).map(([name, value]) => [name, String(value)]));
  const parts = OPERATIONS[operation].parameters.map((p) => p.parts?.of(texts[p.field] ?? ''));
  return Object.assign(texts, ...parts);
}
/** The request to the provider; null if an identifier is missing (a short link has no id). */
export function requestOf(relay: Relay, input: Input, cursor = ''): { url: string; body: string | null } | null {
  const texts: Readonly<Record<string, string>> = { ...textsOf(relay.operation, input), [NEXT]: cursor };
  const identifiers = OPERATIONS[relay.operation].parameters.flatMap((p) => p.parts?.names ?? []);
  const given: Readonly<Record<string, unknown>> = { ...input };
  let isMissing = false;
  const textOf = (name: string): string => {
    if (texts[name] === undefined && identifiers.includes(name)) isMissing = true;
    return texts[name] ?? '';
  };
  const url = relay.url.map((piece) => (typeof piece === 'string' ? piece : encodeURIComponent(textOf(piece.input)))).join('');
  const body = mapTexts(relay.body, (text) => {
    // a text that is an input alone has its type: a number stays a number
    const [, alone] = /^\{(\w+)\}$/.exec(text) ?? [];
    const value = alone === undefined ? undefined : given[alone];
    return typeof value === 'number' ? value : text.replace(INPUTS, (_, name: string) => textOf(name));
  });
  return isMissing ? null : { url, body: relay.body === null ? null : JSON.stringify(body) };
}

/** Operations that a parser supports: those with the same input and resource. */
const operationsLike = (id: OperationId): readonly OperationId[] => {
  const shape = ({ resourceName, parameters }: Operation) => [resourceName, ...parameters.map((p) => p.field)].join(' ');
  return operationList.filter((o) => shape(o) === shape(OPERATIONS[id])).map((o) => o.id);
};

/** The outcome of the provider's HTTP status. A failure of the provider is no evidence about the platform. */
function outcomeOfStatus(relay: Relay, answer: Answer): NotFound | null {
  const { status } = answer;
  const detail = `HTTP ${status} of ${relay.id}`;
  if (status >= 200 && status < 300) return null;
  if (relay.absentStatuses.includes(status)) return absent('The data provider states that it does not exist.', detail);
  if (status === 429) return limited('The data provider limits the number of requests.', retryAfterMs(answer.headers, answer.at), detail);
  if (status >= 500) return unreachable('The data provider failed on its side.', detail);
  return refused('The data provider did not accept the request.', detail);
}

const redact = (relay: Relay, outcome: Outcome): Outcome => {
  if (outcome.tag === 'found' || outcome.detail === undefined) return outcome;
  return { ...outcome, detail: relay.secrets.reduce((text, secret) => text.replaceAll(secret, '•••'), outcome.detail) };
};

/** A source that asks a data provider and reads or maps its payload. */
export function relaySource(relay: Relay): Source {
  const { reading } = relay;
  const operations = reading.by === 'reader' ? operationsLike(relay.operation) : [relay.operation];
  const cap = { key: `relay/${relay.id}`, maxRequests: relay.maxRequestsPerDay, maxUsd: relay.maxUsdPerDay };
  return {
    id: relay.id,
    operations,
    needs: ['SIGHTLINE_RELAYS'],
    dailyCap: () => cap,
    knowsAbsence: true,
    // a short link has no id to insert into the URL
    serves: (_, input) => requestOf(relay, input) !== null,
    about: `data provider of SIGHTLINE_RELAYS, ${reading.by === 'reader' ? `read as ${reading.reader}` : 'mapped to the resource'}`,
    open(plain) {
      const ports = screenPorts(plain);
      const settings = `SIGHTLINE_RELAYS (maxRequestsPerDay, maxUsdPerDay of ${relay.id})`;
      const budget = createSourceBudget({ name: relay.id, ...cap, usdEach: relay.usdEach, settings }, ports);
      /** One request: the answer, or why there is none. */
      async function askProvider(input: Input, attempt: Attempt, cursor: string): Promise<{ tag: 'answer'; answer: Answer } | NotFound> {
        const request = requestOf(relay, input, cursor);
        if (!request) return refused('The data provider cannot be asked about this address.');
        const taken = await budget.take();
        if (taken.tag !== 'taken') return taken;
        const reply = await ports.http.ask({
          method: relay.method,
          url: request.url,
          headers: { accept: 'application/json', ...(request.body !== null && { 'content-type': 'application/json' }), ...relay.headers },
          ...(request.body !== null && { body: request.body }),
          maxBytes: relay.maxBytes,
          redirects: 0,
          named: true,
          secrets: relay.secrets,
          pace: { key: relay.id, everyMs: relay.everyMs, burst: 5 },
          signal: attempt.signal,
        });
        if (reply.tag !== 'answer') return reply;
        await taken.settle(relay.usdEach);
        return outcomeOfStatus(relay, reply.answer) ?? reply;
      }
      async function askReader(input: Input, attempt: Attempt, { reader, pointer }: ReaderReading): Promise<Outcome> {
        if (!readerOf(reader)) return refused('The data provider is not set up.', `no reader ${reader}`);
        const reply = await askProvider(input, attempt, '');
        return reply.tag === 'answer' ? parse(ports, payload('readPayload'), reply.answer, { pointer, reader, input }, attempt) : reply;
      }
      async function askPages(input: Input, attempt: Attempt, { map, next, absentWhen, maxPages }: MapReading): Promise<Outcome> {
        const earlier: string[] = [];
        for (let cursor = ''; ; ) {
          const reply = await askProvider(input, attempt, cursor);
          if (reply.tag !== 'answer') return reply;
          const given = { operation: relay.operation, input, map, next, absentWhen, earlier };
          const mapped = await parse(ports, mapper('readMapped'), reply.answer, given, attempt, 'thread');
          if (mapped.tag !== 'next') return mapped;
          earlier.push(mapped.text);
          // part of a list is never returned as the whole
          if (earlier.length >= maxPages || mapped.cursor === cursor)
            return changed('The data provider has more pages than are read.', `maxPages of ${relay.id} is ${maxPages}`);
          cursor = mapped.cursor;
        }
      }
      const ask = async (input: Input, attempt: Attempt): Promise<Outcome> =>
        redact(relay, await (reading.by === 'reader' ? askReader(input, attempt, reading) : askPages(input, attempt, reading)));
      return Object.fromEntries(operations.map((operation) => [operation, ask])) as Asks;
    },
  };
}
type ReaderReading = Extract<Reading, { by: 'reader' }>;
type MapReading = Extract<Reading, { by: 'map' }>;

/** All sources in order: relays placed before, the built-in sources, relays placed after. */
export const withRelays = (sources: readonly Source[], relays: readonly Relay[]): readonly Source[] => [
  ...relays.filter((r) => r.place === 'first').map(relaySource),
  ...sources,
  ...relays.filter((r) => r.place === 'last').map(relaySource),
];

/**
 * The sources of this installation: the built-in ones and those of the operator's relay file. Throws a SettingError if that file is
 * invalid, or if SIGHTLINE_SOURCES_OFF names no source.
 */
export async function loadSources(
  settings: Settings,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<readonly Source[]> {
  const sources = await sourcesWithRelays(settings, environment);
  const unknown = settings.SIGHTLINE_SOURCES_OFF.find((id) => !sources.some((source) => source.id === id));
  if (unknown === undefined) return sources;
  const ids = [...new Set(sources.map((source) => source.id))].join(', ');
  throw new SettingError(`SIGHTLINE_SOURCES_OFF has ${JSON.stringify(unknown)}, which is no source: choose from ${ids}`);
}

async function sourcesWithRelays(
  settings: Settings,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<readonly Source[]> {
  const file = settings.SIGHTLINE_RELAYS;
  if (file === null) return SOURCES;
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new SettingError(`SIGHTLINE_RELAYS names a file that cannot be read: ${error.message}`);
  });
  const relays = parseRelays(text, environment);
  await checkExpressions(relays);
  return withRelays(SOURCES, relays);
}

/** Throws a SettingError for an expression that JSONata does not accept. */
export async function checkExpressions(relays: readonly Relay[]): Promise<void> {
  for (const { id, reading } of relays) {
    if (reading.by === 'reader') continue;
    // JSONata is loaded only where it is used
    const { compileExpression, reasonOf } = await import('./map.ts');
    for (const field of ['map', 'next', 'absentWhen'] as const) {
      try {
        compileExpression(reading[field] ?? '$');
      } catch (error) {
        throw new SettingError(`SIGHTLINE_RELAYS: ${field} of ${id} is no JSONata expression: ${reasonOf(error)}`);
      }
    }
  }
}
