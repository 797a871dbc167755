interface Dialect {
  readonly clustered: string;
  readonly id: string;
}
/** The sites of an account, the places of a stored ranking by host, and tags of watches. */
const statements = ({ clustered, id }: Dialect): readonly string[] => [
  `create table account_sites (account_id ${id} primary key references accounts (id), own text, rivals text not null,
          set_at bigint not null)${clustered}`,
  'alter table watch_bodies add column places text',
  'alter table watches add column tags text',
];

export const MIGRATION_0006 = {
  embedded: statements({ clustered: ' without rowid', id: 'text' }),
  postgres: statements({ clustered: '', id: 'text collate "C"' }),
};
