import type { Fault } from '../../sandbox/faults.ts';
import type { SandboxRequest } from '../../sandbox/host.ts';
import { HOSTS, WHOIS } from '../../sandbox/hosts.ts';
import { type Sandbox, startSandbox } from '../../sandbox/serve.ts';
import type { Random } from './random.ts';

/** One request as the simulated platforms saw it. */
export interface Seen {
  readonly host: string;
  /** What was asked: the same for every attempt at the same question. */
  readonly question: string;
  /** Which process asked: it stands in its User-Agent. */
  readonly member: string;
  readonly from: number;
  until: number;
}

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

export interface Platforms {
  readonly sandbox: Sandbox;
  readonly seen: Seen[];
  readonly faults: Record<string, number>;
  /** The next request to some platform goes wrong. */
  upset(random: Random): void;
}

export async function startPlatforms(): Promise<Platforms> {
  const seen: Seen[] = [];
  const faults: Record<string, number> = {};
  const watch = (request: SandboxRequest): (() => void) => {
    const { url, body, headers } = request;
    const asked = /"keyword":"([^"]*)"/.exec(body)?.[1] ?? '';
    const entry: Seen = {
      host: url.host,
      question: `${url.href} ${asked}`,
      member: /chaos-(\w+)@/.exec(headers['user-agent'] ?? '')?.[1] ?? '?',
      from: Date.now(),
      until: Number.POSITIVE_INFINITY,
    };
    seen.push(entry);
    return () => {
      entry.until = Date.now();
    };
  };
  const sandbox = await startSandbox({ hosts: HOSTS, whois: WHOIS, watch });
  return {
    sandbox,
    seen,
    faults,
    upset(random) {
      const fault = random.pick(FAULTS)(random);
      faults[fault.kind] = (faults[fault.kind] ?? 0) + 1;
      sandbox.faults.next(random.pick([/dataforseo/, /dataforseo/, /rdap/]), fault);
    },
  };
}
