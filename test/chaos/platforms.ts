import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../../sandbox/faults.ts';
import type { SandboxHost, SandboxRequest, SandboxWhois } from '../../sandbox/host.ts';
import { HOSTS, WHOIS } from '../../sandbox/hosts.ts';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import type { Seen } from './evidence.ts';
import type { Random } from './random.ts';

const FAULTS: readonly ((random: Random) => Fault)[] = [
  (r) => ({ kind: 'slow-headers', ms: r.int(200, 2_500) }),
  (r) => ({ kind: 'slow-body', ms: r.int(200, 2_500) }),
  () => ({ kind: 'slow-headers', ms: Number.POSITIVE_INFINITY }),
  () => ({ kind: 'reset' }),
  () => ({ kind: 'reset-body' }),
  () => ({ kind: 'truncated-gzip' }),
  () => ({ kind: 'wrong-type' }),
  () => ({ kind: 'redirect-loop' }),
  () => ({ kind: 'huge', bytes: 100_000_000 }),
  () => ({ kind: 'status', status: 429, headers: { 'retry-after': '1' } }),
  () => ({ kind: 'status', status: 429 }),
  () => ({ kind: 'status', status: 503 }),
];

/** A fault by name; each HTTP status is a separate name. */
const nameOf = (fault: Fault): string => {
  if (fault.kind === 'slow-headers' && fault.ms === Number.POSITIVE_INFINITY) return 'no headers at all';
  if (fault.kind === 'huge') return `a body of ${(fault.bytes ?? 0) / 1e6} MB`;
  if (fault.kind !== 'status') return fault.kind;
  if (fault.status !== 429) return `status ${fault.status}`;
  return `status 429 ${fault.headers ? 'with' : 'without'} Retry-After`;
};

export interface Platforms {
  readonly sandbox: Sandbox;
  readonly seen: Seen[];
  /** Number of requests by injected fault. */
  readonly faults: Record<string, number>;
  /** The next request to some platform fails; the faults are shuffled, and all occur before one repeats. */
  upset(): void;
}

/** Delays every answer, so that requests are in flight when a process is killed or frozen. */
const answerMs = (random: Random): number => (random.next() < 0.1 ? random.int(300, 1_500) : random.int(10, 200));

export async function startPlatforms(random: Random): Promise<Platforms> {
  const seen: Seen[] = [];
  const faults: Record<string, number> = {};
  let deck: (typeof FAULTS)[number][] = [];
  const watch = (request: SandboxRequest): (() => void) => {
    const { url, body, headers } = request;
    const asked = /"keyword":"([^"]*)"/.exec(body)?.[1] ?? '';
    const entry: Seen = {
      host: url.host,
      lookup: `${url.href} ${asked}`,
      member: /chaos-(\w+)@/.exec(headers['user-agent'] ?? '')?.[1] ?? '',
      from: Date.now(),
      until: Number.POSITIVE_INFINITY,
    };
    seen.push(entry);
    return () => {
      entry.until = Date.now();
    };
  };
  const hosts: SandboxHost[] = HOSTS.map((host) => ({
    origins: host.origins,
    answer: async (request) => {
      await sleep(answerMs(random));
      return host.answer(request);
    },
  }));
  const whois: SandboxWhois[] = WHOIS.map((server) => ({
    host: server.host,
    answer: async (query, at) => {
      await sleep(answerMs(random));
      return server.answer(query, at);
    },
  }));
  const sandbox = await startSandbox({ hosts, whois, watch });
  const { take } = sandbox.faults;
  sandbox.faults.take = (url) => {
    const fault = take(url);
    if (fault) faults[nameOf(fault)] = (faults[nameOf(fault)] ?? 0) + 1;
    return fault;
  };
  return {
    sandbox,
    seen,
    faults,
    upset() {
      if (!deck.length) deck = random.shuffled(FAULTS);
      const fault = deck.pop()?.(random);
      // one at a time: several at once would keep the circuit breaker open, and no further request would be sent
      sandbox.faults.clear();
      if (fault) sandbox.faults.next(random.pick([/dataforseo/, /dataforseo/, /rdap/]), fault);
    },
  };
}
