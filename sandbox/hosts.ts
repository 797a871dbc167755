import { appmarket } from './appmarket/host.ts';
import { FORUM_HOSTS } from './forum/host.ts';
import type { SandboxHost, SandboxWhois } from './host.ts';
import { MICROBLOG_HOSTS } from './microblog/host.ts';
import { RDAP_HOSTS } from './registration/rdap.ts';
import { WHOIS_HOSTS } from './registration/whois.ts';
import { SEARCH_HOSTS } from './searchengine/host.ts';
import { shortVideoLinks, shortVideoSite } from './shortvideo/host.ts';
import { panel, tranco } from './traffic/hosts.ts';

/** Every simulated platform, one line each. */
export const HOSTS: readonly SandboxHost[] = [
  ...FORUM_HOSTS,
  tranco,
  panel,
  shortVideoSite,
  shortVideoLinks,
  ...MICROBLOG_HOSTS,
  appmarket,
  ...SEARCH_HOSTS,
  ...RDAP_HOSTS,
];
/** Every simulated WHOIS server. */
export const WHOIS: readonly SandboxWhois[] = [...WHOIS_HOSTS];
