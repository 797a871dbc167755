import { type Kysely, sql } from 'kysely';
import { plainLine } from '../../billing/rules.ts';
import { DAY_MS, dayOf } from '../../runtime/clock.ts';
import type { Statement } from '../../store/store.ts';
import type { Tables, UsageDayRow } from '../../store/tables.ts';
import type { UsageRow } from '../types.ts';

/** Members of a request in the order in which its text holds their values; released texts keep it. */
const MEMBERS = [
  ...(['at', 'requestId', 'label', 'keyId', 'operation', 'status', 'code'] as const),
  ...(['credits', 'source', 'cache', 'durationMs', 'upstreamMs', 'target', 'details'] as const),
];

const packRequests = (rows: readonly UsageRow[]): string =>
  JSON.stringify(rows.map((row) => MEMBERS.map((name) => (name === 'requestId' ? plainLine(row.requestId) : row[name]))));

export const unpackRequests = (accountId: string, text: string): UsageRow[] =>
  (JSON.parse(text) as unknown[][]).map((cells) => {
    const members = Object.fromEntries(MEMBERS.map((name, i) => [name, cells[i]])) as { [N in (typeof MEMBERS)[number]]: UsageRow[N] };
    return { ...members, accountId };
  });

/** Writes the requests, one row for each account, and adds them to the daily sums. */
export function insertUsage(db: Kysely<Tables>, rows: readonly UsageRow[], at: number): Statement[] {
  const byAccount = Map.groupBy(rows, (row) => row.accountId);
  const packed = [...byAccount].map(([accountId, own]) => ({ account_id: accountId, at, requests: packRequests(own) }));
  const labels = [...byAccount].flatMap(([accountId, own]) =>
    [...new Set(own.flatMap(({ label }) => label ?? []))].map((label) => ({ label, account_id: accountId, at })),
  );
  const add = db.insertInto('usage_days').values(daySums(rows));
  const labelled = db
    .insertInto('request_labels')
    .values(labels)
    .onConflict((conflict) => conflict.doNothing());
  return [
    db.insertInto('request_log').values(packed).compile(),
    ...(labels.length ? [labelled.compile()] : []),
    add
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'day', 'operation', 'key_id', 'status']).doUpdateSet({
          requests: sql<number>`usage_days.requests + excluded.requests`,
          credits: sql<number>`usage_days.credits + excluded.credits`,
        }),
      )
      .compile(),
  ];
}

/** Sorted, so that gateways that update the same sums cannot deadlock. */
function daySums(rows: readonly UsageRow[]): readonly UsageDayRow[] {
  const sums = new Map<string, UsageDayRow>();
  for (const { accountId, at, operation, keyId, status, credits } of rows) {
    const key = `${accountId}\t${Math.floor(at / DAY_MS)}\t${operation}\t${keyId}\t${status}`;
    const sum = sums.get(key);
    if (sum) {
      sum.requests++;
      sum.credits += credits;
    } else {
      sums.set(key, { account_id: accountId, day: dayOf(at), operation, key_id: keyId, status, requests: 1, credits });
    }
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
}
