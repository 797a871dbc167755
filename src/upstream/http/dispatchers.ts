import { isIP } from 'node:net';
import type { Dispatcher } from 'undici';
import { SettingError, type Settings } from '../../settings.ts';
import { CONNECT_TIMEOUT_MS } from './exchange.ts';
import { bareHost, type Lookup, pinned } from './guard.ts';

const LOOPBACK = /^(localhost|.*\.localhost|127(\.\d{1,3}){3}|::1)$/;
const portOf = (url: URL): string => url.port || (url.protocol === 'https:' ? '443' : '80');

/** Whether NO_PROXY exempts this URL: `*`, `host` (and its subdomains), `.host`, `*.host` (subdomains only), each with an optional port. */
export function exempt(url: URL, entries: readonly string[]): boolean {
  const host = bareHost(url.hostname);
  return entries.some((entry) => {
    const [, name = '', port] = /^(\[[^\]]*\]|[^:]*|[0-9a-f:]*)(?::(\d+))?$/i.exec(entry) ?? [];
    if (port !== undefined && port !== portOf(url)) return false;
    if (name === '*') return true;
    const bare = bareHost(name);
    if (isIP(bare)) return host === bare;
    const suffix = bare.replace(/^\*?\./, '');
    if (suffix === '') return false;
    return (host === suffix && !bare.startsWith('*')) || host.endsWith(`.${suffix}`);
  });
}

function proxyUrl(settings: Settings, name: 'HTTP_PROXY' | 'HTTPS_PROXY'): string | null {
  const value = settings[name];
  if (value === null) return null;
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) throw new SettingError(`${name} must be an http(s) URL of a proxy`);
  return url;
}

/** The proxy for a URL by the usual variables; null for none, and always for loopback. Throws SettingError if a variable is not a URL. */
export function proxies(settings: Settings): { readonly urls: readonly string[]; for(url: URL): string | null } {
  const http = proxyUrl(settings, 'HTTP_PROXY');
  const https = proxyUrl(settings, 'HTTPS_PROXY');
  return {
    urls: [...new Set([http, https])].filter((u) => u !== null),
    for(url) {
      const proxy = url.protocol === 'https:' ? https : http;
      return proxy === null || LOOPBACK.test(bareHost(url.hostname)) || exempt(url, settings.NO_PROXY) ? null : proxy;
    },
  };
}

const CONNECTIONS = 128;
const MAX_HEADER_BYTES = 65_536;

export interface Agents {
  readonly guarded: Dispatcher;
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
  const trusted = new Agent({ ...common, connect: { ...connect, lookup: pinned(lookup, () => null) } });
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
