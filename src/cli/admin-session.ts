import { type AccountsParts, openAccounts } from '../accounts/accounts.ts';
import type { Admin } from '../accounts/admin/types.ts';
import { connectAdmin } from '../gateway/admin/socket.ts';

/** The operator's hand on the store, wherever it is served. */
export interface AdminSession {
  readonly admin: Admin;
  /** `server`: through the admin socket of the process that holds the folder; `store`: the store itself, opened for this command. */
  readonly via: 'server' | 'store';
  /** A command that only a running server knows (cache purge); null where there is no server. */
  readonly call: ((command: string, parameters?: unknown) => Promise<unknown>) | null;
  close(): Promise<void>;
}

/** For commands: asks the server that holds the data folder, else opens the store. Throws StoreHeldError where a server holds it but does not answer. */
export async function openAdmin(parts: AccountsParts): Promise<AdminSession> {
  const { settings } = parts;
  const client = settings.DATABASE_URL ? null : await connectAdmin(settings.SIGHTLINE_DATA_DIR);
  if (client) return { admin: client.admin, via: 'server', call: client.call, close: async () => client.close() };
  const accounts = await openAccounts(parts);
  return { admin: accounts.admin, via: 'store', call: null, close: () => accounts.close() };
}
