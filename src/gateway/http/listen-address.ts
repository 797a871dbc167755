import type { AddressInfo } from 'node:net';

/** URL of a listening server. */
export function addressOf(server: { address(): AddressInfo | string | null }): string {
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
