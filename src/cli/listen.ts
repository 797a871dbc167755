import type { AddressInfo } from 'node:net';
import type { Listener } from '../gateway/http/listener.ts';
import { SettingError, type Settings } from '../settings.ts';

/** Listens on port and address of these settings. Throws a SettingError if the system refuses the port or the address. */
export async function listen(listener: Listener, settings: Settings, portSetting: 'PORT' | 'SIGHTLINE_ADMIN_PORT'): Promise<void> {
  const hostSetting = portSetting === 'PORT' ? 'HOST' : 'SIGHTLINE_ADMIN_HOST';
  const { [portSetting]: port, [hostSetting]: host, SIGHTLINE_REUSE_PORT } = settings;
  const reusePort = portSetting === 'PORT' && SIGHTLINE_REUSE_PORT;
  const setting = `${portSetting} is ${port}`;
  const refusal = (code: string | undefined): string | null => {
    if (code === 'EADDRINUSE')
      return `${setting}, but another process listens on that port of ${host}${reusePort ? ' without SIGHTLINE_REUSE_PORT=1, or of another user' : ''}: end it, or set ${portSetting} to a free port (0 takes one).`;
    if (reusePort && (code === 'ENOTSUP' || code === 'EINVAL'))
      return 'SIGHTLINE_REUSE_PORT is 1, but this system has no SO_REUSEPORT with shared load: leave it out.';
    if (code === 'EACCES')
      return `${setting}, but this user may not listen on that port: set ${portSetting} to 1024 or above, or give the process the right (CAP_NET_BIND_SERVICE).`;
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
      return `${hostSetting} is ${JSON.stringify(host)}, which is no address of this machine: set it to one, 0.0.0.0 for all, or 127.0.0.1 for loopback.`;
    return null;
  };
  await listener.listen({ port, host, reusePort }).catch((error: NodeJS.ErrnoException) => {
    const words = refusal(error.code);
    throw words === null ? error : new SettingError(words, { cause: error });
  });
}

/** An address under which a listener on all addresses is reached: by this machine, or under the name by which another one reached it. */
export const reachable = (url: string, name = '127.0.0.1'): string =>
  url.replace(/^http:\/\/(?:0\.0\.0\.0|\[::\])(?=:)/, () => `http://${name}`);

export function listeningAddress(server: { address(): AddressInfo | string | null }): string {
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/** Of a process that cannot be without a fleet. */
export function redisUrl({ REDIS_URL: url }: Pick<Settings, 'REDIS_URL'>): string {
  if (url === null) throw new SettingError('REDIS_URL is required: set it to the Redis or Valkey of the fleet.');
  return url;
}
