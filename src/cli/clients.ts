import type { Command } from 'commander';
import type { Admin, ClientSummary, NewClient } from '../accounts/admin/types.ts';
import { forTerminal, table, terminalJson } from './terminal.ts';

interface Json {
  json?: boolean;
}
const print = <T>(options: Json, thing: T, words: (thing: T) => string): void =>
  void process.stdout.write(`${options.json ? terminalJson(thing) : forTerminal(words(thing))}\n`);
const list = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);
/** Imports the store only when a command needs it. */
const run = async (work: (admin: Admin) => Promise<void>): Promise<void> => (await import('./store-access.ts')).withAdmin(work);

const made = (c: NewClient): string =>
  `client_id      ${c.clientId}\nclient_secret  ${c.clientSecret}\n\nThe secret is not shown again. Account ${c.accountId}, scopes ${c.scopes?.join(' ') ?? 'all'}.`;
const stateOf = (c: Pick<ClientSummary, 'revokedAt' | 'expiresAt'>): string =>
  c.revokedAt ? `revoked ${c.revokedAt}` : c.expiresAt ? `until ${c.expiresAt}` : 'active';

/** `sightline clients …`: OAuth clients and signing keys. */
export function addClients(program: Command): void {
  const clients = program.command('clients').description('create, list and revoke OAuth clients; rotate the signing key of access tokens');
  clients
    .command('create')
    .description('create an OAuth client; its secret is printed once and cannot be shown again')
    .option('--account <id>', 'account that pays; may be left out where there is only one account')
    .option('--label <text>', 'a name for the client, shown in lists')
    .option('--expires <when>', 'time of expiry, RFC 3339; default: never')
    .option('--scopes <list>', 'scopes of its access tokens, separated by commas; default: all', list)
    .option('--json', 'print the result as JSON')
    .addHelpText('after', '\nExample:\n  sightline clients create --label "price monitor" --scopes registration,traffic,account')
    .action((o: Json & { account?: string; label?: string; expires?: string; scopes?: string[] }) =>
      run(async (admin) => {
        const wishes = { ...(o.account && { accountId: o.account }), ...(o.label && { label: o.label }) };
        print(o, await admin.createClient({ ...wishes, expiresAt: o.expires ?? null, scopes: o.scopes ?? null }), made);
      }),
    );
  clients
    .command('list')
    .description('list OAuth clients with their state; never the secret')
    .option('--account <id>', 'only clients of this account')
    .option('--json', 'print the result as JSON')
    .action((o: Json & { account?: string }) =>
      run(async (admin) =>
        print(o, await admin.listClients(o.account ? { accountId: o.account } : {}), (all) =>
          table(
            ['CLIENT', 'ACCOUNT', 'LABEL', 'STATE', 'SCOPES', 'LAST USED'],
            all.map((c) => [c.clientId, c.accountId, c.label, stateOf(c), c.scopes?.join(',') ?? 'all', c.lastUsedAt ?? 'never']),
          ),
        ),
      ),
    );
  clients
    .command('revoke <id>')
    .description('revoke a client and all of its tokens; in force when the command returns, in a fleet within a second')
    .option('--json', 'print the result as JSON')
    .action((clientId: string, o: Json) =>
      run(async (admin) => print(o, await admin.revokeClient({ clientId }), (c) => `${c.clientId} is revoked, and so are its tokens.`)),
    );
  clients
    .command('grants')
    .description('list what persons granted to apps that sign in with OAuth; "sightline keys revoke ID" ends a grant')
    .option('--account <id>', 'only grants of this account')
    .option('--json', 'print the result as JSON')
    .action((o: Json & { account?: string }) =>
      run(async (admin) =>
        print(o, await admin.listGrants(o.account ? { accountId: o.account } : {}), (all) =>
          table(
            ['ID', 'ACCOUNT', 'APP', 'STATE', 'CREDITS A DAY', 'SCOPES'],
            all.map((g) => [g.keyId, g.accountId, g.label, stateOf(g), String(g.creditsPerDay ?? 'no limit'), g.scopes.join(',')]),
          ),
        ),
      ),
    );
  clients
    .command('rotate')
    .description('sign access tokens with a new key; older keys still verify tokens until these expire')
    .option('--drop', 'also reject all tokens signed before: for a key that may be compromised')
    .option('--json', 'print the result as JSON')
    .action((o: Json & { drop?: boolean }) =>
      run(async (admin) =>
        print(
          o,
          await admin.rotateSigningKey({ drop: o.drop === true }),
          (r) => `Key ${r.kid} signs now${o.drop ? `; ${r.dropped} older keys no longer verify tokens` : ''}.`,
        ),
      ),
    );
}
