/**
 * PostgreSQL functions that run a ledger batch: one call, one transaction. The rules and the hash chain are those of sqlite/ledger.ts; the
 * conformance suite and the model test compare both. Balance rows are locked in one order, so that batches of several gateways cannot deadlock.
 */
const NOW = `create or replace function sightline_now() returns bigint language sql volatile as
  $$ select (extract(epoch from clock_timestamp()) * 1000)::bigint $$`;

const SETTLE = `create or replace function sightline_settle(batch jsonb) returns jsonb language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan set jit = off
as $fn$
declare
  stamp bigint;
  o record;
  account text := null;
  known boolean := false;
  written boolean := false;
  free bigint;
  owed bigint;
  used bigint;
  room bigint;
  n bigint;
  code int;
  amount bigint;
  capped int;
  key text := null;
  cap_day bigint;
  cap_month bigint;
  kept bigint;
  day text;
  month text;
  size int := jsonb_array_length(batch);
  codes int[] := array_fill(0, array[size]);
  amounts bigint[] := array_fill(0::bigint, array[size]);
  -- accounts after the batch
  a_id text[] := '{}'; a_free bigint[] := '{}'; a_owed bigint[] := '{}';
  -- entries by place in the batch; no number, no entry
  e_n bigint[] := array_fill(null::bigint, array[size]);
  e_credits bigint[] := e_n;
  e_held bigint[] := e_n;
  e_capped int[] := codes;
  gone text[] := '{}';
  -- references granted in this batch; a refused one may come again
  refs text[] := '{}';
begin
  perform 1 from balances b where b.account_id in (select e ->> 1 from jsonb_array_elements(batch) e) order by b.account_id for update;
  stamp := sightline_now();
  day := to_char(to_timestamp(stamp / 1000.0) at time zone 'UTC', 'YYYY-MM-DD');
  month := left(day, 7);
  for o in
    select x.*, h.amount as held, h.key_id as hold_key, h.created_at, h.expires_at, h.capped,
      row_number() over (partition by x.acct, x.phase, x.hold order by x.ord) as turn
    from (
      select ord::int as ord, e ->> 0 as kind, e ->> 1 as acct, e ->> 2 as hold, (e ->> 3)::bigint as amount, (e ->> 4)::bigint as ttl,
        e ->> 5 as key, e ->> 6 as operation, e ->> 7 as label,
        case e ->> 0 when 'renew' then 0 when 'grant' then 2 when 'hold' then 3 else 1 end as phase
      from jsonb_array_elements(batch) with ordinality t(e, ord)
    ) x
    left join holds h on x.phase < 2 and h.id = x.hold and h.account_id = x.acct
    order by x.acct, x.phase, x.ord
  loop
    if account is distinct from o.acct then
      if known then
        a_id := a_id || account; a_free := a_free || free; a_owed := a_owed || owed;
      end if;
      account := o.acct; n := 0;
      select b.balance, b.held into free, owed from balances b where b.account_id = account;
      known := found;
    end if;
    if not known then
      codes[o.ord] := 5;
      continue;
    end if;
    code := 0;
    capped := 0;
    if o.phase = 0 then
      if o.held is null then code := 4; else update holds set expires_at = greatest(expires_at, stamp + o.ttl) where id = o.hold; end if;
      amount := 0;
    elsif o.phase = 1 then
      if o.held is null or o.turn > 1 or (o.kind = 'expire' and o.expires_at > stamp) then
        code := 4;
        amount := 0;
      else
        amount := case o.kind when 'capture' then least(o.amount, o.held) else 0 end;
        free := free + o.held - amount;
        owed := owed - o.held;
        gone := gone || o.hold;
        if o.capped = 1 and amount < o.held then
          update key_spend s set credits = greatest(0, s.credits - (o.held - amount)) where s.key_id = o.hold_key
            and s.period in (to_char(to_timestamp(o.created_at / 1000.0) at time zone 'UTC', 'YYYY-MM-DD'),
                             to_char(to_timestamp(o.created_at / 1000.0) at time zone 'UTC', 'YYYY-MM'));
        end if;
      end if;
    elsif o.phase = 2 then
      if o.hold <> '' and (o.acct || ' ' || o.hold = any(refs) or exists (select 1 from entries x where x.hold = o.hold and x.account_id = o.acct and x.kind = 'grant')) then
        amount := free;
        codes[o.ord] := 0; amounts[o.ord] := free;
        continue;
      elsif free + o.amount < 0 then
        code := 1;
      else
        free := free + o.amount;
        refs := refs || (o.acct || ' ' || o.hold);
      end if;
      amount := free;
    else
      if key is distinct from o.key then
        key := o.key;
        select k.cap_day, k.cap_month into cap_day, cap_month from keys k where k.id = o.key;
      end if;
      if o.amount > free then
        code := 1;
      elsif cap_day is not null or cap_month is not null then
        capped := 1;
        select coalesce(sum(s.credits) filter (where s.period = day), 0), coalesce(sum(s.credits) filter (where s.period = month), 0)
          into used, room from key_spend s where s.key_id = o.key and s.period in (day, month);
        if cap_day is not null and used + o.amount > cap_day then
          code := 2; kept := greatest(0, cap_day - used);
        elsif cap_month is not null and room + o.amount > cap_month then
          code := 3; kept := greatest(0, cap_month - room);
        else
          insert into key_spend as s (key_id, period, credits) values (o.key, day, o.amount), (o.key, month, o.amount)
            on conflict (key_id, period) do update set credits = s.credits + excluded.credits;
        end if;
      end if;
      if code = 0 then
        free := free - o.amount;
        owed := owed + o.amount;
      end if;
      amount := case when code > 1 then kept else free end;
    end if;
    codes[o.ord] := code;
    amounts[o.ord] := amount;
    if code = 0 and o.phase > 0 then
      e_n[o.ord] := n;
      e_credits[o.ord] := case o.phase when 1 then -amount when 2 then o.amount else 0 end;
      e_held[o.ord] := case o.phase when 1 then -o.held when 2 then 0 else o.amount end;
      if capped = 1 then e_capped[o.ord] := 1; end if;
      n := n + 1;
      written := true;
    end if;
  end loop;
  if known then
    a_id := a_id || account; a_free := a_free || free; a_owed := a_owed || owed;
  end if;
  if written then
    delete from holds where id = any(gone);
    insert into holds (id, account_id, key_id, amount, created_at, expires_at, capped)
      select t.e ->> 2, t.e ->> 1, t.e ->> 5, t.held, stamp, stamp + (t.e ->> 4)::bigint, t.capped
      from rows from (jsonb_array_elements(batch), unnest(e_held), unnest(e_capped)) as t(e, held, capped)
      where t.held > 0;
    insert into entries (account_id, link, n, kind, credits, held, hold, key_id, operation, label)
      select t.e ->> 1, b.seq + 1, t.n, t.e ->> 0, t.credits, t.held, t.e ->> 2, t.e ->> 5, t.e ->> 6, t.e ->> 7
      from rows from (jsonb_array_elements(batch), unnest(e_n), unnest(e_credits), unnest(e_held)) as t(e, n, credits, held)
      join balances b on b.account_id = t.e ->> 1
      where t.n is not null;
    with sums as (
      select t.e ->> 1 as acct, count(*) as entries,
        string_agg(concat_ws(E'\\t', t.e ->> 0, t.credits, t.held, t.e ->> 2, t.e ->> 5, t.e ->> 6, t.e ->> 7), E'\\n' order by t.n) as lines
      from rows from (jsonb_array_elements(batch), unnest(e_n), unnest(e_credits), unnest(e_held)) as t(e, n, credits, held)
      where t.n is not null
      group by t.e ->> 1
    ), chained as (
      insert into links (account_id, seq, at, entries, hash)
        select s.acct, b.seq + 1, stamp, s.entries, encode(sha256(convert_to(concat_ws(E'\\n', 'sightline-ledger-1', s.acct, b.seq + 1,
          stamp, b.head, s.lines), 'UTF8')), 'hex')
        from sums s join balances b on b.account_id = s.acct
      returning account_id, seq, hash
    )
    update balances b set balance = a.free, held = a.owed, seq = c.seq, head = c.hash
      from chained c join unnest(a_id, a_free, a_owed) as a(id, free, owed) on a.id = c.account_id
      where b.account_id = c.account_id;
  end if;
  return jsonb_build_object('at', stamp, 'codes', codes, 'amounts', amounts, 'balances',
    coalesce((select jsonb_agg(jsonb_build_array(a.id, a.free, a.owed)) from unnest(a_id, a_free, a_owed) as a(id, free, owed)), '[]'));
end $fn$`;

/** Holds whose time is over, ended as a batch of their own; the time is checked again under the lock. */
const EXPIRE = `create or replace function sightline_expire(most int) returns jsonb language sql volatile as $fn$
  select sightline_settle(coalesce(
    (select jsonb_agg(jsonb_build_array('expire', h.account_id, h.id, 0, 0, '', '', ''))
      from (select account_id, id from holds where expires_at <= sightline_now() order by expires_at limit most) h), '[]'))
$fn$`;

export const LEDGER_FUNCTIONS: readonly string[] = [NOW, SETTLE, EXPIRE];
