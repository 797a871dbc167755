import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { Admin, ListedKey } from '../accounts/admin/types.ts';
import { addAccountCommands, addKeyEdit, addRequestLog } from './manage-accounts.ts';
import { duration, fail, list, whole } from './option-values.ts';
import { forTerminal, table, terminalJson } from './terminal.ts';

export interface Json {
  json?: boolean;
}
interface Anchored extends Json {
  anchor?: string;
}
function anchorOf({ anchor }: Anchored): { anchor?: string } {
  if (anchor === undefined) return {};
  try {
    return { anchor: readFileSync(anchor, 'utf8') };
  } catch (error) {
    return fail(`--anchor ${anchor} cannot be read: ${(error as Error).message}`);
  }
}
const out = (text: string): void => void process.stdout.write(`${forTerminal(text)}\n`);
/** Prints the result as JSON under --json, as text otherwise. */
const show = <T>(options: Json, result: T, textOf: (result: T) => string): void =>
  out(options.json ? terminalJson(result) : textOf(result));
const keyLine = (k: ListedKey): string[] => [
  '  '.repeat(k.depth) + k.keyId,
  k.accountId,
  k.hint,
  k.label,
  k.revokedAt ? `revoked ${k.revokedAt}` : k.expiresAt ? `until ${k.expiresAt}` : 'active',
  k.operations?.join(',') ?? 'all',
  k.lastUsedAt ?? 'never',
  k.manages ? 'yes' : 'no',
  k.madeBy ?? 'operator',
];

