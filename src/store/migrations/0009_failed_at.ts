/** When a target of messages failed last: it outlasts a later success. */
const STATEMENTS: readonly string[] = ['alter table notify_targets add column failed_at bigint'];

export const MIGRATION_0009 = { embedded: STATEMENTS, postgres: STATEMENTS };
