import { Agent, request } from 'undici';
import { type FetchLike, Sightline, SightlineError } from '../../client/index.ts';
import { codeOf } from '../../contract/errors.ts';
import type { Input, Operation } from '../../contract/operations/index.ts';
import { ORDINARY } from '../../orchestrator/types.ts';
import { deadlineOf, type Settings } from '../../settings.ts';
import { say } from '../terminal.ts';
import type { OutputLine } from './line.ts';

/** Milliseconds that an answer may take beyond the deadline of the operation. */
const GRACE_MS = 15_000;

export interface LineRequest {
  readonly operation: Operation;
  readonly input: Input;
  /** `X-Request-Id`: under it the ledger lists the charges of the line. */
  readonly requestId: string;
  /** The price that was shown: more is never paid. */
  readonly maxCredits: number;
  /** An answer that expired since the line was first asked will do. */
  readonly maxStale: number;
}
/** An answer, without what the input says; of an error also the wait that the service asks for. */
export interface LineAnswer {
  readonly result: Pick<OutputLine, 'status' | 'ok' | 'resource' | 'error' | 'credits' | 'source' | 'cache'>;
  readonly retryAfterMs: number | null;
  /** There may have been an answer, but it did not arrive. */
  readonly lost: boolean;
}
/** Answers lookups: a server, or the sources of this machine. Never rejects. */
export interface Answerer {
  ask(question: LineRequest): Promise<LineAnswer>;
  close(): Promise<void>;
}

/** `fetch` by undici's `request`, which is faster; a connection for each lookup that runs. */
function connect(connections: number): { fetch: FetchLike; close(): Promise<void> } {
  const agent = new Agent({ connections, pipelining: 1 });
  return {
    async fetch(url, { method, headers, signal, body }) {
      const answer = await request(url, { dispatcher: agent, method, headers, signal, body: body ?? null });
      const field = (name: string): string | null => {
        const value = answer.headers[name];
        return Array.isArray(value) ? value.join(', ') : (value ?? null);
      };
      return { status: answer.statusCode, headers: { get: field }, body: answer.body, text: () => answer.body.text() };
    },
    close: () => agent.close(),
  };
}

/** Asks a server. The client is for account endpoints too. */
export function serverAnswerer(
  options: { baseUrl: string; apiKey: string; connections: number },
  settings: Settings,
): Answerer & { readonly client: Sightline } {
  const { fetch, close } = connect(options.connections);
  const client = new Sightline({ baseUrl: options.baseUrl, apiKey: options.apiKey, fetch });
  return {
    client,
    async ask({ operation, input, requestId, maxCredits, maxStale }) {
      const deadlineMs = deadlineOf(operation, settings) + GRACE_MS;
      try {
        // retries are the run's: it knows what the other lines met
        const call = client.lookup(operation.id, input, { requestId, maxCredits, maxStale, maxRetries: 0, deadlineMs });
        const { data, credits, source, cache } = await call.withResponse();
        const result = { status: 200, ok: true, resource: data, credits: credits.charged, source, cache };
        return { result, retryAfterMs: null, lost: false };
      } catch (error) {
        if (!(error instanceof SightlineError)) throw error;
        const { code, message, status, retryable, charged, retryAfterMs } = error;
        const result = { status, ok: false, error: { code, message, retryable }, credits: charged ?? 0, source: null, cache: null };
        return { result, retryAfterMs, lost: charged === null };
      }
    },
    close,
  };
}

/** Asks the sources of this machine, without a server, an account or a store. */
export async function localAnswerer(settings: Settings): Promise<Answerer> {
  const { composeLookups } = await import('../service.ts');
  const { cacheWord } = await import('../../gateway/http/cache-headers.ts');
  const lookups = await composeLookups(settings, (level, message, facts) => say.log(settings.SIGHTLINE_LOG_LEVEL, level, message, facts));
  return {
    async ask({ operation, input, requestId }) {
      const result = await lookups.orchestrator.lookup({
        operation: operation.id,
        input,
        freshness: ORDINARY,
        charge: { hold: async () => {}, release: () => {} },
        deadlineMs: lookups.clock.now() + deadlineOf(operation, settings),
        requestId,
      });
      if (result.ok) {
        const { cached, cacheStatus } = result.answer;
        const resource: unknown = JSON.parse(cached.bytes.toString());
        const facts = { status: 200, ok: true, resource, credits: 0, source: cached.source, cache: cacheWord(cacheStatus) };
        return { result: facts, retryAfterMs: null, lost: false };
      }
      const { error, cacheStatus } = result.refusal;
      const { failure, message, retryable, retryAfterMs } = error;
      return {
        result: {
          status: error.status,
          ok: false,
          error: { code: codeOf(failure), message, retryable },
          credits: 0,
          source: null,
          cache: cacheStatus && cacheWord(cacheStatus),
        },
        retryAfterMs,
        lost: false,
      };
    },
    close: () => lookups.close(),
  };
}
