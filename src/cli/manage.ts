import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { Admin, KeySummary } from '../accounts/admin/types.ts';
import { addAccountCommands, addKeyEdit } from './manage-accounts.ts';
import { table } from './terminal.ts';
import { UsageError } from './usage-error.ts';

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
const out = (text: string): void => void process.stdout.write(`${text}\n`);
/** Prints the thing itself under --json, else what a person reads. */
const show = <T>(options: Json, thing: T, words: (thing: T) => string): void => out(options.json ? JSON.stringify(thing) : words(thing));
const list = (text: string): string[] =>
  text
    .split(',')
    .map((t) => t.trim())
    .filter(Boolean);
const whole = (text: string): number => (/^-?\d{1,15}$/.test(text) ? Number(text) : fail(`${JSON.stringify(text)} is no whole number`));
const fail = (message: string): never => {
  throw new UsageError(message);
};

/** `30m`, `24h`, `7d` or seconds, as ms. */
function duration(text: string): number {
  const m = /^(\d{1,9})(s|m|h|d)?$/.exec(text);
  if (!m) return fail(`${JSON.stringify(text)} is no duration: write 45s, 30m, 24h or 7d`);
  return Number(m[1]) * ({ s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }[m[2] ?? 's'] ?? 1_000);
}

const keyLine = (k: KeySummary): string[] => [
  k.keyId,
  k.accountId,
  k.hint,
  k.label,
  k.revokedAt ? `revoked ${k.revokedAt}` : k.expiresAt ? `until ${k.expiresAt}` : 'active',
  k.operations?.join(',') ?? 'all',
  k.lastUsedAt ?? 'never',
];

/** Commands that read or change the store: through the server that holds it, else by themselves. */
export function addManagement(program: Command): void {
  const accounts = program.command('accounts').description('accounts');
  accounts
    .command('create <name>')
    .description('make an account')
    .option('--credits <n>', 'credits that it begins with', whole)
    .option('--json')
    .action((name: string, o: Json & { credits?: number }) =>
      run(async (admin) => {
        const account = await admin.createAccount({ name, ...(o.credits !== undefined && { credits: o.credits }) });
        show(o, account, (a) => `${a.accountId}  ${a.name}  ${a.balance} credits`);
      }),
    );
  accounts
    .command('list')
    .description('all accounts')
    .option('--json')
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

  const keys = program.command('keys').description('API keys');
  keys
    .command('create')
    .description('make a key; it is shown this once')
    .option('--account <id>', 'account that pays; not needed where there is only one')
    .option('--label <text>', 'what it is for')
    .option('--expires <when>', 'RFC 3339 time from which it is refused')
    .option('--operations <ids>', 'operations that it may use, separated by commas', list)
    .option('--addresses <cidrs>', 'addresses that it may be used from, separated by commas', list)
    .option('--credits-per-day <n>', 'cap', whole)
    .option('--credits-per-month <n>', 'cap', whole)
    .option('--rate <n>', 'requests a second, sustained; narrower than the account', whole)
    .option('--burst <n>', 'requests at once', whole)
    .option('--json')
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
          });
          show(o, key, (k) => `${k.key}\n\nThis is the only time that it is shown. Id: ${k.keyId}, account ${k.accountId}.`);
        }),
    );
  addKeyEdit(keys, { run, show, whole, list });
  keys
    .command('list')
    .description('all keys, without the keys themselves')
    .option('--account <id>')
    .option('--json')
    .action((o: Json & { account?: string }) =>
      run(async (admin) =>
        show(o, await admin.listKeys(o.account ? { accountId: o.account } : {}), (all) =>
          table(['KEY', 'ACCOUNT', 'BEGINS', 'LABEL', 'STATE', 'OPERATIONS', 'LAST USED'], all.map(keyLine)),
        ),
      ),
    );
  keys
    .command('revoke <id>')
    .description('end a key; in effect when this returns (within a second on every gateway of a fleet)')
    .option('--json')
    .action((keyId: string, o: Json) => run(async (admin) => show(o, await admin.revokeKey({ keyId }), (k) => `${k.keyId} is revoked.`)));
  keys
    .command('reroll <id>')
    .description('make a new key like the old one, which goes on for a grace time')
    .option('--grace <duration>', 'such as 24h; default: the old key ends now', duration)
    .option('--json')
    .action((keyId: string, o: Json & { grace?: number }) =>
      run(async (admin) =>
        show(
          o,
          await admin.rerollKey({ keyId, ...(o.grace !== undefined && { graceMs: o.grace }) }),
          (k) => `${k.key}\n\nThis is the only time that it is shown. Id: ${k.keyId}.`,
        ),
      ),
    );
  keys
    .command('check [key]')
    .description('tell keys and client secrets from other text by their checksum, offline: the argument, or a line each on standard input')
    .option('--json', 'a JSON line each')
    .action(async (key: string | undefined, o: Json) => (await import('./check-keys.ts')).runKeyCheck(key, o.json === true));

  const credits = program.command('credits').description('credits');
  credits
    .command('grant <amount>')
    .description('give credits to an account; a negative amount takes them')
    .option('--account <id>')
    .option('--note <text>', 'why')
    .option('--reference <id>', 'the same reference is granted once')
    .option('--json')
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
    .description('what an account has')
    .option('--account <id>')
    .option('--json')
    .action((o: Json & { account?: string }) =>
      run(async (admin) =>
        show(
          o,
          await admin.showAccount(o.account ? { accountId: o.account } : {}),
          (a) => `${a.accountId}  ${a.name}: ${a.balance} credits free, ${a.held} held`,
        ),
      ),
    );

  const ledger = program.command('ledger').description('the ledger of credits');
  ledger
    .command('verify')
    .description('prove sums and hash chains, from the first entry to the last')
    .option('--anchor <file>', 'lines of `ledger anchor`, kept elsewhere: finds a chain that was cut or rewritten since')
    .option('--json')
    .action((o: Anchored) => verify(o, (admin) => admin.verifyLedger(anchorOf(o))));
  ledger
    .command('anchor')
    .description('print the signed heads of all chains, one line: keep it where whoever can write to the store cannot')
    .action(() => run(async (admin) => out((await admin.anchorLedger()).line)));
  const audit = program.command('audit').description('who changed what');
  audit
    .command('verify')
    .description('prove the hash chain of the audit log')
    .option('--anchor <file>', 'lines of `ledger anchor`, kept elsewhere: finds a log that was cut or rewritten since')
    .option('--json')
    .action((o: Anchored) => verify(o, (admin) => admin.verifyAudit(anchorOf(o))));
  audit
    .command('log')
    .description('the last entries')
    .option('--limit <n>', 'how many', whole, 50)
    .option('--json')
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
      return `${facts.join(', ')}\n${r.faults.length ? r.faults.join('\n') : 'No fault: every sum and every link of the chain holds.'}`;
    });
    if (report.faults.length) process.exitCode = 1;
  });
