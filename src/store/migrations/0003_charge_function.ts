/**
 * Fast path of the ledger batch in PostgreSQL: captures, releases and holds alone, every account known, every balance sufficient, no key with
 * a credit cap. Then no operation depends on the one before, and a few set-based statements do the work of sightline_settle at two thirds of
 * its cost, with the same entries and the same chain. Any other batch is passed to sightline_settle in the same call; the choice is made under
 * the lock of the balance rows, before the first write.
 */
const CHARGE_FUNCTION = `create or replace function sightline_charge(accounts text[], needs bigint[], key_ids text[],
    s_account int[], s_kind text[], s_hold text[], s_amount bigint[],
    h_account int[], h_hold text[], h_amount bigint[], h_ttl bigint[], h_key text[], h_operation text[], h_label text[])
  returns json language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan set jit = off
as $fn$
declare
  stamp bigint;
  plain boolean;
  -- accounts, as they were locked
  a_id text[]; a_free bigint[]; a_seq bigint[]; a_head text[];
  -- settlements that found their hold
  g_place int[]; g_account int[]; g_kind text[]; g_hold text[]; g_paid bigint[]; g_held bigint[];
  -- what settlements leave of holds whose key has a cap
  spare_key text[]; spare_at bigint[]; spare bigint[];
begin
  select array_agg(b.account_id), array_agg(b.balance), array_agg(b.seq), array_agg(b.head) into a_id, a_free, a_seq, a_head
    from (select * from balances where account_id = any(accounts) order by account_id for update) b;
  plain := a_id is not distinct from accounts;
  if plain then
    for i in 1 .. cardinality(accounts) loop
      if needs[i] > a_free[i] then plain := false; end if;
    end loop;
  end if;
  if not plain
    or exists (select 1 from keys k where k.id = any(key_ids) and (k.cap_day is not null or k.cap_month is not null)) then
    return sightline_settle(coalesce((
      select jsonb_agg(jsonb_build_array(o.kind, accounts[o.a], o.hold, o.amount, o.ttl, o.key, o.operation, o.label) order by o.phase, o.ord)
      from (
        select 1 as phase, u.*, 0::bigint as ttl, '' as key, '' as operation, '' as label
          from unnest(s_account, s_kind, s_hold, s_amount) with ordinality u(a, kind, hold, amount, ord)
        union all
        select 2, u.a, 'hold', u.hold, u.amount, u.ord, u.ttl, u.key, u.operation, u.label
          from unnest(h_account, h_hold, h_amount, h_ttl, h_key, h_operation, h_label) with ordinality u(a, hold, amount, ttl, key, operation, label, ord)
      ) o), '[]'));
  end if;
  stamp := sightline_now();
  if cardinality(s_hold) > 0 then
    with gone as (
      delete from holds h using unnest(s_account, s_kind, s_hold, s_amount) with ordinality u(a, kind, hold, amount, ord)
        where h.id = u.hold and h.account_id = accounts[u.a]
        returning u.ord::int as ord, u.a, u.kind, u.hold, h.amount as held, case u.kind when 'capture' then least(u.amount, h.amount) else 0 end as paid,
          h.capped, h.key_id, h.created_at
    )
    select array_agg(g.ord), array_agg(g.a), array_agg(g.kind), array_agg(g.hold), array_agg(g.paid), array_agg(g.held),
        array_agg(g.key_id) filter (where g.spare), array_agg(g.created_at) filter (where g.spare), array_agg(g.held - g.paid) filter (where g.spare)
      into g_place, g_account, g_kind, g_hold, g_paid, g_held, spare_key, spare_at, spare
      from (select *, capped = 1 and paid < held as spare from gone order by ord) g;
    if spare is not null then
      for i in 1 .. cardinality(spare) loop
        update key_spend s set credits = greatest(0, s.credits - spare[i]) where s.key_id = spare_key[i]
          and s.period in (to_char(to_timestamp(spare_at[i] / 1000.0) at time zone 'UTC', 'YYYY-MM-DD'),
                           to_char(to_timestamp(spare_at[i] / 1000.0) at time zone 'UTC', 'YYYY-MM'));
      end loop;
    end if;
  end if;
  if cardinality(h_hold) > 0 then
    insert into holds (id, account_id, key_id, amount, created_at, expires_at, capped)
      select u.id, accounts[u.a], u.key, u.amount, stamp, stamp + u.ttl, 0 from unnest(h_hold, h_account, h_key, h_amount, h_ttl) u(id, a, key, amount, ttl);
  end if;
  with e as (
    select o.*, row_number() over (partition by o.a order by o.phase, o.ord) - 1 as n
      from (
        select 1 as phase, u.ord, u.a, u.kind, -u.paid as credits, -u.held as held, u.hold, '' as key, '' as operation, '' as label
          from unnest(g_account, g_kind, g_paid, g_held, g_hold) with ordinality u(a, kind, paid, held, hold, ord)
        union all
        select 2, u.ord, u.a, 'hold', 0, u.amount, u.hold, u.key, u.operation, u.label
          from unnest(h_account, h_amount, h_hold, h_key, h_operation, h_label) with ordinality u(a, amount, hold, key, operation, label, ord)
      ) o
  ), written as (
    insert into entries (account_id, link, n, kind, credits, held, hold, key_id, operation, label)
      select accounts[e.a], a_seq[e.a] + 1, e.n, e.kind, e.credits, e.held, e.hold, e.key, e.operation, e.label from e
  ), chained as (
    select s.*, accounts[s.a] as id, a_seq[s.a] + 1 as seq, encode(sha256(convert_to(concat_ws(E'\\n', 'sightline-ledger-1', accounts[s.a], a_seq[s.a] + 1,
        stamp, a_head[s.a], s.lines), 'UTF8')), 'hex') as hash
      from (
        select e.a, count(*) as entries, sum(e.credits)::bigint as credits, sum(e.held)::bigint as held,
          string_agg(concat_ws(E'\\t', e.kind, e.credits, e.held, e.hold, e.key, e.operation, e.label), E'\\n' order by e.n) as lines
        from e group by e.a
      ) s
  ), linked as (
    insert into links (account_id, seq, at, entries, hash) select c.id, c.seq, stamp, c.entries, c.hash from chained c
  )
  update balances b set balance = b.balance + c.credits - c.held, held = b.held + c.held, seq = c.seq, head = c.hash
    from chained c where b.account_id = c.id;
  return json_build_object('at', stamp, 'places', coalesce(g_place, '{}'), 'captured', coalesce(g_paid, '{}'), 'balances',
    (select json_agg(json_build_array(b.account_id, b.balance, b.held)) from balances b where b.account_id = any(accounts)));
end $fn$`;

/** Version 3: one function for plain charges. */
export const MIGRATION_0003 = { embedded: [], postgres: [CHARGE_FUNCTION] };
