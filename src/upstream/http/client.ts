import { isIP } from 'node:net';
import { unescape as decoded } from 'node:querystring';
import type { Dispatcher } from 'undici';
import type { Clock } from '../../runtime/clock.ts';
import type { Settings } from '../../settings.ts';
import type { Answer, Reply } from '../answer.ts';
import { takeTurn, usualRule } from '../pace.ts';
import type { Http, HttpRequest, Pace, SentRequest } from '../ports.ts';
import { ACCEPT_ENCODING, decode } from './decode.ts';
import { type Agents, agentsOf, createAgents, proxiesOf } from './dispatchers.ts';
import { BODY_TIMEOUT_MS, HEADERS_TIMEOUT_MS, signalOf, transfer, within } from './exchange.ts';
import { endless, failureOf, notAllowed, outOfTurn, safeUrl, tooSlow } from './failures.ts';
import { bareHost, formFault, type Lookup, systemLookup, urlFault } from './guard.ts';
import type { Hosts } from './host-map.ts';
import type { RequestSigner } from './request-signer.ts';
import { userAgent } from './user-agent.ts';

export interface HttpParts {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly pace: Pace;
  readonly hosts: Hosts;
  readonly lookup?: Lookup;
  /** Signs requests that ask for it; null: none is signed. */
  readonly signer?: RequestSigner | null;
  /** Replaces every connection (tests), without the guard. */
  readonly dispatcher?: Dispatcher;
}

const REDIRECTS = 5;
/** Largest answer that is read, on the wire and decoded, where the source sets no other limit. */
const MAX_RESPONSE_BYTES = 8_388_608;

/** `https://user:password@host` of a setting becomes Basic authentication (RFC 7617) and is removed from the URL. */
function takeCredentials(url: URL, headers: Record<string, string>): void {
  if (!url.username && !url.password) return;
  const pair = `${decoded(url.username)}:${decoded(url.password)}`;
  headers.authorization ??= `Basic ${Buffer.from(pair).toString('base64')}`;
  url.username = '';
  url.password = '';
}

