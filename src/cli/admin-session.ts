import { type AccountsParts, openAccounts } from '../accounts/accounts.ts';
import type { Admin } from '../contract/admin/actions.ts';
import { connectAdmin } from '../gateway/admin/client.ts';
import { realClock } from '../runtime/clock.ts';
import { readSettings } from '../settings.ts';
import { demandStore } from '../store/sqlite/data-folder.ts';
import type { StoreLog } from '../store/store.ts';
import { withCaptures } from './open-captures.ts';
import { say } from './terminal.ts';

/** The server that holds the data folder, else the store. Throws a SettingError without a store, a StoreHeldError where a server does not answer. */
export async function openAdmin(parts: AccountsParts) {
  const { settings } = parts;
  if (!settings.DATABASE_URL) {
    const server = await connectAdmin(settings.SIGHTLINE_DATA_DIR);
    if (server) return { admin: server, through: 'server' as const, close: async () => {} };
    demandStore(settings);
  }
  const accounts = await openAccounts(parts);
  return { admin: withCaptures(accounts.admin, settings), through: 'store' as const, close: () => accounts.close() };
}

/** The log of the store for a command: warnings and errors alone. */
export const warnings: StoreLog = (level, message, facts) => {
  if (level === 'warn' || level === 'error') say.log('warn', 'warn', message, facts);
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
  const ran: string[] = [];
  const accounts = await openAccounts({ settings, clock: realClock, log: warnings, migrated: (names) => ran.push(...names) });
  await accounts.close();
  process.stdout.write(ran.length ? `migrated: ${ran.join(', ')}\n` : 'the schema is up to date\n');
}
