import { plainLine } from '../../billing/hold-id.ts';
import { type Column, packRows } from '../../store/packed-rows.ts';
import type { Statement, Store } from '../../store/store.ts';
import type { UsageRow } from '../types.ts';

type Cell = string | number | null;
/** A column of the table: its PostgreSQL type, and its value. */
type UsageColumn<Row> = Column<Row> & { readonly name: string; readonly type: 'bigint' | 'text' | 'float8' };

const whole = <Row>(name: string, number: (row: Row) => number): UsageColumn<Row> => ({ name, type: 'bigint', number });
const fraction = <Row>(name: string, number: (row: Row) => number): UsageColumn<Row> => ({ name, type: 'float8', number });
/** Text of which there are few different values. */
const word = <Row>(name: string, text: (row: Row) => string | null): UsageColumn<Row> => ({ name, type: 'text', text, repeats: true });
const text = <Row>(name: string, read: (row: Row) => string | null): UsageColumn<Row> => ({
  name,
  type: 'text',
  text: read,
  repeats: false,
});

const USAGE: readonly UsageColumn<UsageRow>[] = [
  whole('at', (row) => row.at),
  word('account_id', (row) => row.accountId),
  word('key_id', (row) => row.keyId),
  text('request_id', (row) => plainLine(row.requestId)),
  text('label', (row) => row.label),
  word('operation', (row) => row.operation),
  whole('status', (row) => row.status),
  word('code', (row) => row.code),
  whole('credits', (row) => row.credits),
  word('source', (row) => row.source),
  word('cache', (row) => row.cache),
  fraction('duration_ms', (row) => row.durationMs),
  fraction('upstream_ms', (row) => row.upstreamMs),
  word('target', (row) => row.target),
  text('details', (row) => row.details && JSON.stringify(row.details)),
];

interface DaySum {
  /** Its account, operation, key and status are those of the sum. */
  readonly first: UsageRow;
  /** `2026-11-01`, UTC. */
  readonly day: string;
  requests: number;
  credits: number;
}
const USAGE_DAYS: readonly UsageColumn<DaySum>[] = [
  word('account_id', ({ first }) => first.accountId),
  word('day', ({ day }) => day),
  word('operation', ({ first }) => first.operation),
  word('key_id', ({ first }) => first.keyId),
  whole('status', ({ first }) => first.status),
  whole('requests', (sum) => sum.requests),
  whole('credits', (sum) => sum.credits),
];
const ADD = `on conflict (account_id, day, operation, key_id, status) do update
  set requests = usage_days.requests + excluded.requests, credits = usage_days.credits + excluded.credits`;

const names = <Row>(columns: readonly UsageColumn<Row>[]): string => columns.map(({ name }) => name).join(', ');
const marks = (columns: readonly unknown[]): string => columns.map(() => '?').join(', ');
const fields = <Row>(columns: readonly UsageColumn<Row>[]): string => columns.map(({ type }, i) => `(value ->> ${i})::${type}`).join(', ');
/** As JSON: PostgreSQL takes one parameter at less cost than thousands. */
const asJson = <Row>(rows: readonly Row[], columns: readonly UsageColumn<Row>[]): string =>
  JSON.stringify(rows.map((row) => columns.map((column): Cell => ('number' in column ? column.number(row) : column.text(row)))));

const EMBEDDED_USAGE = `insert into usage (${names(USAGE)}) values (${marks(USAGE)})`;
const EMBEDDED_DAYS = `insert into usage_days (${names(USAGE_DAYS)}) values (${marks(USAGE_DAYS)}) ${ADD}`;
const POSTGRES = `with raw as (insert into usage (${names(USAGE)}) select ${fields(USAGE)} from jsonb_array_elements($1::jsonb))
  insert into usage_days (${names(USAGE_DAYS)}) select ${fields(USAGE_DAYS)} from jsonb_array_elements($2::jsonb) ${ADD}`;

/** Inserts the rows and adds them to the daily sums. */
export function insertUsage(kind: Store['kind'], rows: readonly UsageRow[]): Statement[] {
  const sums = daySums(rows);
  return kind === 'embedded'
    ? [
        { sql: EMBEDDED_USAGE, parameters: [], rows: packRows(rows, USAGE) },
        { sql: EMBEDDED_DAYS, parameters: [], rows: packRows(sums, USAGE_DAYS) },
      ]
    : [{ sql: POSTGRES, parameters: [asJson(rows, USAGE), asJson(sums, USAGE_DAYS)] }];
}

const DAY_MS = 86_400_000;
/** Sorted, so that gateways that update the same sums cannot deadlock. */
function daySums(rows: readonly UsageRow[]): readonly DaySum[] {
  const sums = new Map<string, DaySum>();
  // rows of one caller often follow each other
  let last: DaySum | null = null;
  let dayEnd = Number.NEGATIVE_INFINITY;
  for (const row of rows) {
    if (!last || !isSameSum(last.first, row) || row.at >= dayEnd || row.at < dayEnd - DAY_MS) {
      const day: number = Math.floor(row.at / DAY_MS);
      dayEnd = (day + 1) * DAY_MS;
      const key = `${row.accountId}\t${day}\t${row.operation}\t${row.keyId}\t${row.status}`;
      last = sums.get(key) ?? { first: row, day: new Date(day * DAY_MS).toISOString().slice(0, 10), requests: 0, credits: 0 };
      sums.set(key, last);
    }
    last.requests++;
    last.credits += row.credits;
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
}

const isSameSum = (a: UsageRow, b: UsageRow): boolean =>
  a.accountId === b.accountId && a.operation === b.operation && a.keyId === b.keyId && a.status === b.status;