/** The HTTP client of all sources. Connections are reused; `close` ends them, and running requests become `unreachable`. */
export function createHttp(parts: HttpParts): Http & { close(): Promise<void> } {
  const { settings, clock, pace, hosts, lookup = systemLookup } = parts;
  const proxies = proxiesOf(settings);
  let agents: Promise<Agents> | null = parts.dispatcher ? Promise.resolve(agentsOf(parts.dispatcher)) : null;
  let closed = false;

  const agent = userAgent(settings.SIGHTLINE_CONTACT);

  function headersOf(request: HttpRequest): Record<string, string> {
    const headers: Record<string, string> = { 'user-agent': agent, accept: '*/*', 'accept-encoding': ACCEPT_ENCODING };
    for (const [name, value] of Object.entries(request.headers ?? {})) headers[name.toLowerCase()] = value;
    delete headers.host; // always set from the URL
    return headers;
  }

  /** The dispatcher and origin for a URL, or the reason why it is refused. */
  function routeOf(url: URL, namedOrigin: string | null, { direct, guarded, trusted, opened }: Agents, rule: HttpRequest['opened']) {
    const malformed = formFault(url);
    if (malformed) return malformed;
    const mapped = hosts.http(url);
    if (mapped) {
      const address = mapped.address.includes(':') ? `[${mapped.address}]` : mapped.address;
      const headers = { host: url.host, 'x-forwarded-proto': url.protocol.slice(0, -1) };
      return { dispatcher: direct, origin: `http://${address}:${mapped.port}`, headers };
    }
    if (rule) {
      const host = bareHost(url.hostname);
      // a literal address is looked up nowhere
      const fault = isIP(host) ? rule(host) : null;
      return fault ?? { dispatcher: opened(rule), origin: url.origin };
    }
    const named = url.origin === namedOrigin;
    const fault = named ? null : (urlFault(url) ?? (namedOrigin === null ? null : 'a redirect away from an origin that a setting names'));
    if (fault) return fault;
    return { dispatcher: (named ? trusted : guarded)(url.protocol), origin: url.origin };
  }

  async function followRedirects(
    request: HttpRequest,
    first: URL,
    firstHeaders: Hop['headers'],
    untilMs: number,
    signal: AbortSignal,
    sent: SentRequest[] | null,
  ): Promise<Reply> {
    const namedOrigin = request.named ? first.origin : null;
    const maxBytes = request.maxBytes ?? MAX_RESPONSE_BYTES;
    const { firstByteMs: headersMs = HEADERS_TIMEOUT_MS, onBytes } = request;
    const limits = { clock, headersMs, bodyMs: BODY_TIMEOUT_MS, maxBytes, ...(onBytes && { onBytes }) };
    const redirects = request.redirects ?? REDIRECTS;
    let hop: Hop = { url: first, method: request.method ?? 'GET', headers: firstHeaders, body: request.body };
    for (let followed = 0; ; followed++) {
      const { url, method, body } = hop;
      const place = safeUrl(url);
      if (closed) return failureOf(new Error('closed'), place, false);
      agents ??= createAgents(lookup, proxies);
      const route = routeOf(url, namedOrigin, await agents, request.opened);
      if (typeof route === 'string') return notAllowed(place, route);
      const rule = request.pace ?? usualRule(url.hostname, settings);
      const waitMs = await takeTurn(pace, clock, rule, { ...request.attempt, signal }, untilMs - clock.now());
      if (waitMs > 0) return outOfTurn(place, waitMs);
      // each hop by itself, once it is its turn: a signature names the site that it is for, and is valid for a minute
      const signature = request.signed ? parts.signer?.headersFor(method, url) : undefined;
      const headers = signature ? { ...hop.headers, ...signature } : hop.headers;
      const options = { origin: route.origin, path: url.pathname + url.search, method, headers: { ...headers, ...route.headers } };
      const atMs = clock.now();
      const note = (answer: Answer | null) => sent?.push({ atMs, method, url: url.href, headers, body: body ?? null, answer });
      const result = await transfer(route.dispatcher, body === undefined ? options : { ...options, body }, limits, signal);
      if (!result.ok) {
        note(null);
        return result.error === null ? tooSlow(place) : failureOf(result.error, place, result.begun);
      }
      const { status, headers: received } = result;

      const next = redirects > 0 ? nextHop(hop, status, received.location, request) : null;
      // the body of a redirect is not read
      if (next) note({ status, headers: received, body: Buffer.alloc(0), url: url.href, atMs: clock.now() });
      if (next && 'refused' in next) return notAllowed(place, next.refused);
      if (next && followed >= redirects) return endless(place, `more than ${redirects} redirects`);
      if (next) {
        hop = next;
        continue;
      }
      const answer = { status, headers: received, body: result.body, url: url.href, atMs: clock.now() };
      const reply = await decode(answer, maxBytes, request.decodedByParser);
      note(reply.tag === 'answer' ? reply.answer : null);
      return reply;
    }
  }

  return {
    async ask(request) {
      if (!URL.canParse(request.url)) return notAllowed('the request', 'no URL');
      const url = new URL(request.url);
      url.hash = '';
      const headers = headersOf(request);
      if (request.named) takeCredentials(url, headers);
      const ended = signalOf(request);
      if (ended.aborted) return tooSlow(safeUrl(url));
      const record = request.credentials ? undefined : request.attempt.record;
      const sent: SentRequest[] | null = record ? [] : null;
      const reply = await within(clock, request.timeoutMs, ended, (signal, untilMs) =>
        followRedirects(request, url, headers, untilMs, signal, sent),
      );
      const { method = 'GET', body = null, shared = false, secrets = [] } = request;
      if (sent) record?.({ asked: { method, url: url.href, body }, sent, reply, shared, secrets });
      return reply;
    },
    async close() {
      closed = true;
      await (await agents)?.destroy();
    },
  };
}

interface Hop extends Required<Pick<HttpRequest, 'method' | 'headers'>> {
  readonly url: URL;
  readonly body: string | undefined;
}

const FOLLOWED = new Set([301, 302, 303, 307, 308]);
/** Headers that are sent to another origin. Any other header may be a credential, which is sent to its own origin only. */
const CARRIED_ELSEWHERE = /^(accept|accept-encoding|accept-language|user-agent|cache-control|if-none-match|if-modified-since)$/;
const only = (headers: Hop['headers'], keep: (name: string) => boolean): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => keep(name)));

/** The next hop of a redirect (RFC 9110, 15.4), the reason why it is not followed, or null if the answer is not a redirect. */
function nextHop(hop: Hop, status: number, location: string | undefined, { mayFollow }: HttpRequest): Hop | { refused: string } | null {
  if (!location || !FOLLOWED.has(status) || !URL.canParse(location, hop.url.href)) return null;
  const url = new URL(location, hop.url);
  url.hash = '';
  if (hop.url.protocol === 'https:' && url.protocol === 'http:') return { refused: 'a redirect from https to http' };
  if (mayFollow && !mayFollow(url)) return { refused: `a redirect to ${url.origin}` };
  let { method, body, headers } = hop;
  if ((status === 303 && method !== 'HEAD') || (method === 'POST' && status <= 302)) {
    method = 'GET';
    body = undefined;
    headers = only(headers, (name) => !name.startsWith('content-'));
  }
  if (url.origin === hop.url.origin) return { url, method, headers, body };
  if (body !== undefined) return { refused: `a redirect of a body to ${url.origin}` };
  return { url, method, headers: only(headers, (name) => CARRIED_ELSEWHERE.test(name)), body };
}
