import type { Settings } from '../settings.ts';
import type { Answer, Reply } from '../upstream/answer.ts';
import { bareHost } from '../upstream/http/guard.ts';
import type { Http, Pace, Whois } from '../upstream/ports.ts';
import type { Exchange } from '../upstream/recorded-exchange.ts';
import type { StoredCapture } from './capture.ts';
import { timeOf } from './capture-files.ts';
import { createRedaction, secretsOf } from './redaction.ts';

/** Without pace and without pauses. */
const PACE: Pace = { take: async () => 0, rest: async () => {}, resting: async () => 0 };
const TOKEN = JSON.stringify({ access_token: 'replay', token_type: 'bearer', expires_in: 3_600 });

type Asked = Exchange['asked'];
type StoredExchange = StoredCapture['exchanges'][number];
const keyOf = ({ method, url, body }: Asked): string => `${method} ${url} ${body ?? ''}`;
const replyOf = ({ facts, sent }: StoredExchange): Reply => {
  const answer = sent.at(-1)?.answer;
  return facts.failure ?? (answer ? { tag: 'answer', answer } : refusal(keyOf(facts.asked)));
};
const refusal = (detail: string): Reply => ({ tag: 'refused', what: 'The capture holds no answer to this request.', detail });

/** The shared documents of the source as they were when the attempt ended: of each the latest before, or the first after. */
function documentsOf({ facts }: StoredCapture, shared: readonly StoredCapture[]): Iterable<StoredCapture['exchanges'][number]> {
  const endedMs = timeOf(facts.capture);
  const documents = new Map<string, StoredCapture['exchanges'][number]>();
  const own = shared.filter((one) => one.facts.source === facts.source).sort((a, b) => (a.facts.at < b.facts.at ? -1 : 1));
  for (const { facts: of, exchanges } of own)
    for (const exchange of exchanges) {
      const key = keyOf(exchange.facts.asked);
      if (!documents.has(key) || Date.parse(of.at) <= endedMs) documents.set(key, exchange);
    }
  return documents.values();
}

/**
 * Answers the requests of an attempt from its capture, by method, URL and body, in the order in which they were made. Documents that
 * attempts share come from `shared`. A token endpoint, which is never captured, gives a token of its own. No request leaves the process.
 */
export function createCapturedUpstream(settings: Settings, capture: StoredCapture, shared: readonly StoredCapture[]) {
  const configured = secretsOf(settings);
  /** Requests to which the capture has no answer. */
  const missing: string[] = [];
  const replies = new Map<string, Reply[]>();
  const add = (exchange: StoredCapture['exchanges'][number]) => {
    const key = keyOf(exchange.facts.asked);
    replies.set(key, [...(replies.get(key) ?? []), replyOf(exchange)]);
  };
  capture.exchanges.forEach(add);
  const own = new Set(replies.keys());
  for (const exchange of documentsOf(capture, shared)) if (!own.has(keyOf(exchange.facts.asked))) add(exchange);

  function reply(asked: Asked, secrets: readonly string[]): Reply {
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
  const at = Date.parse(capture.facts.at);
  const answerOf = (url: string, status: number, text: string): Reply => {
    const answer: Answer = { status, headers: { 'content-type': 'application/json' }, body: Buffer.from(text), url, at };
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
