import type { Command } from 'commander';
import type { Admin, ClientSummary, NewClient } from '../accounts/admin/types.ts';
import { table } from './terminal.ts';

interface Json {
  json?: boolean;
}
const print = <T>(options: Json, thing: T, words: (thing: T) => string): void =>
  void process.stdout.write(`${options.json ? JSON.stringify(thing) : words(thing)}\n`);
const list = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);
/** The store is loaded only where a command needs it. */
const run = async (work: (admin: Admin) => Promise<void>): Promise<void> => (await import('./store-access.ts')).withAdmin(work);

const made = (c: NewClient): string =>
  `client_id      ${c.clientId}\nclient_secret  ${c.clientSecret}\n\nThis is the only time that the secret is shown. Account ${c.accountId}, scopes ${c.scopes?.join(' ') ?? 'all'}.`;
const stateOf = (c: ClientSummary): string => (c.revokedAt ? `revoked ${c.revokedAt}` : c.expiresAt ? `until ${c.expiresAt}` : 'active');

/** `sightline clients …`: who may ask for access tokens. */
export function addClients(program: Command): void {
  const clients = program.command('clients').description('OAuth clients: they get access tokens at /v1/oauth/token');
  clients
    .command('create')
    .description('make a client; its secret is shown this once')
    .option('--account <id>', 'account that pays; not needed where there is only one')
    .option('--label <text>', 'what it is for')
    .option('--expires <when>', 'RFC 3339 time from which it is refused')
    .option('--scopes <list>', 'areas that its tokens may be used for, separated by commas; default: all', list)
    .option('--json')
    .addHelpText('after', '\nExample:\n  sightline clients create --label "price monitor" --scopes registration,traffic,account')
    .action((o: Json & { account?: string; label?: string; expires?: string; scopes?: string[] }) =>
      run(async (admin) => {
        const wishes = { ...(o.account && { accountId: o.account }), ...(o.label && { label: o.label }) };
        print(o, await admin.createClient({ ...wishes, expiresAt: o.expires ?? null, scopes: o.scopes ?? null }), made);
      }),
    );
  clients
    .command('list')
    .description('all clients, without their secrets')
    .option('--account <id>')
    .option('--json')
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
    .description('end a client and all of its tokens; in effect when this returns (within a second on every gateway of a fleet)')
    .option('--json')
    .action((clientId: string, o: Json) =>
      run(async (admin) => print(o, await admin.revokeClient({ clientId }), (c) => `${c.clientId} is revoked, and so are its tokens.`)),
    );
  clients
    .command('rotate')
    .description('sign access tokens with a new key from now on; the old ones are believed until their tokens have ended')
    .option('--drop', 'no token signed before is accepted any more (a key may be in wrong hands)')
    .option('--json')
    .action((o: Json & { drop?: boolean }) =>
      run(async (admin) =>
        print(
          o,
          await admin.rotateSigningKey({ drop: o.drop === true }),
          (r) => `Key ${r.kid} signs now${o.drop ? `; ${r.dropped} older keys are not believed any more` : ''}.`,
        ),
      ),
    );
}
