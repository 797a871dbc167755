/** Replaces text within a function of an earlier migration. Fails where the function does not have it. */
const replaceIn = (name: string, from: string, to: string): string => `do $do$
  declare body text := pg_get_functiondef('${name}'::regproc);
  begin
    if strpos(body, $t$${from}$t$) = 0 then raise exception '${name} has another text'; end if;
    execute replace(body, $t$${from}$t$, $t$${to}$t$);
  end $do$`;

/** Caps are counted under `counted_as`. */
const COUNTER = `create or replace function sightline_counter(key text) returns text language sql stable as
  $$ select coalesce(counted_as, id) from keys where id = key $$`;

const STATEMENTS = [
  'alter table keys add column manage bigint not null default 0',
  'alter table keys add column made_by text',
  'alter table keys add column counted_as text',
  'update keys set manage = 1 where id = (select id from keys order by created_at, id limit 1)',
  // no event of the audit log says who opened them
  'delete from sessions',
  'alter table usage add column label text',
  'create index usage_label on usage (label, id) where label is not null',
];

/** Version 8: which keys manage keys, who made them, under which id their caps are counted; labels of requests. */
export const MIGRATION_0008 = {
  embedded: STATEMENTS,
  postgres: [
    ...STATEMENTS,
    COUNTER,
    replaceIn('sightline_settle', 's.key_id = o.hold_key', 's.key_id = sightline_counter(o.hold_key)'),
    replaceIn('sightline_settle', 's.key_id = o.key ', 's.key_id = sightline_counter(o.key) '),
    replaceIn(
      'sightline_settle',
      'values (o.key, day, o.amount), (o.key, month, o.amount)',
      'values (sightline_counter(o.key), day, o.amount), (sightline_counter(o.key), month, o.amount)',
    ),
    replaceIn('sightline_charge', 's.key_id = spare_key[i]', 's.key_id = sightline_counter(spare_key[i])'),
  ],
};
