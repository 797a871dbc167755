const COLUMNS = ['alter table accounts add column suspended_at bigint', 'alter table accounts add column deleted_at bigint'];

/** Version 4: suspended and deleted accounts. */
export const MIGRATION_0004 = { embedded: COLUMNS, postgres: COLUMNS };
