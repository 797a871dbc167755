import type { Input } from '../../contract/operations/index.ts';
import { type Answer, jsonOf } from '../../upstream/answer.ts';
import { unlessCutJson } from '../cut-answers.ts';
import { evidenceIn } from '../evidence.ts';
import { absent, changed, failureOfStatus, foreign, type NotFound, type Outcome, refusedInput } from '../outcome.ts';
import { type Attempt, type Ports, parse, parsersIn } from '../source.ts';
import type { SourceBudget } from '../source-budget.ts';
import type { Relay } from './config.ts';
import { outcomeOfMeaning, UNSAID } from './failures.ts';
import { requestOf } from './request.ts';

const payload = parsersIn<typeof import('./payload.ts')>(new URL('./payload.ts', import.meta.url));
const mapper = parsersIn<typeof import('./map.ts')>(new URL('./map.ts', import.meta.url));

const BY_STATUS = evidenceIn(new URL('./evidence.tsv', import.meta.url))('status of the provider');

/** The outcome of the provider's HTTP status. A page or an empty body is not the provider's own answer. A failure of the provider is no evidence about the platform. */
function outcomeOfStatus(relay: Relay, answer: Answer): NotFound | null {
  const { status } = answer;
  if (status >= 200 && status < 300) return null;
  if (relay.absentStatuses.includes(status)) {
    const isOwn = typeof jsonOf(answer) === 'object' && jsonOf(answer) !== null;
    if (isOwn) return absent(BY_STATUS, 'The data provider states that it does not exist.', `HTTP ${status}`);
    return unlessCutJson(foreign('The answer does not come from the data provider.', `HTTP ${status} without JSON`), answer);
  }
  // by these HTTP says that there is nothing; whether the provider means it is told by its text
  const isNothing = status === 404 || status === 410;
  if (isNothing && relay.reading.by === 'map' && relay.reading.absentWhen !== null) return null;
  const failure = relay.reading.by === 'map' && relay.reading.failures.find((one) => one.status === status);
  if (failure) return outcomeOfMeaning(failure.means, `HTTP ${status}`);
  return failureOfStatus(answer, { who: 'The data provider', gone: UNSAID, credentials: [401, 402, 403] });
}

const redact = (relay: Relay, outcome: Outcome): Outcome => {
  if (outcome.tag === 'found' || outcome.detail === undefined) return outcome;
  return { ...outcome, detail: relay.secrets.reduce((text, secret) => text.replaceAll(secret, '•••'), outcome.detail) };
};

/** One lookup at a data provider. */
export const askRelay = async (ports: Ports, budget: SourceBudget, relay: Relay, input: Input, attempt: Attempt): Promise<Outcome> =>
  redact(relay, await readRelay(ports, relay, (cursor) => askProvider(ports, budget, relay, input, cursor, attempt), input, attempt));

type ProviderReply = { tag: 'answer'; answer: Answer } | NotFound;
async function askProvider(
  ports: Ports,
  budget: SourceBudget,
  relay: Relay,
  input: Input,
  cursor: string,
  attempt: Attempt,
): Promise<ProviderReply> {
  const request = requestOf(relay, input, cursor);
  if (!request) return refusedInput('The data provider cannot be asked about this address.');
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
  ask: (cursor: string) => Promise<ProviderReply>,
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
