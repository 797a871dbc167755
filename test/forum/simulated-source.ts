import { existsSync } from 'node:fs';
import type { SandboxHost, SandboxRequest } from '../../sandbox/host.ts';
import type { OperationId } from '../../src/contract/operations/index.ts';
import type { Clock } from '../../src/runtime/clock.ts';
import { readSettings } from '../../src/settings.ts';
import { forumApi } from '../../src/sources/forum/api/source.ts';
import type { Outcome } from '../../src/sources/outcome.ts';
import type { Ask, Ports } from '../../src/sources/source.ts';
import { createPace } from '../../src/upstream/pace.ts';
import type { HttpRequest } from '../../src/upstream/ports.ts';

export const RECORDINGS = '../shared/recordings/forum';
/** False if the recordings are missing; a run that requires them fails instead of skipping. */
export const recordings: string | false =
  existsSync(RECORDINGS) || process.env.SIGHTLINE_TEST_REQUIRE?.includes('recordings') ? false : 'the recordings are not here';

/** A clock without real waiting: a sleep advances it. */
export function hastyClock(startMs = Date.UTC(2026, 10, 1)): Clock & { move(ms: number): void } {
  let now = startMs;
  const move = (ms: number) => {
    now += ms;
  };
  return { now: () => now, sleep: async (ms) => move(ms), move };
}

interface Given {
  readonly hosts: readonly SandboxHost[];
  readonly environment?: Record<string, string>;
  readonly clock?: ReturnType<typeof hastyClock>;
}

/** The source with simulated hosts in this process: no sockets, no waiting. All requests are recorded. */
export function forumOver({ hosts, environment = {}, clock = hastyClock() }: Given) {
  const pace = createPace(clock);
  const asked: SandboxRequest[] = [];
  let working = 0;
  let most = 0;
  const ask = async (request: HttpRequest) => {
    const url = new URL(request.url);
    if (request.pace) {
      const waitMs = await pace.take(request.pace, 120_000, request.attempt.signal);
      if (waitMs > 0) return { tag: 'limited' as const, what: 'Too many requests at once.', retryAfterMs: waitMs };
    }
    const seen = { method: request.method ?? 'GET', url, headers: request.headers ?? {}, body: request.body ?? '', at: clock.now() };
    asked.push(seen);
    const host = hosts.find((h) => h.origins.includes(url.origin));
    if (!host) return { tag: 'unreachable' as const, what: 'The platform could not be reached.' };
    const counts = url.pathname === '/api/morechildren';
    if (counts) most = Math.max(most, ++working);
    await Promise.resolve();
    const answer = await host.answer(seen);
    if (counts) working--;
    const body = typeof answer.body === 'string' ? Buffer.from(answer.body) : answer.body;
    return {
      tag: 'answer' as const,
      answer: { status: answer.status, headers: answer.headers ?? {}, body, url: request.url, atMs: clock.now() },
    };
  };
  const ports: Ports = {
    settings: readSettings({ REDDIT_CLIENT_ID: 'demo', REDDIT_CLIENT_SECRET: 'demo-secret', ...environment }),
    http: { ask },
    whois: { ask: async () => ({ tag: 'refused', what: 'No WHOIS here.' }) },
    pace,
    clock,
    random: () => 0.5,
    log() {},
  };
  const asks = forumApi.open(ports);
  return {
    asked,
    clock,
    get mostAtOnce() {
      return most;
    },
    lookup<Id extends 'forum-community' | 'forum-search' | 'forum-comments'>(
      operation: Id,
      input: Parameters<Ask<Id>>[0],
      limitMs = 90_000,
    ) {
      const own = asks[operation as OperationId] as unknown as Ask<Id>;
      return own(input, { signal: new AbortController().signal, deadlineMs: clock.now() + limitMs });
    },
  };
}

export function resourceOf<R>(outcome: Outcome<R>): R {
  if (outcome.tag !== 'found') throw new Error(`not found, but ${JSON.stringify(outcome)}`);
  return outcome.resource;
}
