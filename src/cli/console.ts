import { type OpenAccounts, openAccounts } from '../accounts/accounts.ts';
import { AdminError } from '../accounts/admin/types.ts';
import type { AdminActions, ConsoleLink } from '../gateway/admin/actions.ts';
import { connectAdmin } from '../gateway/admin/client.ts';
import { instant, realClock } from '../runtime/clock.ts';
import { readSettings, SettingError, type Settings } from '../settings.ts';
import { say } from './terminal.ts';

/** Addresses of the two entrances to the console. */
interface Entrances {
  /** Public URL of the service. */
  readonly baseUrl: string;
  readonly adminUrl: string;
}

/** Makes links that sign in to the console. */
export const createConsoleLinks =
  ({ admin, signInCodes }: Pick<OpenAccounts, 'admin' | 'signInCodes'>, entrances: () => Entrances): AdminActions['createConsoleLink'] =>
  async ({ accountId } = {}): Promise<ConsoleLink> => {
    const account = accountId === undefined ? null : await admin.showAccount({ accountId });
    if (account && account.suspendedAt !== null)
      throw new AdminError(`The account ${account.accountId} is suspended, so that nobody can sign in: resume it first.`);
    const owner = { accountId: account?.accountId ?? null };
    const { code, expiresAt } = await signInCodes.make(owner);
    const { baseUrl, adminUrl } = entrances();
    const url = `${(account ? baseUrl : adminUrl).replace(/\/$/, '')}/console#code=${code}`;
    return { url, ...owner, expiresAt: instant(expiresAt) };
  };

/** `sightline console`: through the server that holds the data folder, or with PostgreSQL through the store that its gateways share. */
export async function showConsoleLink(options: { readonly account?: string; readonly json?: boolean }): Promise<void> {
  const link = await makeLink(readSettings(process.env), options.account === undefined ? {} : { accountId: options.account });
  if (options.json) process.stdout.write(`${JSON.stringify(link)}\n`);
  else process.stdout.write(`${link.url}\n\nIt signs in once, until ${link.expiresAt}.\n`);
}

async function makeLink(settings: Settings, wish: { accountId?: string }): Promise<ConsoleLink> {
  if (!settings.DATABASE_URL) {
    const server = await connectAdmin(settings.SIGHTLINE_DATA_DIR);
    if (server) return server.createConsoleLink(wish);
    throw new AdminError(`No server holds ${settings.SIGHTLINE_DATA_DIR}: start it with "sightline serve", then ask again.`);
  }
  const entrances = entrancesOf(settings);
  const accounts = await openAccounts({
    settings,
    clock: realClock,
    log: (level, message, facts) => {
      if (level !== 'info') say.log('warn', 'warn', message, facts);
    },
  });
  try {
    return await createConsoleLinks(accounts, () => entrances)(wish);
  } finally {
    await accounts.close();
  }
}

/** The addresses of a gateway with these settings, which are fixed where several gateways share a store. */
function entrancesOf(settings: Settings): Entrances {
  const { SIGHTLINE_PUBLIC_URL: publicUrl, HOST: host, PORT: port, SIGHTLINE_ADMIN_PORT: adminPort } = settings;
  if (adminPort === 0)
    throw new SettingError('SIGHTLINE_ADMIN_PORT is 0, so that the address of the console is not known here: set it to a fixed port.');
  return { baseUrl: publicUrl ?? `http://${host}:${port}`, adminUrl: `http://127.0.0.1:${adminPort}` };
}
