import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { sql } from 'kysely';
import { plainLine } from '../../billing/rules.ts';
import { DAY_MS, dayOf } from '../../runtime/clock.ts';
import type { Statement, Store } from '../../store/store.ts';
import type { RequestLogRow, UsageDayRow } from '../../store/tables.ts';
import type { UsageRow } from '../types.ts';

/** Members of a request in the order in which its text holds their values; released texts keep it. */
const MEMBERS = [
  ...(['at', 'requestId', 'label', 'keyId', 'operation', 'status', 'code'] as const),
  ...(['credits', 'source', 'cache', 'durationMs', 'upstreamMs', 'target', 'details'] as const),
];

/** The values by name, written out because this is a hot path: a loop over MEMBERS takes three times as long. */
const cellsOf = (r: UsageRow) => [
  ...([r.at, plainLine(r.requestId), r.label, r.keyId, r.operation, r.status, r.code] as const),
  ...([r.credits, r.source, r.cache, r.durationMs, r.upstreamMs, r.target, r.details] as const),
];
const packRequests = (rows: readonly UsageRow[]): string => JSON.stringify(rows.map(cellsOf));

/** PostgreSQL compresses values from this size on, too. A smaller one is not worth the context that a compression makes. */
const COMPRESSED_FROM = 2_000;
const FASTEST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
const compressed = (text: string): string | Uint8Array => (text.length < COMPRESSED_FROM ? text : zstdCompressSync(text, FASTEST));
const decompressed = (requests: string | Uint8Array): string =>
  typeof requests === 'string' ? requests : zstdDecompressSync(requests).toString();

export const unpackRequests = ({ account_id: accountId, requests }: Pick<RequestLogRow, 'account_id' | 'requests'>): UsageRow[] =>
  (JSON.parse(decompressed(requests)) as unknown[][]).map((cells) => {
    const members = Object.fromEntries(MEMBERS.map((name, i) => [name, cells[i]])) as { [N in (typeof MEMBERS)[number]]: UsageRow[N] };
    return { ...members, accountId };
  });

/** Writes the requests, one row for each account, and adds them to the daily sums. */
export function insertUsage({ kind, db }: Pick<Store, 'kind' | 'db'>, rows: readonly UsageRow[], atMs: number): Statement[] {
  const byAccount = Map.groupBy(rows, (row) => row.accountId);
  const pack = (own: readonly UsageRow[]) => (kind === 'embedded' ? compressed(packRequests(own)) : packRequests(own));
  const packed = [...byAccount].map(([accountId, own]) => ({ account_id: accountId, at: atMs, requests: pack(own) }));
  const labels = [...byAccount].flatMap(([accountId, own]) =>
    [...new Set(own.flatMap(({ label }) => label ?? []))].map((label) => ({ label, account_id: accountId, at: atMs })),
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
  const days = new Map<number, string>();
  /** By key, which has few of them: a text of all columns for each row would cost more than its sum. */
  const sums = new Map<string, UsageDayRow[]>();
  for (const { accountId: account_id, at, operation, keyId: key_id, status, credits } of rows) {
    const day = days.get(Math.floor(at / DAY_MS)) ?? dayOf(at);
    days.set(Math.floor(at / DAY_MS), day);
    const own = sums.get(key_id) ?? [];
    const sum = own.find((s) => s.status === status && s.operation === operation && s.day === day && s.account_id === account_id);
    if (sum) {
      sum.requests++;
      sum.credits += credits;
    } else {
      own.push({ account_id, day, operation, key_id, status, requests: 1, credits });
      sums.set(key_id, own);
    }
  }
  const placed = [...sums.values()].flat().map((s) => [`${s.account_id}\t${s.day}\t${s.operation}\t${s.key_id}\t${s.status}`, s] as const);
  return placed.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
}
