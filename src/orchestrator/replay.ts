import type { CapturedOutcome, StoredCapture } from '../captures/capture.ts';
import { timeOf } from '../captures/capture-files.ts';
import { createRedaction, secretsOf } from '../captures/redaction.ts';
import { type Change, compare } from '../contract/compare.ts';
import { type Input, OPERATIONS, type OperationId } from '../contract/operations/index.ts';
import { type Clock, realClock } from '../runtime/clock.ts';
import { VERSION } from '../runtime/installation.ts';
import type { Settings } from '../settings.ts';
import type { Ports, Source } from '../sources/source.ts';
import type { Answer, Reply } from '../upstream/answer.ts';
import { bareHost } from '../upstream/http/guard.ts';
import type { Exchange, Http, Pace, Whois } from '../upstream/ports.ts';
import { type AttemptOutcome, type Check, DefectError } from './engine.ts';
import { createLocalEngine } from './local-engine.ts';

export interface ReplayParts {
  readonly sources: readonly Source[];
  readonly settings: Settings;
  readonly check: Check;
}
/** The recorded outcome, and the outcome of today's source on the same answers. */
export interface Replayed {
  readonly capture: StoredCapture;
  readonly before: CapturedOutcome;
  readonly after: CapturedOutcome;
  /** Fields of two `found` that differ; `unread` is the list of unread fields. */
  readonly differences: readonly Change[];
  readonly version: string;
}
/** `skipped`: why the capture cannot be replayed. */
export type Replay = Replayed | { readonly capture: StoredCapture; readonly skipped: string };

/** Longest replay of one attempt; nothing waits for a network. */
const MAX_MS = 60_000;

/** Makes a captured attempt again with engine and source of a live one. Each capture opens the source anew: no state passes between them. */
export async function replayCapture(
  { sources, settings, check }: ReplayParts,
  capture: StoredCapture,
  shared: readonly StoredCapture[],
): Promise<Replay> {
  const { source: name, operation, input, outcome: before, at } = capture.facts;
  if (!operation || !input || !before) return { capture, skipped: 'it is no capture of an attempt' };
  if (before.tag === 'timeout') return { capture, skipped: 'the attempt ran out of time' };
  if (!sources.some((s) => s.id === name && s.operations.includes(operation)))
    return { capture, skipped: `no source ${name} answers ${operation}` };
  const upstream = createCapturedUpstream(settings, capture, shared);
  const atMs = Date.parse(at);
  const clock: Clock = { now: () => atMs, sleep: realClock.sleep };
  const ports: Ports = { settings, ...upstream, clock, random: () => 0.5, log: () => {} };
  const engine = createLocalEngine(sources, ports, undefined, check);
  const after = await engine
    .attempt({ source: name, operation, input: input as Input, leftMs: MAX_MS })
    .then(parsed)
    .catch((error: unknown): CapturedOutcome => {
      if (!(error instanceof DefectError)) throw error;
      return { tag: 'defect', detail: error.message };
    });
  const [missing] = upstream.missing;
  if (missing !== undefined && after.tag !== before.tag) return { capture, skipped: `it holds no answer to ${missing}` };
  return { capture, before, after, differences: differencesOf(operation, before, after), version: VERSION };
}

const parsed = (outcome: AttemptOutcome): CapturedOutcome =>
  outcome.tag === 'found' ? { ...outcome, resource: JSON.parse(outcome.resource.bytes.toString()) as unknown } : outcome;

function differencesOf(operation: OperationId, before: CapturedOutcome, after: CapturedOutcome): readonly Change[] {
  if (before.tag !== 'found' || after.tag !== 'found') return [];
  const sorted = (fields: readonly string[] | undefined): string => [...(fields ?? [])].sort().join(', ');
  const [was, is] = [sorted(before.unread), sorted(after.unread)];
  const unread: readonly Change[] = was === is ? [] : [{ kind: 'changed', field: 'unread', key: null, before: was, after: is }];
  return [...compare(OPERATIONS[operation], before.resource, after.resource, { fields: 'every' }), ...unread];
}

