import type { Command } from 'commander';
import type { Admin, KeyWishes } from '../accounts/admin/types.ts';
import type { OperatorExplanation } from '../accounts/usage/explain.ts';
import { table } from './terminal.ts';

interface Json {
  json?: boolean;
}
interface RequestFilter {
  operation?: string;
  status?: number;
  label?: string;
  from?: string;
  to?: string;
  after?: string;
  limit: number;
}
interface Tools {
  /** Runs the command against the running server, or against the store if no server runs. */
  readonly run: (work: (admin: Admin) => Promise<void>) => Promise<void>;
  readonly show: <T>(options: Json, thing: T, words: (thing: T) => string) => void;
  readonly whole: (text: string) => number;
}

/** Commands on one existing account. */
export function addAccountCommands(accounts: Command, { run, show, whole }: Tools): void {
  const one = (name: string, description: string) =>
    accounts.command(`${name} <id>`).description(description).option('--json', 'print the result as JSON');
  accounts
    .command('rename <id> <name>')
    .description('rename an account')
    .option('--json', 'print the result as JSON')
    .action((accountId: string, name: string, o: Json) =>
      run(async (admin) => show(o, await admin.renameAccount({ accountId, name }), (a) => `${a.accountId}  ${a.name}`)),
    );
  one('suspend', 'refuse the keys and OAuth clients of an account until it is resumed').action((accountId: string, o: Json) =>
    run(async (admin) => show(o, await admin.suspendAccount({ accountId }), (a) => `${a.accountId} is suspended.`)),
  );
  one('resume', 'accept the keys and OAuth clients of a suspended account again').action((accountId: string, o: Json) =>
    run(async (admin) => show(o, await admin.resumeAccount({ accountId }), (a) => `${a.accountId} is active.`)),
  );
  one(
    'delete',
    'delete an account: revoke its keys and clients, take its free credits, erase its name; ledger, audit log and usage stay',
  ).action((accountId: string, o: Json) =>
    run(async (admin) =>
      show(o, await admin.deleteAccount({ accountId }), (a) => `${a.accountId} is deleted, ${a.creditsTaken} credits were taken.`),
    ),
  );
  one('usage', 'show requests and credits of an account by day, operation, key and status')
    .option('--from <day>', 'first day (UTC), such as 2027-01-31; default: 29 days ago')
    .option('--to <day>', 'last day (UTC); default: today')
    .option('--after <cursor>', 'cursor of the previous page')
    .option('--limit <n>', 'rows per page', whole, 1000)
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
  one('ledger', 'show the ledger entries of an account, newest first')
    .option('--receipt <id>', 'only entries of this receipt')
    .option('--after <cursor>', 'cursor of the previous page')
    .option('--limit <n>', 'entries per page', whole, 100)
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

/** `accounts requests` and `explain`: the request log. */
export function addRequestLog(program: Command, accounts: Command, { run, show, whole }: Tools): void {
  accounts
    .command('requests <id>')
    .description('list the requests of an account, newest first, of the last 30 days')
    .option('--operation <id>', 'only this operation')
    .option('--status <n>', 'only this HTTP status', whole)
    .option('--label <text>', 'only requests with this X-Request-Id of the caller')
    .option('--from <day>', 'first day (UTC), such as 2027-01-31')
    .option('--to <day>', 'last day (UTC)')
    .option('--after <cursor>', 'cursor of the previous page')
    .option('--limit <n>', 'requests per page', whole, 100)
    .option('--json', 'print the result as JSON')
    .action((accountId: string, { json, ...query }: Json & RequestFilter) =>
      run(async (admin) =>
        show({ json: json === true }, await admin.accountRequests({ accountId, ...query }), ({ entries, after }) => {
          const rows = entries.map((e) => [
            e.at,
            e.requestId,
            e.operation,
            String(e.status),
            e.code ?? '',
            e.source ?? '',
            e.cache ?? '',
            String(e.credits),
            `${Math.round(e.durationMs)} ms`,
            e.label ?? '',
          ]);
          return table(['AT', 'REQUEST', 'OPERATION', 'STATUS', 'CODE', 'SOURCE', 'CACHE', 'CREDITS', 'TIME', 'LABEL'], rows) + more(after);
        }),
      ),
    );
  program
    .command('explain <requestId>')
    .description(
      'show what happened to a request of the last 30 days, and why it was charged or not; by a label (X-Request-Id of the caller) all requests with it',
    )
    .option('--json', 'print the result as JSON')
    .action((requestId: string, o: Json) => run(async (admin) => show(o, await admin.explainRequest({ requestId }), explanationText)));
}

function explanationText(e: OperatorExplanation): string {
  const facts: readonly (readonly [string, string])[] = [
    ['request', `${e.requestId}  ${e.at}  account ${e.accountId}, key ${e.keyId}${e.label === null ? '' : `, label ${e.label}`}`],
    ['lookup', `${e.operation} ${JSON.stringify(e.parameters ?? {})}${e.freshness === null ? '' : `  Cache-Control: ${e.freshness}`}`],
    [
      'answer',
      `${e.status}${e.code ? ` ${e.code}` : ''} after ${Math.round(e.durationMs)} ms; cache ${e.cache ?? 'not asked'}${e.source ? `; source ${e.source}` : ''}`,
    ],
    ...(e.message === null ? [] : ([['message', e.message]] as const)),
    ...e.attempts.map(
      (a, i) =>
        [`attempt ${i + 1}`, [a.source, a.outcome, `${a.durationMs} ms`, a.reason, e.details[i]].filter(Boolean).join('  ')] as const,
    ),
    ...(e.unread.length ? ([['unread', e.unread.join(', ')]] as const) : []),
    ...(e.captures.length ? ([['captures', e.captures.join(', ')]] as const) : []),
    ['charge', `${e.credits} credits (${e.rule}): ${e.ruleInWords}`],
    ...(e.receipt === null ? [] : ([['receipt', e.receipt]] as const)),
    ...e.others.map((o) => ['same label', `${o.requestId}  ${o.at}  account ${o.accountId}  ${o.operation} ${o.status}`] as const),
  ];
  return facts.map(([name, text]) => `${name.padEnd(10)}  ${text}`).join('\n');
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

/** `keys edit`: omitted fields are unchanged; `none` removes a limit. */
export function addKeyEdit(keys: Command, { run, show, whole, list }: Tools & { readonly list: (text: string) => string[] }): void {
  const orNone = <T>(text: string, read: (text: string) => T): T | null => (text === 'none' ? null : read(text));
  keys
    .command('edit <id>')
    .description('change the given fields of a key; the value `none` removes a limit')
    .option('--label <text>', 'a name for the key, shown in lists')
    .option('--expires <when>', 'time of expiry, RFC 3339')
    .option('--operations <ids>', 'allowed operations, separated by commas')
    .option('--addresses <cidrs>', 'allowed client addresses (CIDR), separated by commas')
    .option('--credits-per-day <n>', 'most credits a day (UTC)')
    .option('--credits-per-month <n>', 'most credits a month (UTC)')
    .option('--rate <n>', 'requests per second, sustained')
    .option('--burst <n>', 'burst of requests')
    .option('--json', 'print the result as JSON')
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
