import { readFile } from 'node:fs/promises';
import { type Input, OPERATIONS, type Operation, type OperationId, operationList } from '../../contract/operations/index.ts';
import { SettingError, type Settings } from '../../settings.ts';
import { type Answer, jsonOf } from '../../upstream/answer.ts';
import { evidenceIn } from '../evidence.ts';
import { SOURCES } from '../index.ts';
import { absent, changed, failureOfStatus, foreign, type NotFound, type Outcome, refused } from '../outcome.ts';
import { type Asks, type Attempt, lazily, type Ports, parse, parsersIn, type Source } from '../source.ts';
import type { SourceBudget } from '../source-budget.ts';
import type { Relay } from './config.ts';
import { requestOf } from './request.ts';

const payload = parsersIn<typeof import('./payload.ts')>(new URL('./payload.ts', import.meta.url));
const mapper = parsersIn<typeof import('./map.ts')>(new URL('./map.ts', import.meta.url));

/** Operations that a parser supports: those with the same input and resource. */
const operationsLike = (id: OperationId): readonly OperationId[] => {
  const shape = ({ resourceName, parameters }: Operation) => [resourceName, ...parameters.map((p) => p.field)].join(' ');
  return operationList.filter((o) => shape(o) === shape(OPERATIONS[id])).map((o) => o.id);
};

const BY_STATUS = evidenceIn(new URL('./evidence.tsv', import.meta.url))('status of the provider');

/** The outcome of the provider's HTTP status. A page or an empty body is not the provider's own answer. A failure of the provider is no evidence about the platform. */
function outcomeOfStatus(relay: Relay, answer: Answer): NotFound | null {
  const { status } = answer;
  if (status >= 200 && status < 300) return null;
  if (relay.absentStatuses.includes(status)) {
    const isOwn = typeof jsonOf(answer) === 'object' && jsonOf(answer) !== null;
    if (isOwn) return absent(BY_STATUS, 'The data provider states that it does not exist.', `HTTP ${status}`);
    return foreign('The answer does not come from the data provider.', `HTTP ${status} without JSON`);
  }
  return failureOfStatus(answer, { who: 'The data provider', credentials: [401, 402, 403] });
}

const redact = (relay: Relay, outcome: Outcome): Outcome => {
  if (outcome.tag === 'found' || outcome.detail === undefined) return outcome;
  return { ...outcome, detail: relay.secrets.reduce((text, secret) => text.replaceAll(secret, '•••'), outcome.detail) };
};

export function relaySource(relay: Relay): Source {
  const { id, reading } = relay;
  const operations = reading.by === 'reader' ? operationsLike(relay.operation) : [relay.operation];
  return lazily({
    id,
    operations,
    needs: ['SIGHTLINE_RELAYS'],
    dailyCap: () => ({
      key: id,
      maxRequests: relay.maxRequestsPerDay,
      maxUsd: relay.maxUsdPerDay,
      usdEach: relay.usdEach,
      settings: `SIGHTLINE_RELAYS (maxRequestsPerDay, maxUsdPerDay of ${id})`,
    }),
    // a short link has no id to insert into the URL
    serves: (_, input) => requestOf(relay, input) !== null,
    about: `data provider of SIGHTLINE_RELAYS, ${reading.by === 'reader' ? `read as ${reading.reader}` : 'mapped to the resource'}`,
    load: async () => (ports, budget) => {
      const ask = async (input: Input, attempt: Attempt): Promise<Outcome> =>
        redact(relay, await readRelay(ports, relay, (cursor) => askProvider(ports, budget, relay, input, cursor, attempt), input, attempt));
      return Object.fromEntries(operations.map((operation) => [operation, ask])) as Asks;
    },
  });
}

type Asked = { tag: 'answer'; answer: Answer } | NotFound;
async function askProvider(
  ports: Ports,
  budget: SourceBudget,
  relay: Relay,
  input: Input,
  cursor: string,
  attempt: Attempt,
): Promise<Asked> {
  const request = requestOf(relay, input, cursor);
  if (!request) return refused('The data provider cannot be asked about this address.');
  const taken = await budget.take();
  if (taken.tag !== 'taken') return taken;
  const body = request.body !== null && { body: request.body };
  const reply = await ports.http.ask({
    method: relay.method,
    url: request.url,
    headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }), ...relay.headers },
    ...body,
    maxBytes: relay.maxBytes,
    redirects: 0,
    named: true,
    secrets: relay.secrets,
    pace: { key: relay.id, everyMs: relay.everyMs, burst: 5 },
    attempt,
  });
  if (reply.tag !== 'answer') return reply;
  await taken.settle(relay.usdEach);
  return outcomeOfStatus(relay, reply.answer) ?? reply;
}

async function readRelay(
  ports: Ports,
  { id, operation, reading }: Relay,
  ask: (cursor: string) => Promise<Asked>,
  input: Input,
  attempt: Attempt,
): Promise<Outcome> {
  if (reading.by === 'reader') return parse(ports, payload('readPayload'), await ask(''), { ...reading, input }, attempt);
  const earlier: string[] = [];
  for (let cursor = ''; ; ) {
    const mapped = await parse(
      ports,
      mapper('readMapped'),
      await ask(cursor),
      { ...reading, operation, input, earlier },
      attempt,
      'thread',
    );
    if (mapped.tag !== 'next') return mapped;
    earlier.push(mapped.text);
    // part of a list is never returned as the whole
    if (earlier.length >= reading.maxPages || mapped.cursor === cursor)
      return changed('The data provider has more pages than are read.', `maxPages of ${id} is ${reading.maxPages}`);
    cursor = mapped.cursor;
  }
}

export const withRelays = (sources: readonly Source[], relays: readonly Relay[]): readonly Source[] => [
  ...relays.filter((r) => r.place === 'first').map(relaySource),
  ...sources,
  ...relays.filter((r) => r.place === 'last').map(relaySource),
];

/** The built-in sources and relays. Throws a SettingError if the relay file is invalid or SIGHTLINE_SOURCES_OFF names no source. */
export async function loadSources(
  settings: Settings,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<readonly Source[]> {
  const file = settings.SIGHTLINE_RELAYS;
  const sources = withRelays(SOURCES, file === null ? [] : await readRelays(file, environment));
  const unknown = settings.SIGHTLINE_SOURCES_OFF.find((id) => !sources.some((source) => source.id === id));
  if (unknown === undefined) return sources;
  const ids = [...new Set(sources.map((source) => source.id))].join(', ');
  throw new SettingError(`SIGHTLINE_SOURCES_OFF has ${JSON.stringify(unknown)}, which is no source: choose from ${ids}`);
}

async function readRelays(file: string, environment: Readonly<Record<string, string | undefined>>): Promise<readonly Relay[]> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new SettingError(`SIGHTLINE_RELAYS names a file that cannot be read: ${error.message}`);
  });
  const relays = (await import('./config.ts')).parseRelays(text, environment);
  await checkExpressions(relays);
  return relays;
}

/** Throws a SettingError for an expression that JSONata does not accept. JSONata is loaded only where it is used. */
export async function checkExpressions(relays: readonly Relay[]): Promise<void> {
  for (const { id, reading } of relays) {
    if (reading.by === 'reader') continue;
    const { default: jsonata } = await import('jsonata');
    const { reasonOf } = await import('./map.ts');
    for (const field of ['map', 'next', 'absentWhen'] as const)
      try {
        jsonata(reading[field] ?? '$');
      } catch (error) {
        throw new SettingError(`SIGHTLINE_RELAYS: ${field} of ${id} is no JSONata expression: ${reasonOf(error)}`);
      }
  }
}
