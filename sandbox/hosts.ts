import { appmarketArea } from './appmarket/host.ts';
import { forumArea } from './forum/host.ts';
import type { SandboxArea, SandboxHost, SandboxWhois } from './host.ts';
import { microblogArea } from './microblog/host.ts';
import { RDAP_HOSTS } from './registration/rdap.ts';
import { WHOIS_HOSTS } from './registration/whois.ts';
import { SEARCH_HOSTS } from './searchengine/host.ts';
import { shortVideoArea } from './shortvideo/host.ts';
import { panel, tranco } from './traffic/hosts.ts';

/** The simulated platforms, one line per area. */
const AREAS: readonly SandboxArea[] = [
  forumArea,
  { hosts: [tranco, panel] },
  shortVideoArea,
  microblogArea,
  appmarketArea,
  { hosts: SEARCH_HOSTS, settings: { DATAFORSEO_LOGIN: 'demo', DATAFORSEO_PASSWORD: 'demo-secret' } },
  { hosts: RDAP_HOSTS, whois: WHOIS_HOSTS },
];

export const HOSTS: readonly SandboxHost[] = AREAS.flatMap((area) => area.hosts);
export const WHOIS: readonly SandboxWhois[] = AREAS.flatMap((area) => area.whois ?? []);
/** Settings under which the service can use every simulated platform. */
export const SANDBOX_SETTINGS: Readonly<Record<string, string>> = Object.assign({}, ...AREAS.map((area) => area.settings));
