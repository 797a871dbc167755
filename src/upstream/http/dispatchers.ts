import type { Dispatcher } from 'undici';
import { CONNECT_TIMEOUT_MS } from './deadline.ts';
import { type Lookup, pinned, unchecked } from './pinned-lookup.ts';

const CONNECTIONS = 128;
const MAX_HEADER_BYTES = 65_536;

export interface Agents {
  /** Connects to addresses that the guard allows. */
  readonly guarded: Dispatcher;
  /** Connects to origins that a setting names. */
  readonly trusted: Dispatcher;
  readonly proxies: ReadonlyMap<string, Dispatcher>;
  destroy(): Promise<void>;
}

/** undici dispatchers: guarded, trusted, one for each of the configured proxies. */
export async function createAgents(lookup: Lookup, proxyUrls: readonly string[]): Promise<Agents> {
  // with the first request, to keep the start fast
  const { Agent, ProxyAgent } = await import('undici');
  // pauses are timed by `watch` instead: undici's timers have a resolution of one second
  const untimed = { connectTimeout: CONNECT_TIMEOUT_MS, headersTimeout: 0, bodyTimeout: 0 };
  const common = { ...untimed, allowH2: false, pipelining: 1, connections: CONNECTIONS, maxHeaderSize: MAX_HEADER_BYTES };
  const connect = { timeout: CONNECT_TIMEOUT_MS, allowH2: false };
  const guarded = new Agent({ ...common, connect: { ...connect, lookup: pinned(lookup) } });
  const trusted = new Agent({ ...common, connect: { ...connect, lookup: unchecked(lookup) } });
  const proxies = new Map(proxyUrls.map((uri) => [uri, new ProxyAgent({ ...common, uri })]));
  return {
    guarded,
    trusted,
    proxies,
    destroy: async () => void (await Promise.all([guarded, trusted, ...proxies.values()].map((d) => d.destroy()))),
  };
}

/** One dispatcher for all requests (tests). */
export const agentsOf = (one: Dispatcher): Agents => ({ guarded: one, trusted: one, proxies: new Map(), destroy: () => one.destroy() });
