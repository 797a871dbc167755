import type { JournalBatch } from '../store.ts';

/** How far the time of a batch may be ahead of the store's clock: holds would expire early. */
const MAX_AHEAD_MS = 1_000;
/** How far it may be behind: a batch that waited is written, one of a gateway whose clock is wrong is not. */
const MAX_BEHIND_MS = 10_000;

/**
 * Appends a batch in one statement. Balance rows are locked in one order, so that batches of several gateways cannot deadlock. A row is written
 * if its number is the next of its account; a balance row that changed while the statement waited for it is compared as it is then.
 */
export const APPEND = `with clock as materialized (select sightline_now() as at, n from changes where name = 'keys'),
  locked as materialized (
    -- the clock is read before the locks are waited for
    select account_id from balances where account_id = any($1::text[]) and (select at from clock) > 0 order by account_id for update
  ),
  moved as (
    update balances b set balance = r.balance, held = r.held, seq = r.seq, head = r.hash
      from locked l join unnest($1::text[], $2::bigint[], $4::text[], $5::bigint[], $6::bigint[]) r(account_id, seq, hash, balance, held)
        on r.account_id = l.account_id, clock c
      where b.account_id = r.account_id and b.seq = r.seq - 1
        and ($8::bigint is null or c.n = $8 and $7::bigint - c.at between -${MAX_BEHIND_MS} and ${MAX_AHEAD_MS})
      returning b.account_id
  ), written as (
    insert into journal (account_id, seq, at, lines, hash)
      select r.account_id, r.seq, $7, r.lines, r.hash
        from unnest($1::text[], $2::bigint[], $3::text[], $4::text[]) r(account_id, seq, lines, hash) join moved m on m.account_id = r.account_id
  ), counted as (
    insert into key_spend (key_id, period, credits)
      select s.counter, s.period, s.credits
        from unnest($9::text[], $10::text[], $11::text[], $12::bigint[]) s(account_id, counter, period, credits)
          join moved m on m.account_id = s.account_id
      on conflict (key_id, period) do update set credits = excluded.credits
  )
  select coalesce(json_agg(account_id), '[]') as r from moved`;

export const appendValues = ({ rows, at, keyChanges, spent }: JournalBatch): unknown[] => [
  ...(['accountId', 'seq', 'lines', 'hash', 'balance', 'held'] as const).map((name) => rows.map((row) => row[name])),
  at,
  keyChanges,
  ...(['accountId', 'counter', 'period', 'credits'] as const).map((name) => spent.map((each) => each[name])),
];
