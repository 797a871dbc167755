/** When a check ended, beside the slot that it was for; null: of before, when the slot alone was stored. */
const STATEMENTS: readonly string[] = ['alter table watch_checks add column at bigint'];

export const MIGRATION_0003 = { embedded: STATEMENTS, postgres: STATEMENTS };