const PACE: Pace = { take: async () => 0, rest: async () => {}, resting: async () => 0 };
const TOKEN = JSON.stringify({ access_token: 'replay', token_type: 'bearer', expires_in: 3_600 });

type AskedRequest = Exchange['asked'];
type StoredExchange = StoredCapture['exchanges'][number];
const keyOf = ({ method, url, body }: AskedRequest): string => `${method} ${url} ${body ?? ''}`;
const replyOf = ({ facts, sent }: StoredExchange): Reply => {
  const answer = sent.at(-1)?.answer;
  return facts.failure ?? (answer ? { tag: 'answer', answer } : refusal(keyOf(facts.asked)));
};
const refusal = (detail: string): Reply => ({ tag: 'refused', what: 'The capture holds no answer to this request.', detail });

/** The shared documents of the source as they were when the attempt ended: of each the latest before, or the first after. */
function documentsOf({ facts }: StoredCapture, shared: readonly StoredCapture[]): Iterable<StoredExchange> {
  const endedMs = timeOf(facts.capture);
  const documents = new Map<string, StoredExchange>();
  const own = shared.filter((one) => one.facts.source === facts.source).sort((a, b) => (a.facts.at < b.facts.at ? -1 : 1));
  for (const { facts: of, exchanges } of own)
    for (const exchange of exchanges) {
      const key = keyOf(exchange.facts.asked);
      if (!documents.has(key) || Date.parse(of.at) <= endedMs) documents.set(key, exchange);
    }
  return documents.values();
}

/** Answers from a capture, by method, URL and body, in order; `shared` has the documents of all attempts. A token endpoint gives its own. */
export function createCapturedUpstream(settings: Settings, capture: StoredCapture, shared: readonly StoredCapture[]) {
  const configured = secretsOf(settings);
  /** Requests to which the capture has no answer. */
  const missing: string[] = [];
  const replies = new Map<string, Reply[]>();
  const add = (exchange: StoredExchange) => {
    const key = keyOf(exchange.facts.asked);
    replies.set(key, [...(replies.get(key) ?? []), replyOf(exchange)]);
  };
  capture.exchanges.forEach(add);
  const own = new Set(replies.keys());
  for (const exchange of documentsOf(capture, shared)) if (!own.has(keyOf(exchange.facts.asked))) add(exchange);

  function reply(asked: AskedRequest, secrets: readonly string[]): Reply {
    const redaction = createRedaction([...secrets, ...configured]);
    const clean = { ...asked, url: redaction.url(asked.url), body: asked.body === null ? null : redaction.text(asked.body) };
    const recorded = replies.get(keyOf(clean));
    // asked more often than then: the last reply again
    const next = recorded && recorded.length > 1 ? recorded.shift() : recorded?.[0];
    if (next) return next;
    // the attempt went on, so that the robots.txt did not bar it
    if (/^https?:\/\/[^/]+\/robots\.txt$/.test(clean.url)) return answerOf(clean.url, 404, '');
    missing.push(keyOf(clean).trim());
    return refusal(clean.url);
  }
  const atMs = Date.parse(capture.facts.at);
  const answerOf = (url: string, status: number, text: string): Reply => {
    const answer: Answer = { status, headers: { 'content-type': 'application/json' }, body: Buffer.from(text), url, atMs };
    return { tag: 'answer', answer };
  };

  const http: Http = {
    async ask({ method = 'GET', url, body = null, credentials, secrets = [] }) {
      if (credentials) return answerOf(url, 200, TOKEN);
      return reply({ method, url: URL.canParse(url) ? new URL(url).href : url, body }, secrets);
    },
  };
  const whois: Whois = {
    ask: async ({ host, query }) => reply({ method: 'WHOIS', url: `whois://${bareHost(host)}`, body: query }, []),
  };
  return { http, whois, pace: PACE, missing };
}
