import { isIP } from 'node:net';
import { SettingError, type Settings } from '../../settings.ts';
import { bareHost } from './guard.ts';

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
