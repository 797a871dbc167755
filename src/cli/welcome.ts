import type { Writable } from 'node:stream';
import type { OpenAccounts } from '../accounts/accounts.ts';
import { consoleIsBuilt, NOT_BUILT } from '../gateway/console/app-files.ts';
import { realClock } from '../runtime/clock.ts';
import type { Settings } from '../settings.ts';
import { createConsoleLinks } from './console.ts';
import { sourceTable } from './sources.ts';
import { plural } from './terminal.ts';

interface Started {
  readonly baseUrl: string;
  readonly adminUrl: string;
  readonly accounts: Pick<OpenAccounts, 'admin' | 'setup' | 'signInCodes'>;
  readonly announceSetup: () => Promise<boolean>;
}

/** The first link is read by a person who has just started the service. */
const FIRST_LINK_MS = 600_000;
const NOT_CLAIMED =
  'Nobody has claimed this installation yet: open /setup with the code of SIGHTLINE_SETUP_CODE, or the link that another process of this store printed; or make a key with "sightline keys create".';

/** Shows the link of the setup: its code is the one secret that the output of the service may hold. */
export const announceTo =
  (out: Writable, json: boolean) =>
  (link: string): void =>
    void out.write(
      json
        ? `${JSON.stringify({ setup: link })}\n`
        : `\nNobody has claimed this installation yet. Open this link within 15 minutes:\n\n  ${link}\n\n`,
    );

/** What `serve` prints once it listens. The key comes last; where nobody sees the output at once none is made, and the link of the setup is printed. */
async function greet({ baseUrl, adminUrl, accounts, announceSetup }: Started, settings: Settings, json: boolean): Promise<void> {
  const print = (text: string): void => void process.stdout.write(`${text}\n`);
  const first = json || process.stdout.isTTY ? await accounts.admin.ensureFirstAccount() : null;
  if (json) return print(JSON.stringify({ baseUrl, docs: `${baseUrl}/docs`, admin: adminUrl, ...(first && { apiKey: first.key }) }));
  const built = consoleIsBuilt();
  print(
    `Sightline listens on ${baseUrl} (${built ? `console: ${baseUrl}/console, ` : ''}description: ${baseUrl}/docs, metrics: ${adminUrl}/metrics)`,
  );
  if (!built) print(NOT_BUILT);
  print(`\n${await sourceTable(settings, realClock.now())}\n`);
  if (first) {
    const { url } = await createConsoleLinks(accounts, () => ({ baseUrl, adminUrl }), FIRST_LINK_MS)({ accountId: first.accountId });
    print(
      `The first account was made, with ${plural(settings.SIGHTLINE_FREE_CREDITS, 'credit')}. Its console, by a link that signs in once within 10 minutes:\n\n  ${url}\n`,
    );
    print(`Its API key, shown this once:\n\n  ${first.key}\n`);
  } else if (!(await announceSetup()) && !(await accounts.setup.isClaimed())) print(NOT_CLAIMED);
}

/** Prints it. A stop meanwhile may have closed the store: then nothing is left to say. */
export const welcome = (service: Started, settings: Settings, json: boolean, isStopping: () => boolean): Promise<void> =>
  greet(service, settings, json).catch((error: unknown) => {
    if (!isStopping()) throw error;
  });
