import type { SandboxHost, SandboxWhois } from './host.ts';

/** Every simulated platform, one line each. */
export const HOSTS: readonly SandboxHost[] = [];
/** Every simulated WHOIS server. */
export const WHOIS: readonly SandboxWhois[] = [];
