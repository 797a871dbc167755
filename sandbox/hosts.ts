import type { SandboxHost, SandboxWhois } from './host.ts';
import { panel, tranco } from './traffic/hosts.ts';

/** Every simulated platform, one line each. */
export const HOSTS: readonly SandboxHost[] = [tranco, panel];
/** Every simulated WHOIS server. */
export const WHOIS: readonly SandboxWhois[] = [];
