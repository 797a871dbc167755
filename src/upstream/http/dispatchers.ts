import type { Dispatcher } from 'undici';
import { type Lookup, pinned, unchecked } from './pinned-lookup.ts';

/** Maximum connections per origin; further requests wait. */
const CONNECTIONS = 128;
const MAX_HEADER_BYTES = 65_536;

export interface AgentParts {
  readonly connectTimeoutMs: number;
  readonly lookup: Lookup;
  /** URLs of the configured proxies. */
  readonly proxyUrls: readonly string[];
}
export interface Agents {
  /** Connects to addresses that the guard allows. */
  readonly guarded: Dispatcher;
  /** Connects to origins that a setting names. */
  readonly trusted: Dispatcher;
  readonly proxies: ReadonlyMap<string, Dispatcher>;
  destroy(): Promise<void>;
}

/** Loads undici with the first request or soon after the start, to keep the start fast. */
export const loadClient = () => import('undici');

/** undici dispatchers: guarded, trusted, one per proxy. */
export async function createAgents({ connectTimeoutMs, lookup, proxyUrls }: AgentParts): Promise<Agents> {
  const { Agent, ProxyAgent } = await loadClient();
  // pauses are timed by `watch` instead: undici's timers have a resolution of one second
  const untimed = { connectTimeout: connectTimeoutMs, headersTimeout: 0, bodyTimeout: 0 };
  const common = { ...untimed, allowH2: false, pipelining: 1, connections: CONNECTIONS, maxHeaderSize: MAX_HEADER_BYTES };
  const connect = { timeout: connectTimeoutMs, allowH2: false };
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
