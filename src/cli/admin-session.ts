import { type AccountsParts, openAccounts } from '../accounts/accounts.ts';
import type { Admin } from '../contract/admin/actions.ts';
import { connectAdmin } from '../gateway/admin/client.ts';
import { realClock } from '../runtime/clock.ts';
import { readSettings } from '../settings.ts';
import { demandStore } from '../store/sqlite/data-folder.ts';
import type { StoreLog } from '../store/store.ts';
import { withCaptures } from './open-captures.ts';
import { sayFrom } from './terminal.ts';

/** The server that holds the data folder, else the store. Throws an OperatorError without a store, or where a server does not answer. */
export async function openAdmin(parts: AccountsParts) {
  const { settings } = parts;
  if (!settings.DATABASE_URL) {
    const server = await connectAdmin(settings.SIGHTLINE_DATA_DIR);
    if (server) return { admin: server, close: async () => {} };
    demandStore(settings);
  }
  const accounts = await openAccounts(parts);
  return { admin: withCaptures(accounts.admin, settings), close: () => accounts.close() };
}

/** The log of the store for a command: warnings and errors alone. */
export const warnings: StoreLog = (level, message, facts) => {
  if (level === 'warn' || level === 'error') sayFrom('warn')('warn', message, facts);
};

/** Runs a command against the running server, which holds the lock of the data folder, or against the store if no server runs. */
export async function withAdmin(work: (admin: Admin) => Promise<void>): Promise<void> {
  const session = await openAdmin({ settings: readSettings(process.env), clock: realClock, log: warnings });
  try {
    await work(session.admin);
  } finally {
    await session.close();
  }
}

/** `sightline migrate`: opening the store runs pending migrations. */
export async function migrate(): Promise<void> {
  const settings = readSettings(process.env);
  if (!settings.DATABASE_URL) demandStore(settings);
  let ran: unknown;
  const log: StoreLog = (level, message, facts) => {
    ran ??= facts?.ran;
    warnings(level, message, facts);
  };
  await (await openAccounts({ settings, clock: realClock, log })).close();
  process.stdout.write(Array.isArray(ran) ? `migrated: ${ran.join(', ')}\n` : 'the schema is up to date\n');
}
