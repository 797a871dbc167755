import { plainLine } from '../../billing/hold-id.ts';
import type { Statement, Store } from '../../store/store.ts';
import type { UsageRow } from '../types.ts';

type Cell = string | number | null;
const COLUMNS = [
  'at',
  'account_id',
  'key_id',
  'request_id',
  'operation',
  'status',
  'code',
  'credits',
  'source',
  'cache',
  'duration_ms',
  'upstream_ms',
  'target',
  'details',
];
const KINDS = ['bigint', 'text', 'text', 'text', 'text', 'bigint', 'text', 'bigint', 'text', 'text', 'float8', 'float8', 'text', 'text'];
const DAY_COLUMNS = ['account_id', 'day', 'operation', 'key_id', 'status', 'requests', 'credits'];
const DAY_KINDS = ['text', 'text', 'text', 'text', 'bigint', 'bigint', 'bigint'];
const ADD = `on conflict (account_id, day, operation, key_id, status) do update
  set requests = usage_days.requests + excluded.requests, credits = usage_days.credits + excluded.credits`;

/** Inserts the rows and adds them to the daily sums. They are passed as one JSON parameter: thousands of parameters cost more. */
export function insertUsage(kind: Store['kind'], rows: readonly UsageRow[]): Statement[] {
  const raw = JSON.stringify(rows.map(cells));
  const sums = JSON.stringify(daySums(rows));
  return kind === 'embedded'
    ? [
        { sql: `insert into usage (${COLUMNS}) values (${COLUMNS.map(() => '?')})`, parameters: [], rows: raw },
        { sql: `insert into usage_days (${DAY_COLUMNS}) values (${DAY_COLUMNS.map(() => '?')}) ${ADD}`, parameters: [], rows: sums },
      ]
    : [
        {
          sql: `with raw as (insert into usage (${COLUMNS}) select ${fields(KINDS)} from jsonb_array_elements($1::jsonb))
            insert into usage_days (${DAY_COLUMNS}) select ${fields(DAY_KINDS)} from jsonb_array_elements($2::jsonb) ${ADD}`,
          parameters: [raw, sums],
        },
      ];
}

const fields = (kinds: readonly string[]): string => kinds.map((kind, i) => `(value ->> ${i})::${kind}`).join(', ');

const cells = (row: UsageRow): Cell[] => [
  row.at,
  row.accountId,
  row.keyId,
  plainLine(row.requestId),
  row.operation,
  row.status,
  row.code,
  row.credits,
  row.source,
  row.cache,
  row.durationMs,
  row.upstreamMs,
  row.target,
  row.details && JSON.stringify(row.details),
];

const DAY_MS = 86_400_000;
/** Sorted, so that gateways that update the same sums cannot deadlock. */
function daySums(rows: readonly UsageRow[]): Cell[][] {
  const sums = new Map<string, [requests: number, credits: number]>();
  for (const { at, accountId, operation, keyId, status, credits } of rows) {
    const key = `${accountId}\t${Math.floor(at / DAY_MS)}\t${operation}\t${keyId}\t${status}`;
    const sum = sums.get(key);
    if (sum) {
      sum[0]++;
      sum[1] += credits;
    } else sums.set(key, [1, credits]);
  }
  return [...sums]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, [requests, credits]]) => {
      const [accountId = '', day, operation = '', keyId = '', status] = key.split('\t');
      return [accountId, new Date(Number(day) * DAY_MS).toISOString().slice(0, 10), operation, keyId, Number(status), requests, credits];
    });
}
