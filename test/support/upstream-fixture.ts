import type { SandboxHost, SandboxWhois } from '../../sandbox/host.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { readSettings } from '../../src/settings.ts';
import type { Answer, Reply } from '../../src/upstream/answer.ts';
import { createHttp } from '../../src/upstream/http/client.ts';
import type { Lookup } from '../../src/upstream/http/guard.ts';
import { hostsFrom } from '../../src/upstream/http/host-map.ts';
import type { RequestSigner } from '../../src/upstream/http/request-signer.ts';
import { createPace } from '../../src/upstream/pace.ts';
import type { HttpRequest, Pace, WhoisRequest } from '../../src/upstream/ports.ts';
import { createWhois } from '../../src/upstream/whois.ts';
import { createManualClock } from './manual-clock.ts';

/** No host name of a test is resolved by the machine's resolver. */
const nowhere: Lookup = (name) => Promise.reject(Object.assign(new Error(`${name} was looked up`), { code: 'ENOTFOUND' }));

interface Given {
  readonly hosts?: readonly SandboxHost[];
  readonly whois?: readonly SandboxWhois[];
  readonly environment?: Record<string, string>;
  readonly lookup?: Lookup;
  readonly pace?: Pace;
  readonly signer?: RequestSigner;
  /** Additional entries of the host map. */
  readonly map?: Record<string, string>;
  /** No host map: requests that are not rejected go to the real network. */
  readonly unmapped?: boolean;
}

/** Test helper: a sandbox on loopback, and the upstream clients for it, on a clock that does not advance. */
export async function outside({
  hosts = [],
  whois = [],
  environment = {},
  lookup = nowhere,
  map = {},
  pace,
  signer,
  unmapped,
}: Given = {}) {
  const clock = createManualClock();
  const sandbox = await startSandbox({ hosts, whois, now: clock.now, sleep: (ms, signal) => clock.sleep(ms, signal) });
  const settings = readSettings({ SIGHTLINE_PACE_PER_SECOND: '1000', ...environment });
  const parts = {
    settings,
    clock,
    pace: pace ?? createPace(clock),
    hosts: unmapped ? hostsFrom({}) : hostsFrom({ ...sandbox.map, ...map }),
    lookup,
    ...(signer && { signer }),
  };
  const http = createHttp(parts);
  const names = createWhois(parts);
  const unlimited = { signal: new AbortController().signal, deadlineMs: Number.POSITIVE_INFINITY };
  return {
    clock,
    sandbox,
    http,
    ask: (url: string, more: Partial<HttpRequest> = {}): Promise<Reply> => http.ask({ url, attempt: unlimited, ...more }),
    askWhois: (host: string, query: string, more: Partial<WhoisRequest> = {}): Promise<Reply> =>
      names.ask({ host, query, attempt: unlimited, ...more }),
    async close() {
      await http.close();
      await sandbox.close();
    },
  };
}

export function answerOf(reply: Reply): Answer {
  if (reply.tag !== 'answer') throw new Error(`no answer: ${JSON.stringify(reply)}`);
  return reply.answer;
}
/** Detail of a failure, or the empty string. */
export const detailOf = (reply: Reply): string => (reply.tag === 'answer' ? '' : (reply.detail ?? ''));
