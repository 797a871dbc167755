/** The apps that an account compares. */
const STATEMENTS = ['alter table account_sites add column apps text'];

export const MIGRATION_0008 = { embedded: STATEMENTS, postgres: STATEMENTS };
