import { type AccountsParts, openAccounts } from '../accounts/accounts.ts';
import type { Admin } from '../accounts/admin/types.ts';
import { connectAdmin } from '../gateway/admin/client.ts';
import { demandStore } from '../store/sqlite/data-folder.ts';
import { withCaptures } from './open-captures.ts';

/** The admin actions for a command. */
export interface AdminSession {
  readonly admin: Admin;
  /** `server`: over the admin socket of the process that holds the data folder; `store`: on the store, opened for this command. */
  readonly through: 'server' | 'store';
  close(): Promise<void>;
}

/**
 * Connects to the server that holds the data folder, else opens the store. Throws a SettingError if there is no store, a StoreHeldError if
 * a server holds it but does not answer.
 */
export async function openAdmin(parts: AccountsParts): Promise<AdminSession> {
  const { settings } = parts;
  if (!settings.DATABASE_URL) {
    const server = await connectAdmin(settings.SIGHTLINE_DATA_DIR);
    if (server) return { admin: server, through: 'server', close: async () => {} };
    demandStore(settings);
  }
  const accounts = await openAccounts(parts);
  return { admin: withCaptures(accounts.admin, settings), through: 'store', close: () => accounts.close() };
}
