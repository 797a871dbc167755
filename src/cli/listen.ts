import type { AddressInfo } from 'node:net';
import type { FastifyInstance, FastifyListenOptions } from 'fastify';
import { SettingError } from '../settings.ts';

interface Place {
  readonly port: number;
  readonly host: string;
  /** The setting that names the port. */
  readonly portSetting: 'PORT' | 'SIGHTLINE_ADMIN_PORT';
  /** The setting that names the address; null: it is always loopback. */
  readonly hostSetting: 'HOST' | 'SIGHTLINE_WORKER_HOST' | null;
  /** Other processes may listen on the same port (SO_REUSEPORT). Default: false. */
  readonly reusePort?: boolean;
}

/** Listens. Throws a SettingError if the system refuses the port or the address. */
export async function listen(app: FastifyInstance, place: Place): Promise<void> {
  const { port, host, portSetting, hostSetting, reusePort = false } = place;
  try {
    // Fastify passes it on to Node, its type leaves it out
    const options: FastifyListenOptions & { readonly reusePort: boolean } = { port, host, reusePort };
    await app.listen(options);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const at = `${portSetting} is ${port}`;
    if (code === 'EADDRINUSE')
      throw new SettingError(
        `${at}, but another process listens on that port of ${host}${reusePort ? ' without SIGHTLINE_REUSE_PORT=1, or of another user' : ''}: end it, or set ${portSetting} to a free port (0 takes one).`,
        { cause: error },
      );
    if (reusePort && (code === 'ENOTSUP' || code === 'EINVAL'))
      throw new SettingError('SIGHTLINE_REUSE_PORT is 1, but this system has no SO_REUSEPORT with shared load: leave it out.', {
        cause: error,
      });
    if (code === 'EACCES')
      throw new SettingError(
        `${at}, but this user may not listen on that port: set ${portSetting} to 1024 or above, or give the process the right (CAP_NET_BIND_SERVICE).`,
        { cause: error },
      );
    if (hostSetting && (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN'))
      throw new SettingError(
        `${hostSetting} is ${JSON.stringify(host)}, which is no address of this machine: set it to one, 0.0.0.0 for all, or 127.0.0.1 for loopback.`,
        { cause: error },
      );
    throw error;
  }
}

/** URL of a listening server. */
export function addressOf(server: { address(): AddressInfo | string | null }): string {
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
