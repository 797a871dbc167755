interface Dialect {
  readonly clustered: string;
  readonly id: string;
}
/** Dates that watches read and that lie ahead, what was told of them, why a watch does not check, and the address of an account's calendar. */
const statements = ({ clustered, id }: Dialect): readonly string[] => [
  'alter table watches add column due text',
  'alter table watches add column due_on text',
  'alter table watches add column due_read_at bigint',
  'alter table watches add column due_at bigint',
  'alter table watches add column stopped text',
  'create index watches_due on watches (due_at) where due_at is not null',
  'alter table watch_changes add column days_left bigint',
  'alter table watch_changes add column read_at bigint',
  `create table watch_calendars (account_id ${id} primary key references accounts (id), key_id ${id} not null, hash text not null unique,
          created_at bigint not null)${clustered}`,
];

export const MIGRATION_0004 = {
  embedded: statements({ clustered: ' without rowid', id: 'text' }),
  postgres: statements({ clustered: '', id: 'text collate "C"' }),
};
