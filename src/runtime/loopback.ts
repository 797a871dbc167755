import { isIPv4 } from 'node:net';

/** Whether a host is this machine by its text: `localhost` or an address of loopback, in a URL (`[::1]`) or bare. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  return bare === 'localhost' || bare === '::1' || (isIPv4(bare) && bare.startsWith('127.'));
}
