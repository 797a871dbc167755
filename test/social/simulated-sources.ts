import { HOSTS } from '../../sandbox/hosts.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { createBreakers } from '../../src/orchestrator/breaker.ts';
import { runChain } from '../../src/orchestrator/chain.ts';
import { createCheck } from '../../src/orchestrator/engine.ts';
import { createLocalEngine } from '../../src/orchestrator/local-engine.ts';
import { realClock } from '../../src/runtime/clock.ts';
import { readSettings } from '../../src/settings.ts';
import type { Outcome } from '../../src/sources/outcome.ts';
import type { Ports, Source } from '../../src/sources/source.ts';
import { createHttp } from '../../src/upstream/http/client.ts';
import { readHosts } from '../../src/upstream/http/host-map.ts';
import type { Pace } from '../../src/upstream/ports.ts';

type Social = 'short-video' | 'microblog-post';

/** The social sources over real sockets against the simulated platforms, without rate limiting. */
export async function openSocialPorts(environment: Record<string, string> = {}) {
  const sandbox = await startSandbox({ hosts: HOSTS, whois: [] });
  const settings = readSettings({ SIGHTLINE_HOSTS: sandbox.mapFile, X_BEARER_TOKEN: 'demo-x-token', ...environment });
  const rests: [string, number][] = [];
  const pace: Pace = { take: async () => 0, rest: async (key, ms) => void rests.push([key, ms]), resting: async () => 0 };
  const http = createHttp({ settings, clock: realClock, pace, hosts: await readHosts(sandbox.mapFile) });
  const logged: string[] = [];
  const log = (_: string, message: string, facts?: unknown): void => void logged.push(`${message} ${JSON.stringify(facts)}`);
  const ports: Ports = {
    settings,
    http,
    whois: { ask: async () => ({ tag: 'refused', what: 'No WHOIS here.' }) },
    pace,
    clock: realClock,
    random: () => 0.5,
    log,
  };
  const attempt = () => ({ signal: new AbortController().signal, deadlineMs: realClock.now() + 10_000 });
  return {
    sandbox,
    ports,
    rests,
    logged,
    /** Opens a source and sends it a request. */
    opened(source: Source, own: Partial<Ports> = {}) {
      const asks = source.open({ ...ports, ...own });
      return async (operation: Social, url: string): Promise<Outcome> => {
        const ask = asks[operation];
        if (!ask) throw new Error(`${source.id} does not serve ${operation}`);
        return ask({ url }, attempt());
      };
    },
    /** Requests a chain of sources, as a lookup does. */
    chain(sources: readonly Source[], operation: Social, url: string) {
      const parts = {
        engine: createLocalEngine(sources, ports),
        breakers: createBreakers(),
        clock: realClock,
        random: () => 0.5,
      };
      return runChain(parts, sources, { operation, input: { url }, deadlineMs: realClock.now() + 10_000 });
    },
    async close() {
      await http.close();
      await sandbox.close();
    },
  };
}
export const check = createCheck();
/** A resource without the signatures of its signed URLs, which change every hour. */
export const unsigned = (resource: unknown): unknown =>
  JSON.parse(JSON.stringify(resource, (_, v: unknown) => (typeof v === 'string' ? v.replace(/\?x-expires=.*$/, '') : v)));
