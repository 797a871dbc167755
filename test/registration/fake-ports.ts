import type { SandboxHost, SandboxWhois } from '../../sandbox/host.ts';
import { RDAP_HOSTS } from '../../sandbox/registration/rdap.ts';
import { WHOIS_HOSTS } from '../../sandbox/registration/whois.ts';
import { readSettings } from '../../src/settings.ts';
import type { Ports } from '../../src/sources/source.ts';
import { createManualClock } from '../support/manual-clock.ts';

export interface FakePorts extends Ports {
  /** URLs requested so far; `whois://host query` for WHOIS. */
  readonly asked: string[];
  readonly clock: ReturnType<typeof createManualClock>;
}
const bytes = (body: string | Uint8Array): Uint8Array => (typeof body === 'string' ? new TextEncoder().encode(body) : body);

/** Ports that answer from the simulated registries, without sockets and without waiting. */
export function registrationPorts(
  hosts: readonly SandboxHost[] = RDAP_HOSTS,
  whois: readonly SandboxWhois[] = WHOIS_HOSTS,
  environment: Record<string, string> = {},
): FakePorts {
  const clock = createManualClock();
  const asked: string[] = [];
  return {
    settings: readSettings(environment),
    clock,
    asked,
    pace: { take: async () => 0, rest: async () => {}, resting: async () => 0 },
    random: () => 0.5,
    log: () => {},
    http: {
      async ask(request) {
        asked.push(request.url);
        const url = new URL(request.url);
        const host = hosts.find((h) => h.origins.includes(url.origin));
        if (!host) return { tag: 'unreachable', what: 'The platform could not be reached.', detail: `no host ${url.origin}` };
        const response = await host.answer({ method: 'GET', url, headers: request.headers ?? {}, body: '', at: clock.now() });
        return {
          tag: 'answer',
          answer: {
            status: response.status,
            headers: response.headers ?? {},
            body: bytes(response.body),
            url: request.url,
            atMs: clock.now(),
          },
        };
      },
    },
    whois: {
      async ask({ host, query }) {
        asked.push(`whois://${host} ${query}`);
        const server = whois.find((w) => w.host === host);
        if (!server) return { tag: 'unreachable', what: 'The platform could not be reached.', detail: `no server ${host}` };
        const text = await server.answer(query, clock.now());
        return { tag: 'answer', answer: { status: 200, headers: {}, body: bytes(text), url: `whois://${host}`, atMs: clock.now() } };
      },
    },
  };
}
