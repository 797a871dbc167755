import { readFile } from 'node:fs/promises';
import { type Input, OPERATIONS, type Operation, type OperationId, operationList } from '../../contract/operations/index.ts';
import { SettingError, type Settings } from '../../settings.ts';
import type { Answer } from '../../upstream/answer.ts';
import { screenPorts } from '../challenge.ts';
import { SOURCES } from '../index.ts';
import { absent, limited, type NotFound, type Outcome, refused, retryAfterMs, unreachable } from '../outcome.ts';
import { parse, parsersIn } from '../parsers.ts';
import { readerOf } from '../readers.ts';
import type { Asks, Attempt, Source } from '../source.ts';
import { createSourceBudget } from '../source-budget.ts';
import { parseRelays, type Relay } from './config.ts';

const payload = parsersIn<typeof import('./payload.ts')>(new URL('./payload.ts', import.meta.url));

/** The input as strings, and the identifiers parsed from its URL. */
function textsOf(operation: OperationId, input: Input): Readonly<Record<string, string>> {
  const texts = Object.fromEntries(Object.entries(input).map(([name, value]) => [name, String(value)]));
  const parts = OPERATIONS[operation].parameters.map((p) => p.parts?.of(texts[p.field] ?? ''));
  return Object.assign(texts, ...parts);
}
/** The URL of the request; null if an identifier is missing (a short link has no id). */
function addressOf(relay: Relay, input: Input): string | null {
  const texts = textsOf(relay.operation, input);
  const identifiers = OPERATIONS[relay.operation].parameters.flatMap((p) => p.parts?.names ?? []);
  const pieces = relay.url.map((piece) => {
    if (typeof piece === 'string') return piece;
    const text = texts[piece.input];
    return text === undefined && identifiers.includes(piece.input) ? null : encodeURIComponent(text ?? '');
  });
  return pieces.includes(null) ? null : pieces.join('');
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

/** A source that requests a data provider and parses its payload. */
export function relaySource(relay: Relay): Source {
  const operations = operationsLike(relay.operation);
  const cap = { key: `relay/${relay.id}`, maxRequests: relay.maxRequestsPerDay, maxUsd: relay.maxUsdPerDay };
  return {
    id: relay.id,
    operations,
    needs: ['SIGHTLINE_RELAYS'],
    dailyCap: () => cap,
    knowsAbsence: true,
    // a short link has no id to insert into the URL
    serves: (_, input) => addressOf(relay, input) !== null,
    about: `data provider of SIGHTLINE_RELAYS, read as ${relay.reader}`,
    open(plain) {
      const ports = screenPorts(plain);
      const settings = `SIGHTLINE_RELAYS (maxRequestsPerDay, maxUsdPerDay of ${relay.id})`;
      const budget = createSourceBudget({ name: relay.id, ...cap, usdEach: relay.usdEach, settings }, ports);
      const ask = async (input: Input, attempt: Attempt): Promise<Outcome> => {
        const url = addressOf(relay, input);
        if (url === null) return refused('The data provider cannot be asked about this address.');
        if (!readerOf(relay.reader)) return refused('The data provider is not set up.', `no reader ${relay.reader}`);
        const taken = await budget.take();
        if (taken.tag !== 'taken') return taken;
        const reply = await ports.http.ask({
          url,
          headers: { accept: 'application/json', ...relay.headers },
          maxBytes: relay.maxBytes,
          redirects: 0,
          named: true,
          secrets: relay.secrets,
          pace: { key: relay.id, everyMs: relay.everyMs, burst: 5 },
          signal: attempt.signal,
        });
        if (reply.tag !== 'answer') return redact(relay, reply);
        await taken.settle(relay.usdEach);
        const failure = outcomeOfStatus(relay, reply.answer);
        if (failure) return failure;
        return redact(
          relay,
          await parse(ports, payload('readPayload'), reply.answer, { pointer: relay.pointer, reader: relay.reader, input }, attempt),
        );
      };
      return Object.fromEntries(operations.map((operation) => [operation, ask])) as Asks;
    },
  };
}

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
  return withRelays(SOURCES, parseRelays(text, environment));
}
