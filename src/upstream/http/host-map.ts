import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { readJsonText } from '../../runtime/json-text.ts';
import { isLoopback } from '../../runtime/loopback.ts';
import { unreadFile } from '../../runtime/unread-file.ts';
import { SettingError } from '../../settings.ts';
import { innerFault } from './guard.ts';

interface Target {
  readonly address: string;
  readonly port: number;
}
/** Origins and WHOIS servers that are mapped to loopback addresses (tests and demos); empty in production. */
export type Hosts = ReturnType<typeof hostsFrom>;

const fault = (why: string): SettingError => new SettingError(`SIGHTLINE_HOSTS ${why}`);

/** `http://127.0.0.1:9001`, `127.0.0.1:9043`, `[::1]:9043`, `localhost:9043`. */
function parseHostTarget(key: string, value: unknown): Target {
  const plain = key.startsWith('whois:') ? /^(?:whois:\/\/)?([^/]+)$/ : /^http:\/\/([^/]+)\/?$/;
  const authority = typeof value === 'string' ? plain.exec(value)?.[1] : undefined;
  const [, host = '', port = ''] = /^(\[[0-9a-f:]+\]|[^:]+):(\d{1,5})$/i.exec(authority ?? '') ?? [];
  const address = host.replace(/^\[(.*)\]$/, '$1').replace(/^localhost$/i, '127.0.0.1');
  if (!isIP(address) || !isLoopback(address) || Number(port) < 1 || Number(port) > 65_535)
    throw fault(`leads ${key} to ${JSON.stringify(value)}: only a loopback address with a port is allowed, such as http://127.0.0.1:9000`);
  return { address, port: Number(port) };
}

/** `https://a.example` as an origin, `https://*.example` and `https://*` as patterns, lower case. */
function keyOf(key: string): string {
  const lower = key.toLowerCase();
  if (/^(https?|whois):\/\/\*(\.[a-z0-9.-]+)?$/.test(lower)) return lower;
  if (/^https?:\/\/[^*]+$/.test(lower) && URL.canParse(lower) && new URL(lower).pathname === '/') return new URL(lower).origin;
  if (/^whois:\/\/[a-z0-9.-]+(:\d{1,5})?$/.test(lower)) return lower;
  throw fault(`has the key ${JSON.stringify(key)}: expected an origin, such as https://host, https://*.host, https://* or whois://host`);
}

/** The exact origin before the longest `*.suffix` before `*`; a pattern matches no private name or address. Throws SettingError. */
export function hostsFrom(map: unknown) {
  if (typeof map !== 'object' || map === null || Array.isArray(map)) throw fault('is not a JSON object of origins');
  const targets = new Map(Object.entries(map).map(([key, value]) => [keyOf(key), parseHostTarget(key, value)]));
  const find = (scheme: string, host: string, exact: readonly string[]): Target | null => {
    const listed = exact.find((key) => targets.has(key));
    if (listed !== undefined) return targets.get(listed) ?? null;
    if (targets.size === 0 || innerFault(host) !== null) return null;
    for (let dot = host.indexOf('.'); dot > 0; dot = host.indexOf('.', dot + 1)) {
      const target = targets.get(`${scheme}://*${host.slice(dot)}`);
      if (target) return target;
    }
    return targets.get(`${scheme}://*`) ?? null;
  };
  return {
    /** null: not mapped. */
    http: (url: URL) => find(url.protocol.slice(0, -1), url.hostname, [url.origin]),
    whois: (host: string, port: number) => find('whois', host, [`whois://${host}:${port}`, `whois://${host}`]),
  };
}

/** Reads the map from its file; without a file nothing is mapped. Throws SettingError if the file cannot be read. */
export async function readHosts(file: string | null): Promise<Hosts> {
  if (file === null) return hostsFrom({});
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw fault(`names a file that is not read: ${unreadFile(file, error)}.`);
  }
  let map: unknown;
  try {
    map = readJsonText(text);
  } catch (error) {
    throw fault(`names ${file}, which is no JSON file: ${(error as Error).message}`);
  }
  return hostsFrom(map);
}
