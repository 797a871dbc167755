import { connect } from 'node:net';
import type { Reply } from './answer.ts';
import type { HttpParts } from './http/client.ts';
import { BODY_TIMEOUT_MS, Body, CONNECT_TIMEOUT_MS, HEADERS_TIMEOUT_MS, signalOf, startStallTimer, within } from './http/exchange.ts';
import { failureOf, notAllowed, outOfTurn, TooLarge, TooSlow, tooSlow } from './http/failures.ts';
import { bareHost, hostFault, pinned, systemLookup } from './http/guard.ts';
import { takeTurn, usualRule } from './pace.ts';
import type { Whois, WhoisRequest } from './ports.ts';

const PORT = 43;
const MAX_BYTES = 1_048_576;

/** WHOIS client (RFC 3912): one query per connection, read to the end. An empty answer is an answer, which the parser interprets. */
export function createWhois(parts: Omit<HttpParts, 'dispatcher'>): Whois {
  const { settings, clock, pace, hosts, lookup = systemLookup } = parts;
  const checked = pinned(lookup);
  const patience = { clock, headersMs: HEADERS_TIMEOUT_MS, bodyMs: BODY_TIMEOUT_MS };

  function exchange(host: string, port: number, query: string, maxBytes: number, signal: AbortSignal): Promise<Reply> {
    const place = `whois://${host}`;
    return new Promise((resolve) => {
      const target = hosts.whois(host, port);
      const socket = target
        ? connect({ host: target.address, port: target.port })
        : connect({ host, port, lookup: checked, autoSelectFamily: true });
      const body = new Body();
      const end = (reply: Reply) => {
        signal.removeEventListener('abort', stop);
        idle.end();
        socket.destroy();
        resolve(reply);
      };
      const stop = () => end(tooSlow(place));
      signal.addEventListener('abort', stop, { once: true });
      let idle = startStallTimer({ ...patience, headersMs: CONNECT_TIMEOUT_MS }, () =>
        end(failureOf(new TooSlow('no connection'), place, false)),
      );
      socket.once('connect', () => {
        idle.end();
        idle = startStallTimer(patience, () => end(failureOf(new TooSlow('no further byte'), place, body.size > 0)));
        // not half-closed: some servers then treat the client as disconnected
        socket.write(`${query}\r\n`);
      });
      socket.on('data', (chunk) => {
        idle.heard(true);
        if (body.size + chunk.length > maxBytes) end(failureOf(new TooLarge(`more than ${maxBytes} bytes`), place, true));
        else body.add(chunk);
      });
      socket.once('error', (error) => end(failureOf(error, place, body.size > 0)));
      socket.once('end', () =>
        end({ tag: 'answer', answer: { status: 200, headers: {}, body: body.join(), url: place, atMs: clock.now() } }),
      );
    });
  }

  async function ask(request: WhoisRequest, untilMs: number, signal: AbortSignal): Promise<Reply> {
    const { port = PORT, query } = request;
    const host = bareHost(request.host);
    const place = `whois://${host}`;
    if (/[\r\n\0]/.test(query)) return notAllowed(place, 'a query of more than one line');
    if (!hosts.whois(host, port)) {
      const fault = hostFault(host) ?? (port === PORT ? null : `port ${port}`);
      if (fault) return notAllowed(place, fault);
    }
    const rule = request.pace ?? usualRule(place, settings);
    const waitMs = await takeTurn(pace, clock, rule, { ...request.attempt, signal }, untilMs - clock.now());
    if (waitMs > 0) return outOfTurn(place, waitMs);
    if (signal.aborted) return tooSlow(place);
    return exchange(host, port, query, request.maxBytes ?? MAX_BYTES, signal);
  }

  return {
    async ask(request) {
      const ended = signalOf(request);
      if (ended.aborted) return tooSlow(`whois://${request.host}`);
      const atMs = clock.now();
      const reply = await within(clock, request.timeoutMs, ended, (signal, untilMs) => ask(request, untilMs, signal));
      const { host, query, shared = false } = request;
      const asked = { method: 'WHOIS', url: `whois://${bareHost(host)}`, body: query };
      const answer = reply.tag === 'answer' ? reply.answer : null;
      request.attempt.record?.({ asked, sent: [{ ...asked, atMs, headers: {}, answer }], reply, shared, secrets: [] });
      return reply;
    },
  };
}
