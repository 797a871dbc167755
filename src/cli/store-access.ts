import { resolve } from 'node:path';
import { openAccounts } from '../accounts/accounts.ts';
import type { Admin } from '../accounts/admin/types.ts';
import { connectAdmin } from '../gateway/admin/socket.ts';
import { realClock } from '../runtime/clock.ts';
import { readSettings } from '../settings.ts';
import { demandStore } from '../store/sqlite/data-folder.ts';
import { say } from './terminal.ts';

const quiet = (level: string, message: string, facts?: object): void => {
  if (level === 'warn' || level === 'error') say.log('warn', 'warn', message, facts as Record<string, unknown>);
};

/** The server that holds the folder does the work where there is one (the lock is its own); else the store is opened here for the while. */
export async function withAdmin(work: (admin: Admin) => Promise<void>): Promise<void> {
  const settings = readSettings(process.env);
  const server = settings.DATABASE_URL ? null : await connectAdmin(resolve(settings.SIGHTLINE_DATA_DIR));
  if (server) {
    try {
      await work(server.admin);
    } finally {
      server.close();
    }
    return;
  }
  if (!settings.DATABASE_URL) demandStore(settings);
  const accounts = await openAccounts({ settings, clock: realClock, log: quiet });
  try {
    await work(accounts.admin);
  } finally {
    await accounts.close();
  }
}

/** `sightline migrate`: opening the store brings it up to date. */
export async function migrate(): Promise<void> {
  const settings = readSettings(process.env);
  if (!settings.DATABASE_URL) demandStore(settings);
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
