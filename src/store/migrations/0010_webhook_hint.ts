/** What is shown of the address of a webhook; the address itself and its secrets are sealed from now on. */
const STATEMENTS: readonly string[] = ['alter table watches add column webhook_hint text'];

export const MIGRATION_0010 = { embedded: STATEMENTS, postgres: STATEMENTS };
