/** What an account had after each row of its journal, so that a page of any day states it without a sum over the rows after it. */
const STATEMENTS: readonly string[] = ['alter table journal add column total bigint'];

export const MIGRATION_0012 = { embedded: STATEMENTS, postgres: STATEMENTS };
