interface Dialect {
  readonly clustered: string;
  readonly id: string;
  readonly serial: string;
}
const DELIVERY = 'watch, cursor, kinds, created_at, attempts, next_at, delivered_at, result';
/** Targets that messages are told to, beside the webhook of a watch, and whether they confirmed; messages are by target. */
const statements = ({ clustered, id, serial }: Dialect): readonly string[] => [
  `create table notify_targets (n ${serial}, account_id ${id} not null references accounts (id), watch bigint, form text not null, sealed text not null,
          hint text not null, digest text, created_at bigint not null, succeeded_at bigint, failing_at bigint, disabled_at bigint, error text,
          address_hash text, confirmed_at bigint)`,
  'create index notify_targets_account on notify_targets (account_id, watch)',
  `create table notify_mails (n ${serial}, hash text not null, account_id ${id} not null, at bigint not null)`,
  'create index notify_mails_hash on notify_mails (hash, at)',
  'alter table watches add column own_notify bigint not null default 0',
  'alter table watch_deliveries rename to watch_deliveries_before',
  'drop index watch_deliveries_next',
  `create table watch_deliveries (watch bigint not null, cursor bigint not null, target bigint not null default 0, kinds text not null,
          created_at bigint not null, attempts bigint not null, next_at bigint, delivered_at bigint, result text,
          primary key (watch, cursor, target))${clustered}`,
  `insert into watch_deliveries (${DELIVERY}, target) select ${DELIVERY}, 0 from watch_deliveries_before`,
  'drop table watch_deliveries_before',
  'create index watch_deliveries_next on watch_deliveries (next_at) where next_at is not null',
];

export const MIGRATION_0005 = {
  embedded: statements({ clustered: ' without rowid', id: 'text', serial: 'integer primary key' }),
  postgres: statements({ clustered: '', id: 'text collate "C"', serial: 'bigint generated always as identity primary key' }),
};
