import { resolve } from 'node:path';
import { openAccounts } from '../accounts/accounts.ts';
import { connectAdmin } from '../accounts/admin-socket.ts';
import { type Admin, AdminError } from '../accounts/admin-types.ts';
import { type OperationId, operationOf } from '../contract/operations.ts';
import { realClock } from '../outside/clock.ts';
import { readSettings } from '../settings.ts';
import { say, usage } from './terminal.ts';

const quiet = (level: string, message: string, facts?: object): void => {
  if (level === 'warn' || level === 'error') say.log('warn', 'warn', message, facts as Record<string, unknown>);
};

/** The server that holds the folder does the work where there is one (the lock is its own); else the store is opened here for the while. */
export async function withAdmin(work: (admin: Admin) => Promise<void>): Promise<void> {
  const settings = usage(() => readSettings(process.env));
  const server = settings.DATABASE_URL ? null : await connectAdmin(resolve(settings.SIGHTLINE_DATA_DIR));
  if (server) {
    try {
      await work(server.admin);
    } finally {
      server.close();
    }
    return;
  }
  const accounts = await openAccounts({ settings, clock: realClock, log: quiet });
  try {
    await work(accounts.admin);
  } finally {
    await accounts.close();
  }
}

/** `sightline migrate`: opening the store brings it up to date. */
export async function migrate(): Promise<void> {
  const settings = usage(() => readSettings(process.env));
  const ran: string[] = [];
  const accounts = await openAccounts({
    settings,
    clock: realClock,
    log: (level, message, facts) => {
      if (message === 'store: migrated') ran.push(...((facts as { ran: string[] }).ran ?? []));
      else quiet(level, message, facts);
    },
  });
  await accounts.close();
  process.stdout.write(ran.length ? `migrated: ${ran.join(', ')}\n` : 'the schema is up to date\n');
}

/** `sightline cache purge`: the cache lives in the server; in a fleet in all gateways, and in the Redis that they share. */
export async function purgeCache(operation: string): Promise<void> {
  if (!operationOf(operation)) throw new AdminError(`There is no operation ${JSON.stringify(operation)}.`);
  const settings = usage(() => readSettings(process.env));
  if (settings.REDIS_URL) {
    const { dropped, gateways } = await (await import('./purge-fleet.ts')).purgeFleet(settings, operation as OperationId);
    const told = gateways === 1 ? '1 gateway drops its own' : `${gateways} gateways drop their own`;
    process.stdout.write(`${dropped} shared answers of ${operation} dropped; ${told}\n`);
    return;
  }
  const server = await connectAdmin(resolve(settings.SIGHTLINE_DATA_DIR));
  if (!server) throw new AdminError(`No server holds ${settings.SIGHTLINE_DATA_DIR}: there is nothing kept to drop.`);
  try {
    const dropped = await server.call('purgeCache', { operation });
    process.stdout.write(`${dropped} kept answers of ${operation} dropped\n`);
  } finally {
    server.close();
  }
}
