import type { Command } from 'commander';
import type { Admin, KeyWishes } from '../accounts/admin/types.ts';
import { table } from './terminal.ts';

interface Json {
  json?: boolean;
}
interface Tools {
  /** Runs with the server that holds the store, else with the store itself. */
  readonly run: (work: (admin: Admin) => Promise<void>) => Promise<void>;
  readonly show: <T>(options: Json, thing: T, words: (thing: T) => string) => void;
  readonly whole: (text: string) => number;
}

/** Commands for one account that exists. */
export function addAccountCommands(accounts: Command, { run, show, whole }: Tools): void {
  const one = (name: string, description: string) => accounts.command(`${name} <id>`).description(description).option('--json');
  accounts
    .command('rename <id> <name>')
    .description('give an account another name')
    .option('--json')
    .action((accountId: string, name: string, o: Json) =>
      run(async (admin) => show(o, await admin.renameAccount({ accountId, name }), (a) => `${a.accountId}  ${a.name}`)),
    );
  one('suspend', 'refuse its keys and clients until it is resumed').action((accountId: string, o: Json) =>
    run(async (admin) => show(o, await admin.suspendAccount({ accountId }), (a) => `${a.accountId} is suspended.`)),
  );
  one('resume', 'accept its keys and clients again').action((accountId: string, o: Json) =>
    run(async (admin) => show(o, await admin.resumeAccount({ accountId }), (a) => `${a.accountId} is active.`)),
  );
  one('delete', 'end its keys and clients, take its credits and its name; ledger, audit log and usage stay').action(
    (accountId: string, o: Json) =>
      run(async (admin) =>
        show(o, await admin.deleteAccount({ accountId }), (a) => `${a.accountId} is deleted, ${a.creditsTaken} credits were taken.`),
      ),
  );
  one('usage', 'requests and credits by day, operation, key and status')
    .option('--from <day>', 'first day, UTC; default: 30 days ago')
    .option('--to <day>', 'last day; default: today')
    .option('--after <cursor>', 'the page after this one')
    .option('--limit <n>', 'rows', whole, 1000)
    .action((accountId: string, o: Json & { from?: string; to?: string; after?: string; limit: number }) =>
      run(async (admin) => {
        const query = {
          accountId,
          limit: o.limit,
          ...(o.from && { from: o.from }),
          ...(o.to && { to: o.to }),
          ...(o.after && { after: o.after }),
        };
        show(o, await admin.accountUsage(query), ({ entries, after }) => {
          const rows = entries.map((e) => [e.day, e.operation, e.keyId, String(e.status), String(e.requests), String(e.credits)]);
          return table(['DAY', 'OPERATION', 'KEY', 'STATUS', 'REQUESTS', 'CREDITS'], rows) + more(after);
        });
      }),
    );
  one('ledger', 'entries of its ledger, newest first')
    .option('--receipt <id>', 'those of one answer')
    .option('--after <cursor>', 'the page after this one')
    .option('--limit <n>', 'entries', whole, 100)
    .action((accountId: string, o: Json & { receipt?: string; after?: string; limit: number }) =>
      run(async (admin) => {
        const query = { accountId, limit: o.limit, ...(o.receipt && { receipt: o.receipt }), ...(o.after && { after: o.after }) };
        show(o, await admin.accountLedger(query), ({ entries, after }) => {
          const rows = entries.map((e) => [
            e.at,
            e.kind,
            String(e.credits),
            String(e.held),
            e.operation ?? '',
            e.receipt ?? e.reference ?? '',
            e.note ?? '',
          ]);
          return table(['AT', 'KIND', 'CREDITS', 'HELD', 'OPERATION', 'RECEIPT', 'NOTE'], rows) + more(after);
        });
      }),
    );
}

const more = (after: string | null): string => (after === null ? '' : `\nMore: --after ${after}`);

interface KeyEdit extends Json {
  label?: string;
  expires?: string;
  operations?: string;
  addresses?: string;
  creditsPerDay?: string;
  creditsPerMonth?: string;
  rate?: string;
  burst?: string;
}

/** `keys edit`: what is not given stays; `none` takes a limit away. */
export function addKeyEdit(keys: Command, { run, show, whole, list }: Tools & { readonly list: (text: string) => string[] }): void {
  const orNone = <T>(text: string, read: (text: string) => T): T | null => (text === 'none' ? null : read(text));
  keys
    .command('edit <id>')
    .description('change what is given; `none` takes a limit away')
    .option('--label <text>')
    .option('--expires <when>', 'RFC 3339 time from which it is refused')
    .option('--operations <ids>', 'operations that it may use, separated by commas')
    .option('--addresses <cidrs>', 'addresses that it may be used from, separated by commas')
    .option('--credits-per-day <n>')
    .option('--credits-per-month <n>')
    .option('--rate <n>', 'requests a second')
    .option('--burst <n>', 'requests at once')
    .option('--json')
    .action((keyId: string, o: KeyEdit) => {
      const wishes: Omit<KeyWishes, 'accountId'> = {
        ...(o.label !== undefined && { label: o.label }),
        ...(o.expires !== undefined && { expiresAt: orNone(o.expires, (text) => text) }),
        ...(o.operations !== undefined && { operations: orNone(o.operations, list) }),
        ...(o.addresses !== undefined && { addresses: orNone(o.addresses, list) }),
        ...(o.creditsPerDay !== undefined && { creditsPerDay: orNone(o.creditsPerDay, whole) }),
        ...(o.creditsPerMonth !== undefined && { creditsPerMonth: orNone(o.creditsPerMonth, whole) }),
        ...(o.rate !== undefined && { ratePerSecond: orNone(o.rate, whole) }),
        ...(o.burst !== undefined && { rateBurst: orNone(o.burst, whole) }),
      };
      return run(async (admin) => show(o, await admin.editKey({ keyId, ...wishes }), (k) => `${k.keyId} is changed.`));
    });
}