/** Commands that read or change the store: through the running server, or on the store itself where no server runs. */
export function addManagement(program: Command): void {
  const accounts = program
    .command('accounts')
    .description('create, list, rename, suspend and delete accounts; show their usage and ledger');
  accounts
    .command('create <name>')
    .description('create an account')
    .option('--credits <n>', 'initial credits; default: 0', whole)
    .option('--json', 'print the result as JSON')
    .action((name: string, o: Json & { credits?: number }) =>
      run(async (admin) => {
        const account = await admin.createAccount({ name, ...(o.credits !== undefined && { credits: o.credits }) });
        show(o, account, (a) => `${a.accountId}  ${a.name}  ${a.balance} credits`);
      }),
    );
  accounts
    .command('list')
    .description('list all accounts with their balances')
    .option('--json', 'print the result as JSON')
    .action((o: Json) =>
      run(async (admin) =>
        show(o, await admin.listAccounts(), (all) =>
          table(
            ['ACCOUNT', 'CREDITS', 'HELD', 'SINCE', 'NAME'],
            all.map((a) => [a.accountId, String(a.balance), String(a.held), a.createdAt, a.name]),
          ),
        ),
      ),
    );

  addAccountCommands(accounts, { run, show, whole });
  addRequestLog(program, accounts, { run, show, whole });

  const keys = program.command('keys').description('create, list, edit, revoke and replace API keys');
  keys
    .command('create')
    .description('create an API key; the key is printed once and cannot be shown again')
    .option('--account <id>', 'account that pays; may be left out where there is only one account')
    .option('--label <text>', 'a name for the key, shown in lists')
    .option('--expires <when>', 'time of expiry, RFC 3339; default: never')
    .option('--operations <ids>', 'allowed operations, separated by commas; default: all', list)
    .option('--addresses <cidrs>', 'allowed client addresses (CIDR), separated by commas; default: all', list)
    .option('--credits-per-day <n>', 'most credits a day (UTC); default: no limit', whole)
    .option('--credits-per-month <n>', 'most credits a month (UTC); default: no limit', whole)
    .option('--rate <n>', 'requests per second, sustained; default: the limit of the account', whole)
    .option('--burst <n>', 'burst of requests; default: the limit of the account', whole)
    .option('--manage', 'the key may make, change, replace and revoke keys of its account in the console')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      '\nExample:\n  sightline keys create --label "price monitor" --operations registration,traffic --credits-per-day 500',
    )
    .action(
      (
        o: Json & {
          account?: string;
          label?: string;
          expires?: string;
          operations?: string[];
          addresses?: string[];
          creditsPerDay?: number;
          creditsPerMonth?: number;
          rate?: number;
          burst?: number;
          manage?: boolean;
        },
      ) =>
        run(async (admin) => {
          const key = await admin.createKey({
            ...(o.account && { accountId: o.account }),
            ...(o.label && { label: o.label }),
            expiresAt: o.expires ?? null,
            operations: o.operations ?? null,
            addresses: o.addresses ?? null,
            creditsPerDay: o.creditsPerDay ?? null,
            creditsPerMonth: o.creditsPerMonth ?? null,
            ratePerSecond: o.rate ?? null,
            rateBurst: o.burst ?? null,
            ...(o.manage && { manage: true }),
          });
          show(o, key, (k) => `${k.key}\n\nThe key is not shown again. Id: ${k.keyId}, account ${k.accountId}.`);
        }),
    );
  addKeyEdit(keys, { run, show, whole, list });
  keys
    .command('list')
    .description('list keys with their state, each below the key that made it; never the key itself')
    .option('--account <id>', 'only keys of this account')
    .option('--json', 'print the result as JSON')
    .action((o: Json & { account?: string }) =>
      run(async (admin) =>
        show(o, await admin.listKeys(o.account ? { accountId: o.account } : {}), (all) =>
          table(['KEY', 'ACCOUNT', 'BEGINS', 'LABEL', 'STATE', 'OPERATIONS', 'LAST USED', 'MANAGES', 'MADE BY'], all.map(keyLine)),
        ),
      ),
    );
  keys
    .command('revoke <id>')
    .description('revoke a key, its sessions and the keys that it made; in force when the command returns, in a fleet within a second')
    .option('--keep-descendants', 'the keys that it made stay valid')
    .option('--json', 'print the result as JSON')
    .action((keyId: string, { keepDescendants = false, ...o }: Json & { keepDescendants?: boolean }) =>
      run(async (admin) => show(o, await admin.revokeKey({ keyId, keepDescendants }), (k) => `${k.keyId} is revoked.`)),
    );
  keys
    .command('reroll <id>')
    .description('replace a key by a new one with the same rights, limits and spent credits; the old key stays valid for a grace time')
    .option('--grace <duration>', 'how long the old key stays valid, such as 24h; default: it is revoked at once', duration)
    .option('--json', 'print the result as JSON')
    .action((keyId: string, o: Json & { grace?: number }) =>
      run(async (admin) =>
        show(
          o,
          await admin.rerollKey({ keyId, ...(o.grace !== undefined && { graceMs: o.grace }) }),
          (k) => `${k.key}\n\nThe key is not shown again. Id: ${k.keyId}.`,
        ),
      ),
    );
  keys
    .command('check [key]')
    .description(
      'check the checksum of API keys and client secrets offline: of the argument, or of each line on standard input; exit code 1 where one is invalid',
    )
    .option('--json', 'print one JSON line per input line')
    .action(async (key: string | undefined, o: Json) => (await import('./check-keys.ts')).runKeyCheck(key, o.json === true));

  const credits = program.command('credits').description('grant credits and show balances');
  credits
    .command('grant <amount>')
    .description('add credits to an account; a negative amount takes them away')
    .option('--account <id>', 'account; may be left out where there is only one')
    .option('--note <text>', 'reason, shown in the ledger')
    .option('--reference <id>', 'idempotency key: a second grant with the same reference changes nothing')
    .option('--json', 'print the result as JSON')
    .action((amount: string, o: Json & { account?: string; note?: string; reference?: string }) =>
      run(async (admin) => {
        const wish = {
          credits: whole(amount),
          ...(o.account && { accountId: o.account }),
          ...(o.note && { note: o.note }),
          ...(o.reference && { reference: o.reference }),
        };
        show(o, await admin.grant(wish), (a) => `${a.accountId}  ${a.balance} credits`);
      }),
    );
  credits
    .command('show')
    .description('show the free and the held credits of an account')
    .option('--account <id>', 'account; may be left out where there is only one')
    .option('--json', 'print the result as JSON')
    .action((o: Json & { account?: string }) =>
      run(async (admin) =>
        show(
          o,
          await admin.showAccount(o.account ? { accountId: o.account } : {}),
          (a) => `${a.accountId}  ${a.name}: ${a.balance} credits free, ${a.held} held`,
        ),
      ),
    );

  const ledger = program.command('ledger').description('verify and anchor the ledger of credits');
  ledger
    .command('verify')
    .description('verify sums and hash chains of all accounts; exit code 1 where there is a fault')
    .option('--anchor <file>', 'file with lines of `ledger anchor`: also finds a chain that was truncated or rewritten since then')
    .option('--json', 'print the result as JSON')
    .action((o: Anchored) => verify(o, (admin) => admin.verifyLedger(anchorOf(o))));
  ledger
    .command('anchor')
    .description('print the signed heads of all hash chains as one line; store it where the store has no write access')
    .action(() => run(async (admin) => out((await admin.anchorLedger()).line)));
  const audit = program.command('audit').description('show and verify the audit log of changes');
  audit
    .command('verify')
    .description(
      'verify the hash chain of the audit log, and that accounts, keys, clients and sessions are as its events leave them; exit code 1 where there is a fault',
    )
    .option('--anchor <file>', 'file with lines of `ledger anchor`: also finds a log that was truncated or rewritten since then')
    .option('--json', 'print the result as JSON')
    .action((o: Anchored) => verify(o, (admin) => admin.verifyAudit(anchorOf(o))));
  audit
    .command('log')
    .description('show the latest entries of the audit log')
    .option('--limit <n>', 'number of entries', whole, 50)
    .option('--json', 'print the result as JSON')
    .action((o: Json & { limit: number }) =>
      run(async (admin) =>
        show(o, await admin.auditLog({ limit: o.limit }), (all) =>
          table(
            ['AT', 'WHO', 'WHAT', 'SUBJECT', 'FACTS'],
            all.map((e) => [e.at, e.actor, e.action, e.subject, JSON.stringify(e.facts)]),
          ),
        ),
      ),
    );
}

/** The store is loaded only where a command needs it. */
const run = async (work: (admin: Admin) => Promise<void>): Promise<void> => (await import('./store-access.ts')).withAdmin(work);

const verify = <R extends { readonly faults: readonly string[] }>(o: Json, prove: (admin: Admin) => Promise<R>): Promise<void> =>
  run(async (admin) => {
    const report = await prove(admin);
    show(o, report, (r) => {
      const facts = Object.entries(r)
        .filter(([name]) => name !== 'faults')
        .map(([name, n]) => `${name} ${n}`);
      return `${facts.join(', ')}\n${r.faults.length ? r.faults.join('\n') : 'No fault: all sums and hash chains are valid.'}`;
    });
    if (report.faults.length) process.exitCode = 1;
  });
