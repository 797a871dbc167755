import type { Dispatcher } from 'undici';
import { SettingError, type Settings } from '../../settings.ts';
import { CONNECT_TIMEOUT_MS } from './exchange.ts';
import { type Lookup, pinned } from './guard.ts';

function proxyUrl(settings: Settings, name: 'HTTP_PROXY' | 'HTTPS_PROXY'): string | null {
  const value = settings[name];
  if (value === null) return null;
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) throw new SettingError(`${name} must be an http(s) URL of a proxy`);
  return url;
}

/** The proxies of the usual variables; never for loopback. Throws SettingError if a variable is not a URL. */
export const proxiesOf = (settings: Settings) => ({
  httpProxy: proxyUrl(settings, 'HTTP_PROXY'),
  httpsProxy: proxyUrl(settings, 'HTTPS_PROXY'),
  noProxy: [...settings.NO_PROXY, 'localhost', '127.0.0.1', '::1'].join(','),
});

const CONNECTIONS = 128;
const MAX_HEADER_BYTES = 65_536;

/** `direct`: never through a proxy, for hosts that SIGHTLINE_HOSTS maps. `trusted`: for origins that a setting names. */
export interface Agents {
  readonly direct: Dispatcher;
  readonly guarded: (protocol: string) => Dispatcher;
  readonly trusted: (protocol: string) => Dispatcher;
  /** For one request, by a rule of its own for addresses. */
  readonly opened: (rule: (address: string) => string | null) => Dispatcher;
  destroy(): Promise<void>;
}

export async function createAgents(lookup: Lookup, { httpProxy, httpsProxy, noProxy }: ReturnType<typeof proxiesOf>): Promise<Agents> {
  // with the first request, to keep the start fast
  const { Agent, EnvHttpProxyAgent } = await import('undici');
  // silence is timed by `startStallTimer` instead: undici's timers have a resolution of one second
  const untimed = { connectTimeout: CONNECT_TIMEOUT_MS, headersTimeout: 0, bodyTimeout: 0 };
  const common = { ...untimed, allowH2: false, pipelining: 1, connections: CONNECTIONS, maxHeaderSize: MAX_HEADER_BYTES };
  const made: Dispatcher[] = [];
  const connectBy = (checked: ReturnType<typeof pinned>) => ({ timeout: CONNECT_TIMEOUT_MS, allowH2: false, lookup: checked });
  const agentsBy = (checked: ReturnType<typeof pinned>) => {
    const options = { ...common, connect: connectBy(checked) };
    const direct = new Agent(options);
    const proxied = new EnvHttpProxyAgent({ ...options, httpProxy: httpProxy ?? '', httpsProxy: httpsProxy ?? '', noProxy });
    made.push(direct, proxied);
    // undici would send https through the proxy of http
    const by = (protocol: string) => ((protocol === 'https:' ? httpsProxy : httpProxy) === null ? direct : proxied);
    return { direct, by };
  };
  const [guarded, trusted] = [agentsBy(pinned(lookup)), agentsBy(pinned(lookup, () => null))];
  return {
    direct: trusted.direct,
    guarded: guarded.by,
    trusted: trusted.by,
    // its connection ends when it is idle
    opened: (rule) =>
      new Agent({ ...common, connections: 1, keepAliveTimeout: 1, keepAliveMaxTimeout: 1, connect: connectBy(pinned(lookup, rule)) }),
    destroy: async () => void (await Promise.all(made.map((each) => each.destroy()))),
  };
}

/** One dispatcher for all requests (tests). */
export const agentsOf = (one: Dispatcher): Agents => ({
  direct: one,
  guarded: () => one,
  trusted: () => one,
  opened: () => one,
  destroy: () => one.destroy(),
});
