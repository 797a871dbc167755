import { globSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OpenAccounts, openAccounts } from '../accounts/accounts.ts';
import type { AdminActions } from '../contract/admin/actions.ts';
import type { ConsoleLink } from '../contract/admin/schemas.ts';
import { invalid } from '../contract/errors.ts';
import { connectAdmin } from '../gateway/admin/client.ts';
import { instant, realClock } from '../runtime/clock.ts';
import { OperatorError, readSettings, SettingError, type Settings } from '../settings.ts';
import { warnings } from './admin-session.ts';
import { reachable } from './listen.ts';
import { printResult } from './terminal.ts';

/** Begin of the name of a demo's data folder, below the temporary folder. */
export const DEMO_FOLDER = 'sightline-demo-';

/** Makes links that sign in to the console: of an account at the public URL of the service, of the operator at `adminUrl`. */
export const createConsoleLinks =
  (
    { admin, signInCodes }: Pick<OpenAccounts, 'admin' | 'signInCodes'>,
    entrances: () => { readonly baseUrl: string; readonly adminUrl: string },
    /** How long a link lives; default: 60 seconds. */
    lifeMs?: number,
  ): AdminActions['createConsoleLink'] =>
  async ({ accountId } = {}): Promise<ConsoleLink> => {
    const account = accountId === undefined ? null : await admin.showAccount({ accountId });
    if (account && account.suspendedAt !== null)
      throw invalid(`The account ${account.accountId} is suspended, and accepts no sign-in: resume it first.`);
    const owner = { accountId: account?.accountId ?? null };
    const { code, expiresAt } = await signInCodes.make(owner, lifeMs);
    const { baseUrl, adminUrl } = entrances();
    const url = `${(account ? baseUrl : adminUrl).replace(/\/$/, '')}/console#code=${code}`;
    return { url, ...owner, expiresAt: instant(expiresAt) };
  };

/** `sightline console`: through the server that holds the data folder, or with PostgreSQL through the store that its gateways share. */
export async function showConsoleLink(options: { readonly account?: string; readonly json?: boolean }): Promise<void> {
  const link = await makeLink(readSettings(process.env), { accountId: options.account });
  printResult(options.json, link, () => `${link.url}\n\nIt signs in once, until ${link.expiresAt}.`);
}

async function makeLink(settings: Settings, request: { accountId?: string | undefined }): Promise<ConsoleLink> {
  if (!settings.DATABASE_URL) {
    const server = (await connectAdmin(settings.SIGHTLINE_DATA_DIR)) ?? (process.env.SIGHTLINE_DATA_DIR ? null : await runningDemo());
    if (server) return server.createConsoleLink(request);
    throw new OperatorError(`No server holds ${settings.SIGHTLINE_DATA_DIR}: start it with "sightline serve", then ask again.`);
  }
  const entrances = entrancesOf(settings);
  const accounts = await openAccounts({ settings, clock: realClock, log: warnings });
  try {
    return await createConsoleLinks(accounts, () => entrances)(request);
  } finally {
    await accounts.close();
  }
}

/** The server of the demo that this user started last and that still runs, which has a data folder of its own. */
async function runningDemo(): Promise<AdminActions | null> {
  const found = globSync(join(tmpdir(), `${DEMO_FOLDER}*`))
    .map((folder) => ({ folder, stats: statSync(folder) }))
    .filter(({ stats }) => stats.uid === process.getuid?.())
    .sort((a, b) => b.stats.mtimeMs - a.stats.mtimeMs);
  for (const { folder } of found) {
    const server = await connectAdmin(folder);
    if (server) return server;
  }
  return null;
}

/** The addresses of a gateway with these settings, which are fixed where several gateways share a store. */
function entrancesOf(settings: Settings) {
  const { SIGHTLINE_PUBLIC_URL: publicUrl, HOST: host, PORT: port, SIGHTLINE_ADMIN_PORT: adminPort, SIGHTLINE_ADMIN_HOST } = settings;
  if (adminPort === 0)
    throw new SettingError('SIGHTLINE_ADMIN_PORT is 0, so that the address of the console is not known here: set it to a fixed port.');
  return { baseUrl: publicUrl ?? `http://${host}:${port}`, adminUrl: reachable(`http://${SIGHTLINE_ADMIN_HOST}:${adminPort}`) };
}
