interface Dialect {
  readonly clustered: string;
}
/** The setup code and the operator's key of the installation, in its one row; credentials of sources that were entered in the console. */
const statements = ({ clustered }: Dialect): readonly string[] => [
  `create table installation (id text primary key, code_hash text, code_expires_at bigint, code_wrong bigint not null default 0,
          printed_at bigint, operator_key_hash text, operator_key_hint text, operator_key_at bigint)${clustered}`,
  "insert into installation (id) values ('this')",
  `create table source_credentials (name text primary key, sealed text not null, hint text not null, set_at bigint not null)${clustered}`,
];

export const MIGRATION_0007 = {
  embedded: statements({ clustered: ' without rowid' }),
  postgres: statements({ clustered: '' }),
};
