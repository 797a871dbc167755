import type { AddressInfo } from 'node:net';
import { openAccounts } from '../accounts/accounts.ts';
import { createAdminServer } from '../gateway/admin.ts';
import { createLog } from '../gateway/log.ts';
import { createMetrics } from '../gateway/metrics.ts';
import { createServer } from '../gateway/server.ts';
import { SettingError, type Settings } from '../settings.ts';
import { composeLookups } from './compose.ts';
import { version } from './version.ts';

export interface Service {
  readonly baseUrl: string;
  readonly adminUrl: string;
  /** The key of the first account, only where it was made just now. */
  readonly apiKey: string | null;
  readonly log: ReturnType<typeof createLog>;
  stop(): Promise<void>;
}

const LOOPBACK = /^(127\.|localhost$|::1$)/;

/** Puts the house together and listens. Rejects with a SettingError where the settings don't fit, with a plain Error where the store refuses. */
export async function startService(settings: Settings, options: { pretty: boolean; firstKey: boolean }): Promise<Service> {
  if (!LOOPBACK.test(settings.HOST) && !settings.SIGHTLINE_PUBLIC_URL)
    throw new SettingError(
      'SIGHTLINE_PUBLIC_URL is required where HOST is not loopback: the address under which clients reach the service',
    );
  const log = createLog({ level: settings.SIGHTLINE_LOG_LEVEL, pretty: options.pretty });
  const metrics = createMetrics({ version });
  const lookups = await composeLookups(settings, (level, message, facts) => log[level](facts ?? {}, message), metrics.watch);
  const accounts = await openAccounts({ settings, clock: lookups.clock, log });
  try {
    const apiKey = options.firstKey ? await accounts.ensureFirstAccount() : null;
    const parts = {
      settings,
      accounts,
      orchestrator: lookups.orchestrator,
      clock: lookups.clock,
      log,
      random: Math.random,
      version,
      metrics,
    };
    const gateway = createServer(parts);
    const admin = createAdminServer({ metrics, version });
    await gateway.app.listen({ port: settings.PORT, host: settings.HOST });
    await admin.listen({ port: settings.SIGHTLINE_ADMIN_PORT, host: '127.0.0.1' });
    await accounts.listenForAdmin({ purge: (operation) => lookups.orchestrator.purge(operation) });
    const addressOf = (server: { server: { address(): AddressInfo | string | null } }): string => {
      const { address, family, port } = server.server.address() as AddressInfo;
      return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
    };
    return {
      baseUrl: addressOf(gateway.app),
      adminUrl: addressOf(admin),
      apiKey,
      log,
      async stop() {
        await gateway.drain();
        await admin.close();
        await accounts.close();
        await lookups.close();
        log.flush?.();
      },
    };
  } catch (error) {
    await accounts.close();
    await lookups.close();
    throw error;
  }
}

/** Ends the service once, on the first signal; the second one ends the process at once. */
export function stopOnSignals(stop: () => Promise<void>): void {
  let stopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(130);
      stopping = true;
      stop().then(
        () => process.exit(0),
        (error: Error) => {
          process.stderr.write(`${error.message}\n`);
          process.exit(1);
        },
      );
    });
  }
}
